/** The routes of /v1/favorites. */
import { answer, found, noContent, route, token } from '../../http/route.ts'
import { isUuid } from '../../model/id.ts'
import { ById, NoContent } from '../../http/wire/schemas.ts'
import { look, newFavorite, parseDraft, shown, shownChange } from './favorite.ts'
import {
  changesOf,
  deleteFavorite,
  favoritesLike,
  favoriteOf,
  favoriteWith,
  insertFavorite,
  updateFavorite,
} from './rows.ts'
import {
  ChangesQuery,
  FavoriteBody,
  FavoriteChange,
  FavoriteChangePage,
  FavoriteOne,
  FavoritePage,
  FavoriteQuery,
} from './schemas.ts'

// One name, with a person waiting: the same deadline as for a page of names.
const DEADLINE_MS = 2_500

export const addFavorite = route({
  method: 'POST',
  path: '/v1/favorites',
  id: 'addFavorite',
  summary: 'Add to favorites',
  description:
    'Saves a domain with its current availability and price. If the domain is already saved, the response is 200 with the stored favorite.',
  access: token('favorites:write'),
  load: { priority: 'critical' },
  idempotent: { withinMs: DEADLINE_MS },
  retryOn: 'favorite_domain', // of two callers at once the loser runs again and finds the row
  body: FavoriteBody,
  replies: { 200: FavoriteOne, 201: FavoriteOne },
  async run(ask, app) {
    const draft = parseDraft(ask.body, app.prices)
    const stored = await ask.find(favoriteOf(draft.domain))
    if (stored) return answer(200, { favorite: shown(stored, app.prices) }, [], at(stored))
    const { accountId, keyId } = ask.caller
    const seen = await look(app, draft, { deadlineMs: DEADLINE_MS, fairnessKey: accountId, signal: ask.signal })
    const row = newFavorite(draft, seen, app.now())
    return answer(201, { favorite: shown(row, app.prices) }, [insertFavorite(row, keyId)], at(row))
  },
})

const at = ({ id }: { readonly id: string }) => ({ location: `/v1/favorites/${id}` })

const listFavorites = route({
  method: 'GET',
  path: '/v1/favorites',
  id: 'listFavorites',
  summary: 'Get the favorites list',
  description: 'Lists the favorites of the account, newest first, with pagination.',
  access: token('favorites:read'),
  query: FavoriteQuery,
  replies: { 200: FavoritePage },
  async run(ask, { prices }) {
    const rows = await ask.list('favorites', (window) => favoritesLike(ask.query, window))
    return answer(200, { favorites: rows.map((row) => shown(row, prices)), next_cursor: ask.next })
  },
})

const getFavorite = route({
  method: 'GET',
  path: '/v1/favorites/{id}',
  id: 'getFavorite',
  summary: 'Get one favorite',
  description: 'Returns one favorite: its state when it was saved, and its latest known state.',
  access: token('favorites:read'),
  params: ById,
  replies: { 200: FavoriteOne },
  async run(ask, { prices }) {
    const { id } = ask.params
    const row = found(isUuid(id) ? await ask.find(favoriteWith(id)) : undefined)
    return answer(200, { favorite: shown(row, prices) })
  },
})

const listFavoriteChanges = route({
  method: 'GET',
  path: '/v1/favorites/{id}/changes',
  id: 'listFavoriteChanges',
  summary: 'List the changes of one favorite',
  description: 'Lists every change of availability and price since watching began, newest first, with pagination.',
  access: token('favorites:read'),
  params: ById,
  query: ChangesQuery,
  replies: { 200: FavoriteChangePage },
  async run(ask) {
    const { id } = ask.params
    found(isUuid(id) ? await ask.find(favoriteWith(id)) : undefined)
    const rows = await ask.list('changes', (window) => changesOf(id, window), { id })
    return answer(200, { changes: rows.map(shownChange), next_cursor: ask.next })
  },
})

const changeFavorite = route({
  method: 'PATCH',
  path: '/v1/favorites/{id}',
  id: 'changeFavorite',
  summary: 'Change one favorite',
  description: 'Changes the name, note, tags or watch flag of a favorite. Omitted fields keep their values.',
  access: token('favorites:write'),
  load: { priority: 'critical' },
  params: ById,
  body: FavoriteChange,
  replies: { 200: FavoriteOne },
  async run(ask, { prices }) {
    const { id } = ask.params
    const row = found(isUuid(id) ? await ask.write(updateFavorite(id, ask.body)) : undefined)
    return answer(200, { favorite: shown(row, prices) })
  },
})

const removeFavorite = route({
  method: 'DELETE',
  path: '/v1/favorites/{id}',
  id: 'deleteFavorite',
  summary: 'Delete one favorite',
  description: 'Deletes a favorite and its change log, and stops watching it.',
  access: token('favorites:write'),
  load: { priority: 'critical' },
  params: ById,
  replies: { 204: NoContent },
  async run(ask) {
    const { id } = ask.params
    found(isUuid(id) ? await ask.write(deleteFavorite(id)) : undefined)
    return noContent
  },
})

export const routes = [addFavorite, listFavorites, getFavorite, listFavoriteChanges, changeFavorite, removeFavorite]
