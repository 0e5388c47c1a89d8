/**
 * Reads a CSV file of descriptions as requests. The first row names the columns, which are the fields of the API.
 *
 * All rows are validated before anything is sent, because a batch is charged.
 */
import type { GenerateRequest } from '../../sdk/src/api-types.ts'
import { parseCsv } from './csv.ts'
import { usageError } from './exit.ts'
import { didYouMean } from './nearest.ts'
import { withoutGaps } from './request.ts'

export interface BatchRow {
  /** The user's own id, copied to the results. */
  readonly id: string | undefined
  readonly request: GenerateRequest
}

type Reader = (text: string) => unknown

const words: Reader = (text) => split(text, /[\s,;|]+/)
const phrases: Reader = (text) => split(text, /[,;|]+/)
const plain: Reader = (text) => text
const upper: Reader = (text) => text.toUpperCase()
const integer: Reader = (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined)
const number: Reader = (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined)
const yesNo: Reader = (text) => {
  if (/^(?:true|yes|1)$/i.test(text)) return true
  return /^(?:false|no|0)$/i.test(text) ? false : undefined
}

/** A reader returns undefined for an invalid value. */
const FIELDS: Readonly<Record<string, Reader>> = {
  description: plain,
  count: integer,
  tlds: words,
  language: plain,
  styles: words,
  include_words: phrases,
  exclude_words: phrases,
  min_length: integer,
  max_length: integer,
  hyphens: yesNo,
  digits: yesNo,
  country: upper,
  currency: upper,
  max_price: number,
  max_price_5y: number,
  premium: yesNo,
  variants: yesNo,
  like: phrases,
  unlike: phrases,
  seed: integer,
}

const MAX_PROBLEMS = 5

/** `defaults` apply to fields that a row leaves empty. */
export function readBatchRows(text: string, name: string, defaults: GenerateRequest): BatchRow[] {
  const [header = [], ...rows] = parseCsv(text, name)
  const columns = header.map((title) =>
    title
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  checkColumns(columns, name)
  if (rows.length === 0) throw usageError(`${name} has no rows below the header row.`)
  const problems: string[] = []
  const read = rows.map((cells, i): BatchRow => {
    const given: Record<string, unknown> = {}
    const at = `row ${i + 1}`
    if (cells.length > columns.length) problems.push(`${at}: more cells than columns`)
    let id: string | undefined
    for (const [c, column] of columns.entries()) {
      const cell = (cells[c] ?? '').trim()
      if (column === 'id') id = cell
      else if (cell !== '') {
        given[column] = FIELDS[column]?.(cell)
        if (given[column] === undefined) problems.push(`${at}: invalid ${column} “${cell}”`)
      }
    }
    if (given['description'] === undefined) problems.push(`${at}: no description`)
    return { id, request: withoutGaps({ ...defaults, ...given }) }
  })
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS
    const shown = problems.slice(0, MAX_PROBLEMS).join('; ')
    throw usageError(`${name}: ${shown}${more > 0 ? `; and ${more} more` : ''}.`, 'Nothing was sent.')
  }
  return read
}

function checkColumns(columns: readonly string[], name: string): void {
  const known = [...Object.keys(FIELDS), 'id']
  const unknown = columns.find((column) => !known.includes(column))
  if (unknown !== undefined)
    throw usageError(
      `${name}: unknown column “${unknown}”. Valid columns: ${known.join(', ')}.`,
      didYouMean(unknown, known) ?? 'The first row must contain the column names.',
    )
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice !== undefined) throw usageError(`${name}: the column “${twice}” appears twice.`)
  if (!columns.includes('description')) throw usageError(`${name}: the column “description” is missing.`)
}

function split(text: string, at: RegExp): string[] {
  return text
    .split(at)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
