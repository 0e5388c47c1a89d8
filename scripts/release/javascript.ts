/**
 * The server's sources as JavaScript, for the npm package: Node strips types in a checkout, but refuses to do so for files
 * under `node_modules`.
 *
 * The types are removed by Node's own type stripping, so the package runs the code that the checkout runs, with the same
 * line numbers. Paths that end in `.ts` then end in `.js`: those of imports, and those of files that the code opens
 * relative to itself, such as a worker thread. A path to a file that is not in the package is an error.
 */
import { stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'

// `import … from`, `export … from`, `import '…'`, `import('…')` with a relative path; `new URL('…')` with any.
const PATH = /(\b(?:from|import)\s*\(?\s*|\bnew URL\(\s*)(['"])([^'"\n]+)\.ts\2/g

/** `sources` maps paths in the package to TypeScript; the result maps paths to JavaScript. */
export function toJavaScript(sources: ReadonlyMap<string, string>): Map<string, string> {
  const result = new Map<string, string>()
  for (const [path, source] of sources) {
    const rename = (whole: string, before: string, quote: string, to: string) => {
      const isUrl = before.startsWith('new')
      if (!isUrl && !to.startsWith('.')) return whole
      const target = posix.join(posix.dirname(path), `${to}.ts`)
      if (!sources.has(target)) throw new Error(`${path} refers to ${target}, which is not in the package`)
      return `${before}${quote}${to}.js${quote}`
    }
    result.set(path.replace(/\.ts$/, '.js'), stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(PATH, rename))
  }
  return result
}
