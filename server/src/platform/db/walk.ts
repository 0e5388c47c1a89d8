/**
 * Reads every row of a list, a page at a time, so that an account of any size fits into little memory.
 *
 * Each page is its own transaction and starts after the last key of the previous page: no transaction stays open while
 * the reader is slow, and a person who loses membership midway gets no further page.
 */
import type { Acting, Db, Statement } from './db.ts'

/** An account's data in one module, by kind. */
export type Exported = Readonly<Record<string, AsyncIterable<object>>>

/** Below every id: the start of a walk in the order of ids. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

// History rows are the largest, some ten kilobytes each: a page of them is about a megabyte.
const PAGE_ROWS = 100

export async function* walk<Row extends object>(
  db: Db,
  acting: Acting,
  pageAfter: (last: Row | undefined, limit: number) => Statement<Row>,
): AsyncGenerator<Row> {
  let last: Row | undefined
  do {
    const [page] = await db.as(acting, [pageAfter(last, PAGE_ROWS)])
    yield* page.rows
    last = page.rows.length < PAGE_ROWS ? undefined : page.rows.at(-1)
  } while (last)
}
