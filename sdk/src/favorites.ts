/** The domains that were put aside: the account's favorites. */
import type { Favorite, FavoriteChange, FavoriteChangeRecord, FavoriteRequest, Operations } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'

/**
 * Which favorites, and for a page which part of them.
 *
 * @example
 * ```ts
 * import type { FavoriteQuery } from 'namewright'
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
 * import { createNamewright } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const { id } = await namewright.favorites.add({ domain: 'storkloom.com', tags: ['bakery'], watch: true })
 * await namewright.favorites.update(id, { note: 'ask the others' })
 * for await (const { domain, current } of namewright.favorites.list({ tag: 'bakery' })) {
 *   console.log(domain, current.available, current.price)
 * }
 * await namewright.favorites.delete(id)
 * ```
 */
export interface Favorites {
  /** Adds one. A domain that is there already is returned as it is stored. */
  add(favorite: FavoriteRequest, options?: CallOptions): Promise<Favorite>
  /** All that fit, newest first; pages are fetched as they are read. */
  list(query?: Omit<FavoriteQuery, 'cursor'>, options?: CallOptions): AsyncIterable<Favorite>
  /** One page, and where the next begins. */
  page(query?: FavoriteQuery, options?: CallOptions): Promise<Page<Favorite>>
  get(id: string, options?: CallOptions): Promise<Favorite>
  /** What is not named stays as it is. */
  update(id: string, change: FavoriteChange, options?: CallOptions): Promise<Favorite>
  delete(id: string, options?: CallOptions): Promise<void>
  /** What has changed of one that is watched, newest first; pages are fetched as they are read. */
  changes(id: string, options?: CallOptions): AsyncIterable<FavoriteChangeRecord>
  /** One page of it, and where the next begins. */
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
