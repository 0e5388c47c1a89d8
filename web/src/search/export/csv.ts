/**
 * Results as a table for spreadsheets and programs: RFC 4180, in UTF-8 with a byte order mark, because some spreadsheets
 * take it for something else without one.
 *
 * Prices are whole numbers in minor units beside their currency, so that nothing is rounded or misread. A text that a
 * spreadsheet would take for a formula gets an apostrophe in front; a number never does, so that a negative one stays one.
 */
import type { Row } from './rows.ts'

type Cell = string | number | boolean | undefined

const COLUMNS: Readonly<Record<string, (row: Row) => Cell>> = {
  name: ({ name }) => name,
  domain: ({ domain }) => domain,
  state: ({ state }) => state,
  available: ({ entry }) => entry.available,
  status: ({ entry }) => entry.status,
  confidence: ({ entry }) => entry.confidence,
  sources: ({ entry }) => entry.sources?.join(' '),
  checked_at: ({ entry }) => entry.checked_at,
  price: ({ entry }) => entry.price,
  currency: ({ entry }) => entry.pricing?.currency,
  due_minor: ({ entry }) => entry.pricing?.due_minor,
  term_years: ({ entry }) => entry.pricing?.term_years,
  registration_minor: ({ entry }) => entry.pricing?.registration_minor,
  renewal_minor: ({ entry }) => entry.pricing?.renewal_minor,
  transfer_minor: ({ entry }) => entry.pricing?.transfer_minor,
  renews_at_minor: ({ entry }) => entry.pricing?.renews_at_minor,
  renewal_years: ({ entry }) => entry.pricing?.renewal_years,
  total_5y_minor: ({ entry }) => entry.pricing?.total_5y_minor,
  registrar: ({ entry }) => entry.pricing?.registrar,
  rationale: ({ rationale }) => rationale,
}

const MARK = '\u{FEFF}'

export function csvOf(rows: readonly Row[]): string {
  const lines = [Object.keys(COLUMNS), ...rows.map((row) => Object.values(COLUMNS).map((of) => of(row)))]
  return MARK + lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')
}

export function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
