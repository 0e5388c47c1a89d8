/** What was searched before, and through what: keys and applications by their names. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { HistoryQuery, Namewright } from '@namewright/client'
import { askSettings } from './settings.ts'

export type HistoryFilter = Pick<HistoryQuery, 'q' | 'since' | 'until' | 'key_id'>

export const historyQuery = (client: Namewright | undefined, account: string, filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: ['history', account, filter],
    queryFn: ({ pageParam, signal }) => present(client).history.page({ ...filter, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: client !== undefined,
  })

/** How long the account keeps its history: null is for ever, and 0 not at all. */
export const historyDaysQuery = (account: string) =>
  queryOptions({
    queryKey: ['history-days', account],
    queryFn: async ({ signal }) => {
      const path = `/settings/accounts/${account}`
      return (await askSettings<{ account: { history_days: number | null } }>(path, { signal })).account.history_days
    },
  })

export interface Origin {
  readonly id: string
  readonly name: string
  /** This app itself. */
  readonly isWeb: boolean
}

interface Credentials {
  readonly keys: readonly { readonly id: string; readonly name: string }[]
  readonly grants: readonly { readonly id: string; readonly name: string; readonly client_id: string }[]
}

const WEB_CLIENT = 'namewright-web'

/** Everything through which names can have been asked for. */
export const originsQuery = (account: string) =>
  queryOptions({
    queryKey: ['history-origins', account],
    queryFn: async ({ signal }): Promise<readonly Origin[]> => {
      const ask = <Data>(list: string) => askSettings<Data>(`/settings/accounts/${account}/${list}`, { signal })
      const [{ keys }, { grants }] = await Promise.all([
        ask<Pick<Credentials, 'keys'>>('keys'),
        ask<Pick<Credentials, 'grants'>>('grants'),
      ])
      return [
        ...grants.map(({ id, name, client_id }) => ({ id, name, isWeb: client_id === WEB_CLIENT })),
        ...keys.map(({ id, name }) => ({ id, name, isWeb: false })),
      ]
    },
    staleTime: 60_000,
  })

function present(client: Namewright | undefined): Namewright {
  if (!client) throw new Error('nobody is signed in')
  return client
}
