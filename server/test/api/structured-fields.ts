/**
 * Reads a list of strings with parameters, as RFC 9651 §4.2 says to: `"rate";q=60;w=60, "day";q=100;w=86400`.
 *
 * Only what the RateLimit fields use: string items, integer parameters. Anything else throws, also what a lenient
 * reader would overlook.
 */
export type Item = Readonly<Record<string, number>>

export function parseList(field: string | null): Map<string, Item> {
  if (field === null) throw new Error('the field is missing')
  const items = new Map<string, Item>()
  let rest = field
  const take = (pattern: RegExp, what: string) => {
    const match = pattern.exec(rest)
    if (!match) throw new Error(`${what} expected at ${JSON.stringify(rest)} in ${JSON.stringify(field)}`)
    rest = rest.slice(match[0].length)
    return match
  }
  for (;;) {
    const [, name = ''] = take(/^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"/, 'a string')
    const parameters: Record<string, number> = {}
    while (rest.startsWith(';')) {
      const [, key = '', value] = take(/^; *([a-z*][a-z0-9_.*-]*)=(-?\d{1,15})(?![\d.])/, 'a parameter')
      parameters[key] = Number(value)
    }
    if (items.has(name)) throw new Error(`${name} comes twice in ${field}`)
    items.set(name, parameters)
    if (rest === '') return items
    take(/^[ \t]*,[ \t]*(?=.)/, 'a comma')
  }
}
