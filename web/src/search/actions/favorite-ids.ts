/**
 * Which domains are favorites of the account: one request for all hearts on the page.
 *
 * Only the newest thousand are known: an older heart looks empty, and filling it finds the stored favorite.
 */
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { Namewright } from '@namewright/client'

/** From domain to id. An id is empty while it is being saved. */
export type FavoriteIds = Readonly<Record<string, string>>

const PAGE = 100
const MOST = 1_000

export function favoriteIdsQuery(account: string | undefined, client: Namewright | undefined) {
  return queryOptions({
    queryKey: ['favorites', account, 'ids'],
    queryFn: account === undefined || client === undefined ? skipToken : async ({ signal }) => listIds(client, signal),
    staleTime: 60_000,
  })
}

async function listIds(client: Namewright, signal: AbortSignal): Promise<FavoriteIds> {
  const ids: Record<string, string> = {}
  let count = 0
  for await (const { id, domain } of client.favorites.list({ limit: PAGE }, { signal })) {
    ids[domain] = id
    if (++count === MOST) break
  }
  return ids
}
