/** What a key is counted under in Redis; the braces keep all of it on one node of a cluster. */
export function rateName(keyId: string): string {
  return `r:{${keyId}}`
}

export function blockName(keyId: string, day: string): string {
  return `q:{${keyId}}:${day}`
}
