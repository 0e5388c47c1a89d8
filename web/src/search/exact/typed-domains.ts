/** Whether somebody typed a name instead of a description, and which domains to check for it. Pure. */

// A name is one word. Shorter ones are mostly the beginning of a longer one.
const SHORTEST = 3
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const DOMAIN = /^([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.([a-z]{2,63}(?:\.[a-z]{2,63})?)$/
const SUFFIXES = ['com', 'net', 'org', 'co', 'io', 'ai', 'app', 'dev'] as const

/** The typed domain first, then the name under other suffixes; undefined for everything that is not a name. */
export function typedDomains(text: string): readonly string[] | undefined {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/.*$/, '')
  const [, label = typed] = DOMAIN.exec(typed) ?? []
  if (label.length < SHORTEST || !LABEL.test(label)) return undefined
  const others = SUFFIXES.map((suffix) => `${label}.${suffix}`)
  return label === typed ? others : [typed, ...others.filter((domain) => domain !== typed)]
}
