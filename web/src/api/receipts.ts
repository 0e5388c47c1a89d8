/** Receipts: what was confirmed about a name, by whom and when. The link is the receipt; the service signs and reads it. */
import { queryOptions } from '@tanstack/react-query'
import type { DomainEntry, Suggestion } from 'namewright'
import { askOnce } from './settings.ts'

export type ReceiptOffer = NonNullable<DomainEntry['pricing']>

export interface ConfirmedDomain {
  readonly domain: string
  readonly available: boolean
  readonly status: NonNullable<DomainEntry['status']>
  readonly confidence: NonNullable<DomainEntry['confidence']>
  readonly sources: readonly string[]
  readonly checked_at: string
  /** Every price that the service knows, the quote for this domain first. */
  readonly offers: readonly ReceiptOffer[]
}

export interface NameReceipt {
  readonly name: string
  readonly domains: readonly ConfirmedDomain[]
  readonly sound: { readonly syllables: number; readonly said: string } | null
  readonly risks: NonNullable<Suggestion['risks']> & { readonly languages: readonly string[] }
  /** Whom the service could ask. */
  readonly asks: readonly string[]
}

/** What the service accepts. */
const MOST_DOMAINS = 12

export const receiptQuery = (token: string) =>
  queryOptions({
    queryKey: ['receipt', token],
    queryFn: async ({ signal }) =>
      (await askOnce<{ receipt: NameReceipt }>(`/receipts/${encodeURIComponent(token)}`, { signal })).receipt,
    // What a link says never changes.
    staleTime: Infinity,
  })

/** Resolves with the token of the link. The first domain is the one that the link is about. */
export async function makeReceipt(name: string, domains: readonly string[], fresh = false): Promise<string> {
  const body = { name, domains: domains.slice(0, MOST_DOMAINS), fresh }
  return (await askOnce<{ token: string }>('/receipts', { method: 'POST', body })).token
}
