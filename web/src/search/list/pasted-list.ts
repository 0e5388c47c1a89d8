/** Whether somebody pasted a list of domains instead of a description, and which domains it asks for. Pure. */

/** More are left out, and the page says so. */
export const MOST_LISTED = 500

const DOMAIN = /^[^\s@]+\.[^\s@.]{2,}$/
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}-]{0,62}$/u
// Bullets and numbers in front of a line, quotes around it.
const AROUND = /^(?:[-*•·]|\d+[.)])\s+|^["'“”«»]+|["'“”«».]+$/gu

export interface PastedList {
  readonly domains: readonly string[]
  /** Some of them were words without a suffix. */
  readonly hasWords: boolean
  /** How many are too many. */
  readonly left: number
}

/**
 * A list is several domains, parted by spaces, commas or lines; or several lines with a domain or a word on each. Everything
 * else is a description. Words are checked under `suffixes`.
 */
export function pastedList(text: string, suffixes: readonly string[]): PastedList | undefined {
  const entries = entriesOf(text)
  if (entries === undefined) return undefined
  const isWord = (entry: string) => !DOMAIN.test(entry)
  const all = entries.flatMap((entry) => (isWord(entry) ? suffixes.map((suffix) => `${entry}.${suffix}`) : [entry]))
  const domains = [...new Set(all)]
  return {
    domains: domains.slice(0, MOST_LISTED),
    hasWords: entries.some(isWord),
    left: Math.max(0, domains.length - MOST_LISTED),
  }
}

function entriesOf(text: string): readonly string[] | undefined {
  const isListed = (entry: string) => DOMAIN.test(entry) || WORD.test(entry)
  const lines = partsOf(text, /[\n\r,;、，،]+/)
  if (/[\n\r]\s*\S/.test(text.trim()) && lines.length > 1 && lines.every(isListed)) return lines
  const words = partsOf(text, /[\s,;、，،]+/)
  return words.length > 1 && words.every((word) => DOMAIN.test(word)) ? words : undefined
}

const partsOf = (text: string, between: RegExp): readonly string[] => text.split(between).map(plain).filter(Boolean)

/** An address of a page becomes its domain. */
function plain(part: string): string {
  return part
    .trim()
    .replaceAll(AROUND, '')
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\.(?=.*\.)/, '')
    .replace(/[/?#].*$/, '')
}
