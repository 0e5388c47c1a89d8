/** What a key is counted under in Redis; the braces keep all of it on one node of a cluster. */
export function rateName(keyId: string): string {
  return `r:{${keyId}}`
}

/** How the name of every block begins, and of nothing else. */
export const BLOCK_NAMES = 'q:{'

export function blockName(keyId: string, day: string): string {
  return `${BLOCK_NAMES}${keyId}}:${day}`
}
