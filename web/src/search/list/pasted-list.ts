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
  /** As they were written, where most of them are names and not domains. */
  readonly names?: readonly string[]
}

/**
 * A list is several domains, parted by spaces, commas or lines; or several lines, most of them with a domain or a name on
 * each, also numbered or with a note. Everything else is a description. Names are checked under `suffixes`.
 */
export function pastedList(text: string, suffixes: readonly string[]): PastedList | undefined {
  const found = inLines(text) ?? inOneLine(text)
  if (found === undefined) return undefined
  const { entries, others } = found
  const words = entries.filter(({ label }) => !DOMAIN.test(label))
  const all = entries.flatMap(({ label }) =>
    DOMAIN.test(label) ? [label] : suffixes.map((suffix) => `${label}.${suffix}`),
  )
  const domains = [...new Set(all)]
  return {
    domains: domains.slice(0, MOST_LISTED),
    hasWords: words.length > 0,
    left: Math.max(0, domains.length - MOST_LISTED),
    others,
    ...(words.length * 2 > entries.length ? { names: [...new Set(entries.map(({ name }) => name))] } : {}),
  }
}

interface Entry {
  readonly name: string
  /** A label without its suffix, or a whole domain. */
  readonly label: string
}

interface Found {
  readonly entries: readonly Entry[]
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
  const parts = text.split(/[\s,;、，،]+/)
  const domains = parts.map(plain).filter(Boolean)
  if (domains.length < 2 || !domains.every((domain) => DOMAIN.test(domain))) return undefined
  return { entries: domains.map((domain) => ({ name: domain, label: domain })), others: [] }
}

/** The names on a line; none when something else stands there. */
function entriesOf(line: string): readonly Entry[] {
  const bare = line.replace(BULLET, '').trim()
  const head = bare.replace(NOTE, '')
  const isItem = BULLET.test(line) || head !== bare
  const parts = head.split(BETWEEN).filter((part) => plain(part) !== '')
  const entries = parts.flatMap((part) => entryOf(part, isItem) ?? [])
  return entries.length === parts.length ? entries : []
}

/** Several words are a name where a list says so, or where each begins with a capital letter. */
function entryOf(part: string, isItem: boolean): Entry | undefined {
  const label = plain(part)
  if (DOMAIN.test(label)) return { name: label, label }
  const name = part.trim().replaceAll(QUOTES, '')
  if (WORD.test(label)) return { name: WORD.test(name) ? name : label, label }
  const words = name.split(/\s+/)
  const isName = words.length <= MOST_WORDS && words.every((word) => WORD.test(word))
  if (!isName || !(isItem || words.every((word) => /^\p{Lu}/u.test(word)))) return undefined
  return { name: words.join(' '), label: words.join('').toLowerCase() }
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
