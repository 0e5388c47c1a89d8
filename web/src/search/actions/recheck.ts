/**
 * The recheck: before a domain is saved, copied or registered, the service checks its availability again. Every place that
 * shows the domain shows the new result.
 *
 * Nobody waits for it longer than three seconds; then it counts as not answered.
 */
import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { CheckedDomain, DomainEntry, Namewright } from '@namewright/client'
import { useMemo, useSyncExternalStore } from 'react'
import { findClient } from '../../api/client.ts'
import { createStore } from '../../store.ts'
import { outcomeOf, withVerdict } from './verdict.ts'
import type { Outcome } from './verdict.ts'

const PATIENCE_MS = 3_000
// A little less, so that what is not known by then is said and not cut off.
const DEADLINE_MS = 2_500
const CHECK_MOST = 200

export interface Recheck {
  readonly outcome: Outcome
  /** As it is known now. */
  readonly domain: DomainEntry
}

/** Of the registrant, as the address has it: what is restricted depends on it. */
export function askedCountry(): { readonly country?: string } {
  const country = countryIn(location.search)
  return country !== null && /^[A-Za-z]{2}$/.test(country) ? { country } : {}
}

// Every domain on the page asks for it whenever anything changes.
let [lastSearch, lastCountry]: [string, string | null] = ['', null]
function countryIn(search: string): string | null {
  if (search !== lastSearch) [lastSearch, lastCountry] = [search, new URLSearchParams(search).get('country')]
  return lastCountry
}

const keyOf = (domain: string): string => `${domain} ${askedCountry().country ?? ''}`

/** By domain and country. */
const seen = createStore<ReadonlyMap<string, CheckedDomain>>(new Map())
const waiting = new Map<string, PromiseWithResolvers<CheckedDomain | undefined>>()
let isAsking = false

/** The domain with its latest check, which may be newer than the suggestion. */
export function useVerdict(domain: DomainEntry): DomainEntry {
  const after = useSyncExternalStore(seen.subscribe, () => seen.get().get(keyOf(domain.domain)))
  return useMemo(() => withVerdict(domain, after), [domain, after])
}

/** The same for many domains at once: one subscription for all of them. */
export function useVerdicts(): (domain: DomainEntry) => DomainEntry {
  const all = useSyncExternalStore(seen.subscribe, seen.get)
  return (domain) => withVerdict(domain, all.get(keyOf(domain.domain)))
}

/** The same outside of components, at this moment. */
export const latestOf = (domain: DomainEntry): DomainEntry => withVerdict(domain, seen.get().get(keyOf(domain.domain)))

/** What a check of some other place has found is shown here, too. */
export function noteVerdicts(checked: readonly CheckedDomain[]): void {
  seen.change((all) => new Map([...all, ...checked.map((one) => [keyOf(one.domain), one] as const)]))
}

export function useRecheck(): (domain: DomainEntry) => Promise<Recheck> {
  const queries = useQueryClient()
  return (domain) => recheck(queries, domain)
}

export async function recheck(queries: QueryClient, domain: DomainEntry): Promise<Recheck> {
  const client = findClient(queries)
  const after = client && (await askOnce(client, domain.domain))
  if (after === undefined) return { outcome: 'unseen', domain: latestOf(domain) }
  noteVerdicts([after])
  return { outcome: outcomeOf(domain, after), domain: latestOf(domain) }
}

/** Two presses in a row are one request; domains that arrive while a request is running go together in the next. */
async function askOnce(client: Namewright, domain: string): Promise<CheckedDomain | undefined> {
  const answer = waiting.get(domain) ?? Promise.withResolvers<CheckedDomain | undefined>()
  waiting.set(domain, answer)
  void askWaiting(client)
  const patience = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => patience.resolve(undefined), PATIENCE_MS)
  try {
    return await Promise.race([answer.promise, patience.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function askWaiting(client: Namewright): Promise<void> {
  if (isAsking) return
  isAsking = true
  while (waiting.size > 0) {
    const asked = [...waiting].slice(0, CHECK_MOST)
    for (const [domain] of asked) waiting.delete(domain)
    const domains = asked.map(([domain]) => domain)
    const body = { domains, verify: 'full', deadline_ms: DEADLINE_MS, ...askedCountry() } as const
    // No response, or a used-up quota, does not mean that the domain is taken.
    const checked = await client.check(body, { timeBudgetMs: PATIENCE_MS }).catch(() => [])
    for (const [index, [, answer]] of asked.entries()) answer.resolve(checked[index])
  }
  isAsking = false
}
