/** The operator API. The sources are those of the node that happens to answer. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

export interface Source {
  readonly name: string
  readonly kind: 'registry' | 'registrar' | 'dns' | 'index' | 'namespace' | 'cache' | 'language_model'
  readonly state: 'well' | 'slow' | 'unreliable' | 'failing' | 'resting' | 'off'
  readonly asked: number
  readonly answered: number
  readonly failed: number
  readonly last_answer_at: string | null
  readonly detail: string | null
}

export interface AccountTotals {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly is_visitors: boolean
  readonly people: number
  readonly keys: number
  readonly used_today: number
  readonly used_month: number
  readonly last_used_at: string | null
  readonly limits: AccountLimits
  readonly suspended: { readonly at: string; readonly reason: string | null } | null
}

/** Null is unlimited. */
export interface AccountLimits {
  readonly names_per_day: number | null
  readonly names_per_month: number | null
  readonly requests_per_minute: number | null
  readonly checks_per_day: number | null
  readonly keys: number | null
  readonly webhooks: number | null
  readonly applications: number | null
  readonly running_batches: number | null
  readonly open_streams: number | null
  readonly history_bytes: number | null
  readonly batch_bytes: number | null
  readonly answer_bytes: number | null
  readonly favorites: number | null
}

const accountPath = (id: string) => `/settings/operator/accounts/${encodeURIComponent(id)}`

export async function changeLimits(id: string, limits: AccountLimits): Promise<void> {
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
    (await askSettings<{ sources: readonly Source[] }>('/settings/operator/sources', { signal })).sources,
  // Only while the page can be seen.
  refetchInterval: 10_000,
  refetchIntervalInBackground: false,
})

interface AccountsPage {
  readonly accounts: readonly AccountTotals[]
  readonly next_cursor: string | null
}

export const operatorAccountsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'accounts', q],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(q === '' ? {} : { q }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      })
      return askSettings<AccountsPage>(`/settings/operator/accounts?${query.toString()}`, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })
