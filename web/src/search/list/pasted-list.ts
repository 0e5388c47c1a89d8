/** Whether somebody pasted a list of domains instead of a description, and which domains it asks for. Pure. */

/** More are left out, and the page says so. */
export const MOST_LISTED = 500

// An answer of a chat begins and ends with a sentence.
const LEAST_SHARE = 0.7
const MOST_WORDS = 3

const DOMAIN = /^[^\s@]+\.[^\s@.]{2,}$/
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}-]{0,62}$/u
const BULLET = /^\s*(?:[-*•·–]|\d+[.)])\s+/u
// What is said about a name: behind a dash, a colon or a tab, or in parentheses.
const NOTE = /\s+[-–—]\s.*$|:\s.*$|\t.*$|\s*[([（].*$/u
const QUOTES = /^["'“”«»*_`]+|["'“”«».*_`]+$/gu
const BETWEEN = /[,;、，،]+/

export interface PastedList {
  readonly domains: readonly string[]
  /** Some of them were words without a suffix. */
  readonly hasWords: boolean
  /** How many are too many. */
  readonly left: number
  /** Lines that are no names. */
  readonly others: readonly string[]
}

/**
 * A list is several domains, parted by spaces, commas or lines; or several lines, most of them with a domain or a name on
 * each, also numbered or with a note. Everything else is a description. Names are checked under `suffixes`.
 */
export function pastedList(text: string, suffixes: readonly string[]): PastedList | undefined {
  const found = inLines(text) ?? inOneLine(text)
  if (found === undefined) return undefined
  const { entries, others } = found
  const isWord = (entry: string) => !DOMAIN.test(entry)
  const all = entries.flatMap((entry) => (isWord(entry) ? suffixes.map((suffix) => `${entry}.${suffix}`) : [entry]))
  const domains = [...new Set(all)]
  return {
    domains: domains.slice(0, MOST_LISTED),
    hasWords: entries.some(isWord),
    left: Math.max(0, domains.length - MOST_LISTED),
    others,
  }
}

interface Found {
  readonly entries: readonly string[]
  readonly others: readonly string[]
}

function inLines(text: string): Found | undefined {
  const lines = text.split(/[\n\r]+/).filter((line) => line.trim() !== '')
  const read = lines.map((line) => ({ line, entries: entriesOf(line) }))
  const fitting = read.filter(({ entries }) => entries.length > 0)
  if (fitting.length < 2 || fitting.length < LEAST_SHARE * lines.length) return undefined
  return {
    entries: fitting.flatMap(({ entries }) => entries),
    others: read.filter(({ entries }) => entries.length === 0).map(({ line }) => line.trim()),
  }
}

function inOneLine(text: string): Found | undefined {
  const entries = text
    .split(/[\s,;、，،]+/)
    .map(plain)
    .filter(Boolean)
  return entries.length > 1 && entries.every((entry) => DOMAIN.test(entry)) ? { entries, others: [] } : undefined
}

/** The names on a line; none when something else stands there. */
function entriesOf(line: string): readonly string[] {
  const bare = line.replace(BULLET, '').trim()
  const head = bare.replace(NOTE, '')
  const isItem = BULLET.test(line) || head !== bare
  const entries = head.split(BETWEEN).map((part) => entryOf(part, isItem))
  const named = entries.filter((entry) => entry !== '')
  return named.includes(undefined) ? [] : named.filter((entry) => entry !== undefined)
}

/** Several words are a name where a list says so, or where each begins with a capital letter. */
function entryOf(part: string, isItem: boolean): string | undefined {
  const entry = plain(part)
  if (entry === '' || DOMAIN.test(entry) || WORD.test(entry)) return entry
  const words = part.trim().replaceAll(QUOTES, '').split(/\s+/)
  const isName = words.length <= MOST_WORDS && words.every((word) => WORD.test(word))
  return isName && (isItem || words.every((word) => /^\p{Lu}/u.test(word))) ? words.join('').toLowerCase() : undefined
}

/** An address of a page becomes its domain. */
function plain(part: string): string {
  return part
    .trim()
    .replaceAll(QUOTES, '')
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\.(?=.*\.)/, '')
    .replace(/[/?#].*$/, '')
}
