/**
 * Suggestions as a grid: a row for each name, a column for each suffix, and the verdict of the domain in each cell.
 *
 * Suffixes that do not fit the width are counted in a last column.
 */
import type { DomainEntry, Suggestion } from '../../sdk/src/api-types.ts'
import { clean } from './clean.ts'
import { handlesCell } from './handles.ts'
import type { Paint } from './paint.ts'
import type { Cell, Heading } from './table.ts'
import { tableLines } from './table.ts'
import { priceText, renewalOf, verdictOf } from './verdict.ts'
import { widthOf } from './width.ts'

const WIDEST_NAME = 24
// Of a text that was asked for: it takes the place of suffixes.
const NARROWEST_TEXT = 16
const GAP = 2

export function gridLines(
  suggestions: readonly Suggestion[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const suffixes = [...new Set(suggestions.flatMap(({ domains }) => domains.map(suffixIn)))]
  const rows = suggestions.map(({ name, domains, rationale, handles }) => {
    const bySuffix = new Map(domains.map((entry) => [suffixIn(entry), entry]))
    return { name, entries: suffixes.map((suffix) => bySuffix.get(suffix)), rationale, handles }
  })
  const widths = suffixes.map((suffix, i) =>
    Math.max(widthOf(`.${suffix}`), ...rows.map(({ name, entries }) => widthOf(cellOf(name, entries[i]).text))),
  )
  const nameWidth = Math.min(WIDEST_NAME, Math.max(4, ...rows.map(({ name }) => widthOf(clean(name)))))
  const hasReasons = rows.some(({ rationale }) => rationale !== undefined)
  const hasHandles = rows.some(({ handles }) => handles !== undefined)
  const others = (Number(hasReasons) + Number(hasHandles)) * (NARROWEST_TEXT + GAP)
  const shown = columnsThatFit(widths, width - nameWidth - GAP - others)
  const hasMore = shown < suffixes.length
  const headings: Heading[] = [
    { title: 'name', shrinks: true },
    ...suffixes.slice(0, shown).map((suffix) => ({ title: `.${suffix}` })),
    ...(hasMore ? [{ title: `+${suffixes.length - shown}` }] : []),
    ...(hasReasons ? [{ title: 'why', shrinks: true }] : []),
    ...(hasHandles ? [{ title: 'elsewhere', shrinks: true }] : []),
  ]
  const lines = rows.map(({ name, entries, rationale = '', handles }): Cell[] => [
    { text: name, colour: 'bold' },
    ...entries.slice(0, shown).map((entry) => cellOf(name, entry)),
    ...(hasMore ? [moreOf(entries.slice(shown))] : []),
    ...(hasReasons ? [{ text: rationale }] : []),
    ...(hasHandles ? [handlesCell(handles)] : []),
  ])
  return tableLines(headings, lines, { width, paint })
}

// The width of the last column, “9 free”, with its gap.
const MORE = 8

function columnsThatFit(widths: readonly number[], room: number): number {
  let taken = 0
  for (const [i, one] of widths.entries()) {
    taken += one + GAP
    if (taken - GAP + (i < widths.length - 1 ? MORE : 0) > room) return Math.max(1, i)
  }
  return widths.length
}

function cellOf(name: string, entry: DomainEntry | undefined): Cell {
  if (entry === undefined) return { text: '' }
  const { symbol, word, colour } = verdictOf(entry)
  const isOffered = entry.available || entry.status === 'premium'
  // The label differs from the name in a variant or a domain hack: show it, too.
  const label = labelIn(entry)
  const isOther = label !== name.toLowerCase().replace(/[^\p{L}\p{N}-]/gu, '')
  return {
    text: `${symbol} ${isOffered ? costOf(entry) : word}${isOther && isOffered ? ` ${label}` : ''}`,
    colour,
  }
}

/** Also what a renewal costs, where that is another price. */
function costOf({ price, pricing }: DomainEntry): string {
  const renewal = renewalOf(price, pricing)
  const text = priceText(price, pricing?.term_years)
  return renewal === '' || renewal === price ? text : `${text}, then ${renewal}`
}

function moreOf(entries: readonly (DomainEntry | undefined)[]): Cell {
  const free = entries.filter((entry) => entry?.available === true).length
  return free === 0 ? { text: '' } : { text: `${free} free`, colour: 'green' }
}

function labelIn({ domain }: DomainEntry): string {
  return domain.slice(0, domain.indexOf('.'))
}

function suffixIn({ domain }: DomainEntry): string {
  return domain.slice(domain.indexOf('.') + 1)
}
