/** What happened to the security of an account, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { askSettings, refusalOf, send } from './settings.ts'
import type { Refused } from './settings.ts'

export interface SecurityEvent {
  readonly id: string
  readonly created_at: string
  /** One of the actions that `settings/audit/actions.ts` has words for. */
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

// Events are filtered by kind here, so a page should have some of each.
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

export type AuditFormat = 'csv' | 'ndjson'

/** The whole log; the answer is the file itself, without an envelope. */
export async function fetchAuditLog(account: string, format: AuditFormat): Promise<string> {
  const answer = await send(`/settings/accounts/${account}/security-events/export?format=${format}`, {})
  if (!answer.ok) throw refusalOf(answer, (await answer.json().catch(() => ({}))) as Refused)
  return answer.text()
}
