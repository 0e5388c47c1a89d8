/**
 * Where the processes of tests keep what V8 has made of their source. A run starts hundreds of nodes, and half of what a
 * start costs is compiling the same files. Node holds each entry against the source and against its own version, so what
 * changed is compiled anew.
 */
export const COMPILED = {
  NODE_COMPILE_CACHE: new URL('../../node_modules/.cache/compiled', import.meta.url).pathname,
} as const
