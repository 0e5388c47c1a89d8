/** The favorites of the current account, page by page, and what has changed of them. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import type { Favorite, FavoriteChange, FavoriteQuery, Namewright, Page } from '@namewright/client'
import { faultText } from '../ui/fault.tsx'
import { showToast } from '../ui/toast.tsx'
import { useClient } from './client.ts'
import { useAccount } from './session.ts'

export type FavoriteFilter = Pick<FavoriteQuery, 'q' | 'tag' | 'watch' | 'changed_since'>
type Pages = InfiniteData<Page<Favorite>, string | undefined>

const LIMIT = 50
/** More than this is "99+" on a badge. */
const COUNTED = 100

export const favoritesQuery = (client: Namewright | undefined, account: string, filter: FavoriteFilter) =>
  infiniteQueryOptions({
    queryKey: ['favorites', account, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      present(client).favorites.page({ ...filter, limit: LIMIT, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: client !== undefined,
  })

/** The ids of those that have changed since then. */
export const changedQuery = (client: Namewright | undefined, account: string, since: string | undefined) =>
  queryOptions({
    queryKey: ['favorites', account, 'changed', since],
    queryFn: async ({ signal }) => {
      const page = await present(client).favorites.page({ changed_since: since, limit: COUNTED }, { signal })
      return page.items.map(({ id }) => id)
    },
    enabled: client !== undefined && since !== undefined,
    staleTime: 60_000,
  })

export const changesQuery = (client: Namewright | undefined, id: string) =>
  infiniteQueryOptions({
    queryKey: ['favorite-changes', id],
    queryFn: ({ pageParam, signal }) => present(client).favorites.changesPage(id, { cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: client !== undefined,
  })

/** Shown at once, and put back with a word when the service refuses. */
export function useChangeFavorite(id: string) {
  const queries = useQueryClient()
  const client = useClient()
  const account = useAccount()?.id ?? ''
  const key = ['favorites', account, 'list']
  const show = (change: Partial<Favorite>) =>
    queries.setQueriesData<Pages>({ queryKey: key }, (data) =>
      mapFavorites(data, (favorite) => (favorite.id === id ? { ...favorite, ...change } : favorite)),
    )
  return useMutation({
    mutationFn: (change: FavoriteChange) => present(client).favorites.update(id, change),
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: key })
      const before = queries.getQueriesData<Pages>({ queryKey: key })
      show(definedOf(change))
      return before
    },
    onError: (error, _change, before = []) => {
      for (const [queryKey, data] of before) queries.setQueryData(queryKey, data)
      showToast({ kind: 'failed', text: faultText(error) })
    },
    onSuccess: (favorite) => show(favorite),
  })
}

/** Removes it from every list on the page; the caller sends the request. */
export function useForgetFavorite(): (id: string) => Promise<void> {
  const queries = useQueryClient()
  const account = useAccount()?.id ?? ''
  return async (id) => {
    queries.setQueriesData<Pages>({ queryKey: ['favorites', account, 'list'] }, (data) =>
      data === undefined
        ? undefined
        : {
            ...data,
            pages: data.pages.map((page) => ({ ...page, items: page.items.filter((one) => one.id !== id) })),
          },
    )
    await queries.invalidateQueries({ queryKey: ['favorites', account] })
  }
}

function mapFavorites(data: Pages | undefined, map: (favorite: Favorite) => Favorite): Pages | undefined {
  return data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(map) })) }
}

/** Without those that are undefined: they are not changed. */
function definedOf(change: FavoriteChange): Partial<Favorite> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function present(client: Namewright | undefined): Namewright {
  if (!client) throw new Error('nobody is signed in')
  return client
}
