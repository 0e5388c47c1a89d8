/**
 * CSV by RFC 4180, both ways.
 *
 * Text that a spreadsheet would run as a formula (it starts with = + - @, a tab or a carriage return) is written with a
 * leading apostrophe (CWE-1236), because descriptions and notes are untrusted. Numbers are written unchanged.
 */
import { cleanCell } from './clean.ts'
import { usageError } from './exit.ts'

export type CsvValue = string | number | boolean | null | undefined

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}

function cellOf(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = cleanCell(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Parses rows of cells. Accepts CRLF, LF and a byte order mark; skips empty lines. */
export function parseCsv(text: string, name: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let line = 1
  let openedAt = 0
  let wasQuoted = false
  const source = text.replace(/^\ufeff/, '')
  const endCell = () => {
    row.push(cell)
    cell = ''
    wasQuoted = false
  }
  const endRow = () => {
    const isEmpty = row.length === 0 && cell === '' && !wasQuoted
    if (!isEmpty) {
      endCell()
      rows.push(row)
    }
    row = []
  }
  for (let at = 0; at < source.length; at++) {
    const one = source[at]
    if (one === '\n') line++
    if (openedAt > 0) {
      if (one !== '"') cell += one
      else if (source[at + 1] === '"') cell += source[++at]
      else openedAt = 0
    } else if (one === '"') {
      if (cell !== '' || wasQuoted) throw usageError(`${name}, line ${line}: a quote in the middle of a cell`)
      openedAt = line
      wasQuoted = true
    } else if (one === ',') endCell()
    else if (one === '\n') endRow()
    else if (one === '\r' && source[at + 1] === '\n') continue
    else if (wasQuoted) throw usageError(`${name}, line ${line}: text after the closing quote of a cell`)
    else cell += one
  }
  if (openedAt > 0) throw usageError(`${name}, line ${openedAt}: a quoted cell is not closed`)
  endRow()
  return rows
}
