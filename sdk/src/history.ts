/** The account's history: past requests and their suggestions. */
import type { HistoryRecord, Operations } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'

/**
 * Filters for records, with limit and cursor for a page.
 *
 * @example
 * ```ts
 * import type { HistoryQuery } from '@namewright/client'
 *
 * const thisYear: HistoryQuery = { q: 'bakery', since: '2026-01-01T00:00:00Z' }
 * ```
 */
export type HistoryQuery = Operations['GET /v1/history']['query']

/**
 * The history of the account.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * for await (const { created_at, description, suggestions } of namewright.history.list({ q: 'bakery' })) {
 *   console.log(created_at, description, suggestions.map(({ name }) => name))
 * }
 * ```
 */
export interface History {
  /** All matching records, newest first. Fetches pages on demand. */
  list(query?: Omit<HistoryQuery, 'cursor'>, options?: CallOptions): AsyncIterable<HistoryRecord>
  /** One page, with the cursor of the next page. */
  page(query?: HistoryQuery, options?: CallOptions): Promise<Page<HistoryRecord>>
  get(id: string, options?: CallOptions): Promise<HistoryRecord>
  delete(id: string, options?: CallOptions): Promise<void>
  /** Deletes the whole history and returns how many records there were. This cannot be undone. */
  clear(options?: CallOptions): Promise<number>
}

export function createHistory({ ask }: Caller): History {
  async function page(query: HistoryQuery = {}, options?: CallOptions): Promise<Page<HistoryRecord>> {
    const { history, next_cursor: nextCursor } = await ask('GET /v1/history', { query }, options)
    return { items: history, nextCursor }
  }
  return {
    page,
    list: (query = {}, options = {}) => listPages((cursor) => page({ ...query, cursor }, options)),
    get: async (id, options) => (await ask('GET /v1/history/{id}', { params: { id } }, options)).record,
    async delete(id, options) {
      await ask('DELETE /v1/history/{id}', { params: { id } }, options)
    },
    clear: async (options) => (await ask('DELETE /v1/history', { query: { all: true } }, options)).deleted,
  }
}
