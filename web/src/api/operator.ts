/** The operator API. The sources are those of the node that happens to answer. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { askSettings, type Data } from './settings.ts'
import type { Operations } from './settings-types.ts'

const accountPath = (id: string) => `/settings/operator/accounts/${encodeURIComponent(id)}`

export async function changeLimits(id: string, limits: Operations['changeLimits']['body']): Promise<void> {
  await askSettings(`${accountPath(id)}/limits`, { method: 'PUT', body: limits })
}

export async function suspendAccount(id: string, reason: string): Promise<void> {
  await askSettings(`${accountPath(id)}/suspend`, { method: 'POST', body: reason === '' ? {} : { reason } })
}

export async function resumeAccount(id: string): Promise<void> {
  await askSettings(`${accountPath(id)}/resume`, { method: 'POST', body: {} })
}

export const sourcesQuery = queryOptions({
  queryKey: ['operator', 'sources'],
  queryFn: async ({ signal }) =>
    (await askSettings<Data<'listSources'>>('/settings/operator/sources', { signal })).sources,
  // Only while the page can be seen.
  refetchInterval: 10_000,
  refetchIntervalInBackground: false,
})

export const operatorAccountsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'accounts', q],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(q === '' ? {} : { q }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      })
      return askSettings<Data<'listOperatedAccounts'>>(`/settings/operator/accounts?${query.toString()}`, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })
