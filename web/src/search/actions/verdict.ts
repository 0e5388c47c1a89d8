/**
 * Merges the recheck of a domain into the first result. Pure.
 *
 * A recheck without an answer changes nothing: the first result stays, with its age. Prices are replaced only by
 * prices in the same currency, or by what a seller asks for this very domain.
 */
import type { CheckedDomain, DomainEntry } from '@namewright/client'

export type Outcome =
  | 'same'
  /** It was free and is not. */
  | 'gone'
  /** It was free at the usual price and costs more. */
  | 'premium'
  /** It was not free and is. */
  | 'freed'
  /** Nobody could say. */
  | 'unseen'

const SAYS_NOTHING: ReadonlySet<string> = new Set(['unknown', 'unsupported', 'invalid'])

const isOffered = ({ available, status }: { available: boolean; status?: string | undefined }) =>
  available || status === 'premium'

export function outcomeOf(before: DomainEntry, after: CheckedDomain): Outcome {
  // Likely free, but not in a way that this service would vouch for.
  const isHalfSaid = after.status === 'available' && !after.available
  if (isHalfSaid || SAYS_NOTHING.has(after.status)) return 'unseen'
  if (isOffered(before) && !isOffered(after)) return 'gone'
  if (before.available && before.status !== 'premium' && after.status === 'premium') return 'premium'
  return !isOffered(before) && isOffered(after) ? 'freed' : 'same'
}

export function withVerdict(before: DomainEntry, after: CheckedDomain | undefined): DomainEntry {
  if (after === undefined || outcomeOf(before, after) === 'unseen') return before
  // A later search may know more than an earlier recheck.
  if (before.checked_at !== undefined && Date.parse(before.checked_at) > Date.parse(after.checked_at)) return before
  const { available, status, confidence, sources, checked_at, expires_at, price, pricing } = after
  const { eligibility, eligible_countries } = after
  const isSameMoney = before.pricing === undefined || before.pricing.currency === pricing?.currency
  const replacesPrice = price !== null && pricing !== null && (isSameMoney || pricing.kind === 'quote')
  return {
    ...before,
    available,
    status,
    confidence,
    sources,
    checked_at,
    expires_at,
    ...(eligibility === undefined ? {} : { eligibility, eligible_countries }),
    ...(replacesPrice ? { price, pricing } : {}),
  }
}
