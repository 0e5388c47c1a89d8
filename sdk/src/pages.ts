/** Lists that come in pages: one page at a time, or all of it as one sequence that fetches as it is read. */

/**
 * One page of a list.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
 * import type { HistoryRecord, Page } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const first: Page<HistoryRecord> = await namewright.history.page({ limit: 10 })
 * if (first.nextCursor !== null) await namewright.history.page({ limit: 10, cursor: first.nextCursor })
 * ```
 */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null on the last one. */
  readonly nextCursor: string | null
}

/** The whole list, a page at a time; the next page is asked for when this one is used up. */
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
