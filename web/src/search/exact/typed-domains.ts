/** Whether somebody typed a name instead of a description, which domains to check for it, and when. Pure. */

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

/** As many gaps between keys as tell how fast somebody types. */
export const GAPS = 3
const PAUSE_MS = { least: 80, most: 300 }
// A gap as long is a pause of its own.
const REST_MS = 1_000

/**
 * How long to wait for another key: a little longer than between the last ones. A check for every key of a word would use
 * up what a visitor may ask in a minute.
 */
export function pauseAfter(gapsMs: readonly number[]): number {
  const longest = Math.max(0, ...gapsMs.filter((gap) => gap < REST_MS))
  return Math.max(PAUSE_MS.least, Math.min(PAUSE_MS.most, longest * 1.2))
}
