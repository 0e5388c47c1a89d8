/** What came of a batch, as rows: one for each domain, and one for each request that has none. */
import type { BatchItem, DomainEntry } from '../api-types.ts'
import type { Column } from './output.ts'
import { verdictOf } from './verdict.ts'

export interface ResultRow {
  /** From 1, as people count. */
  readonly row: number
  readonly id?: string | undefined
  readonly description?: string | undefined
  readonly name?: string | undefined
  readonly entry?: DomainEntry | undefined
  readonly error?: string | undefined
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
]

/** Of a file: whose row it is, too. */
export const FILE_COLUMNS: readonly Column<ResultRow>[] = [
  ...RESULT_COLUMNS.slice(0, 1),
  { name: 'id', value: ({ id }) => id },
  { name: 'description', value: ({ description }) => description },
  ...RESULT_COLUMNS.slice(1),
]

export function rowsOfItem(item: BatchItem, about: Pick<ResultRow, 'row' | 'id' | 'description'>): ResultRow[] {
  if (item.status === 'error') {
    const fields = item.error.errors?.map(({ pointer, message }) => `${pointer}: ${message}`) ?? []
    return [{ ...about, error: [`${item.error.code}: ${item.error.message}`, ...fields].join(' ') }]
  }
  const rows = item.data.suggestions.flatMap(({ name, domains }) => domains.map((entry) => ({ ...about, name, entry })))
  return rows.length > 0 ? rows : [{ ...about, error: `no names: ${item.data.shortfall?.reason ?? 'none'}` }]
}

export function hasNames(item: BatchItem): boolean {
  return item.status === 'success' && item.data.suggestions.length > 0
}
