/** The results of a batch as rows: one for each domain, and one for each request without domains. */
import type { BatchItem, DomainEntry } from '../../sdk/src/api-types.ts'
import type { Column } from './output.ts'
import { verdictOf } from './verdict.ts'

export interface ResultRow {
  /** From 1. */
  readonly row: number
  readonly id?: string | undefined
  readonly description?: string | undefined
  readonly name?: string | undefined
  readonly entry?: DomainEntry | undefined
  readonly error?: string | undefined
  /** The outcome of its request. */
  readonly outcome: BatchItem['outcome']
}

export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  { name: 'row', value: ({ row }) => row, heading: { title: 'row', align: 'right' } },
  { name: 'name', value: ({ name }) => name, heading: { title: 'name', shrinks: true } },
  { name: 'domain', value: ({ entry }) => entry?.domain, heading: { title: 'domain', shrinks: 'in the middle' } },
  {
    name: 'available',
    value: ({ entry }) => entry?.available,
    heading: { title: 'verdict' },
    cell: ({ entry }) => {
      if (!entry) return { text: '' }
      const { symbol, word, colour } = verdictOf(entry)
      return { text: `${symbol} ${word}`, colour }
    },
  },
  { name: 'price', value: ({ entry }) => entry?.price, heading: { title: 'price', align: 'right' } },
  { name: 'error', value: ({ error }) => error, heading: { title: 'error', shrinks: true } },
  { name: 'outcome', value: ({ outcome }) => outcome },
]

/** With the id and description of the row in the input file. */
export const FILE_COLUMNS: readonly Column<ResultRow>[] = [
  ...RESULT_COLUMNS.slice(0, 1),
  { name: 'id', value: ({ id }) => id },
  { name: 'description', value: ({ description }) => description },
  ...RESULT_COLUMNS.slice(1),
]

export function rowsOfItem(item: BatchItem, of: Pick<ResultRow, 'row' | 'id' | 'description'>): ResultRow[] {
  const about = { ...of, outcome: item.outcome }
  if (item.status === 'error') {
    const fields = item.error.errors?.map(({ pointer, message }) => `${pointer}: ${message}`) ?? []
    return [{ ...about, error: [`${item.error.code}: ${item.error.message}`, ...fields].join(' ') }]
  }
  const rows = item.data.suggestions.flatMap(({ name, domains }) => domains.map((entry) => ({ ...about, name, entry })))
  if (rows.length > 0) return rows
  const { reason = 'none', retry_after } = item.data.shortfall ?? {}
  const retry = retry_after === undefined ? '' : `, try again in ${retry_after} s`
  return [{ ...about, error: `no names: ${reason}${retry}` }]
}

export function hasNames(item: BatchItem): boolean {
  return item.status === 'success' && item.data.suggestions.length > 0
}
