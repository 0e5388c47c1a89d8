/** Cursor pagination: one page, or the whole list as an async sequence that fetches pages on demand. */

/**
 * One page of a list.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 * import type { HistoryRecord, Page } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const first: Page<HistoryRecord> = await namewright.history.page({ limit: 10 })
 * if (first.nextCursor !== null) await namewright.history.page({ limit: 10, cursor: first.nextCursor })
 * ```
 */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null
}

/** The whole list. The next page is requested when the current one is used up. */
export async function* listPages<Item>(
  pageAt: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await pageAt(cursor)
    yield* items
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
