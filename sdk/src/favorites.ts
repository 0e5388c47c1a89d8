/** The account's favorites: saved domains. */
import type { Favorite, FavoriteChange, FavoriteChangeRecord, FavoriteRequest, Operations } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'

/**
 * Filters for favorites, with limit and cursor for a page.
 *
 * @example
 * ```ts
 * import type { FavoriteQuery } from '@namewright/client'
 *
 * const shortlist: FavoriteQuery = { tag: 'shortlist', watch: true, limit: 50 }
 * ```
 */
export type FavoriteQuery = Operations['GET /v1/favorites']['query']

/**
 * The favorites of the account.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const { id } = await namewright.favorites.add({ domain: 'storkloom.com', tags: ['bakery'], watch: true })
 * await namewright.favorites.update(id, { note: 'ask the team' })
 * for await (const { domain, current } of namewright.favorites.list({ tag: 'bakery' })) {
 *   console.log(domain, current.available, current.price)
 * }
 * await namewright.favorites.delete(id)
 * ```
 */
export interface Favorites {
  /** Adds a favorite. A domain that is already a favorite is returned unchanged. */
  add(favorite: FavoriteRequest, options?: CallOptions): Promise<Favorite>
  /** All matching favorites, newest first. Fetches pages on demand. */
  list(query?: Omit<FavoriteQuery, 'cursor'>, options?: CallOptions): AsyncIterable<Favorite>
  /** One page, with the cursor of the next page. */
  page(query?: FavoriteQuery, options?: CallOptions): Promise<Page<Favorite>>
  get(id: string, options?: CallOptions): Promise<Favorite>
  /** Changes the given fields. */
  update(id: string, change: FavoriteChange, options?: CallOptions): Promise<Favorite>
  delete(id: string, options?: CallOptions): Promise<void>
  /** The changes of a watched favorite, newest first. Fetches pages on demand. */
  changes(id: string, options?: CallOptions): AsyncIterable<FavoriteChangeRecord>
  /** One page of changes, with the cursor of the next page. */
  changesPage(
    id: string,
    query?: Operations['GET /v1/favorites/{id}/changes']['query'],
    options?: CallOptions,
  ): Promise<Page<FavoriteChangeRecord>>
}

export function createFavorites({ ask }: Caller): Favorites {
  async function page(query: FavoriteQuery = {}, options?: CallOptions): Promise<Page<Favorite>> {
    const { favorites, next_cursor: nextCursor } = await ask('GET /v1/favorites', { query }, options)
    return { items: favorites, nextCursor }
  }
  const changesPage: Favorites['changesPage'] = async (id, query = {}, options = {}) => {
    const input = { params: { id }, query }
    const { changes, next_cursor: nextCursor } = await ask('GET /v1/favorites/{id}/changes', input, options)
    return { items: changes, nextCursor }
  }
  return {
    page,
    list: (query = {}, options = {}) => listPages((cursor) => page({ ...query, cursor }, options)),
    add: async (body, options) => (await ask('POST /v1/favorites', { body }, options)).favorite,
    get: async (id, options) => (await ask('GET /v1/favorites/{id}', { params: { id } }, options)).favorite,
    update: async (id, body, options) =>
      (await ask('PATCH /v1/favorites/{id}', { params: { id }, body }, options)).favorite,
    async delete(id, options) {
      await ask('DELETE /v1/favorites/{id}', { params: { id } }, options)
    },
    changes: (id, options = {}) => listPages((cursor) => changesPage(id, { cursor }, options)),
    changesPage,
  }
}
