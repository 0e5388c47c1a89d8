/**
 * Every row of a list, read a page at a time, so that an account of any size passes through a small memory.
 *
 * A page is a transaction of its own and begins behind the last key of the page before it: nothing is held open while
 * the reader is slow, and somebody who stops being a member in the middle of it gets no further page.
 */
import type { Acting, Db, Statement } from './db.ts'

/** What a capability holds of an account, by kind. */
export type Exported = Readonly<Record<string, AsyncIterable<object>>>

/** Below every id there is: where a walk in the order of ids begins. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

// Rows of history are the largest, some ten kilobytes each: a page of them is about a megabyte.
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
