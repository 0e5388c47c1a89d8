/**
 * CSV by RFC 4180, both ways.
 *
 * Written, a text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return) gets
 * an apostrophe before it (CWE-1236): descriptions and notes come from others. Numbers are written as numbers, so that a
 * negative one stays one.
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

/** Rows of cells. Takes CRLF and LF, and a byte order mark; an empty line is no row. */
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
    else if (wasQuoted) throw usageError(`${name}, line ${line}: something follows the end of a quoted cell`)
    else cell += one
  }
  if (openedAt > 0) throw usageError(`${name}, line ${openedAt}: a quote is opened and never closed`)
  endRow()
  return rows
}
