/** What happened to the doors of an account, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

export interface SecurityEvent {
  readonly id: string
  readonly created_at: string
  /** One of the actions that `settings/audit/actions.ts` has words for. */
  readonly action: string
  readonly actor: { readonly id: string; readonly name: string | null } | null
  readonly ip: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

interface Page {
  readonly security_events: readonly SecurityEvent[]
  readonly next_cursor: string | null
}

// Kinds are told apart here, so a page should have some of each.
const LIMIT = 100

export const auditQuery = (account: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', account],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(LIMIT), ...(pageParam === '' ? {} : { cursor: pageParam }) })
      return askSettings<Page>(`/settings/accounts/${account}/security-events?${query.toString()}`, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })
