/** What happened to the security of an account, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

export interface SecurityEvent {
  readonly id: string
  readonly created_at: string
  readonly action: string
  readonly actor: { readonly id: string; readonly name: string | null } | null
  /** What they came with: a session, or a key or token by its kind. Null where the service acted by itself. */
  readonly credential: { readonly kind: string; readonly id: string | null; readonly name: string | null } | null
  readonly application: { readonly client_id: string; readonly name: string | null } | null
  readonly ip: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

interface Page {
  readonly security_events: readonly SecurityEvent[]
  readonly next_cursor: string | null
}

export const auditQuery = (account: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', account],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '100', ...(pageParam === '' ? {} : { cursor: pageParam }) })
      return askSettings<Page>(`/settings/accounts/${account}/security-events?${query.toString()}`, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })
