/** The price of a domain: the list prices of its suffix, with their source and date. */
import { formatPrice } from './money.ts'
import type { Money } from './money.ts'
import type { Seller } from './seller.ts'
import type { Status, Verdict } from './verdict.ts'

export interface Offer {
  /** Of one year, also where a longer term must be bought. */
  readonly registration: Money
  /** Of one year. */
  readonly renewal: Money
  readonly transfer: Money
  /** No source says what a transfer costs: the price of a renewal stands for it. */
  readonly isTransferEstimated?: true
  readonly source: string
  readonly asOf: string
  /** The shortest registration, in years. */
  readonly termYears: number
  /** What is charged today, for that term. */
  readonly due: Money
  /** How many years one renewal adds. */
  readonly renewalYears: number
  /** What one renewal costs. */
  readonly renewsAt: Money
  /** The registrar's price for this exact domain, not the list price of its suffix. */
  readonly isQuote: boolean
  /** Where to register it. */
  readonly seller: Seller
}

const OUTDATED_MS = 180 * 24 * 60 * 60 * 1000

/** Whether a list price is so old that it must not be shown without its date. `at`: in milliseconds. */
export function isOutdated({ asOf, isQuote }: Pick<Offer, 'asOf' | 'isQuote'>, at: number): boolean {
  // A month without a day counts from its first.
  return !isQuote && at - Date.parse(asOf) > OUTDATED_MS
}

/** The total price of at least five years, in whole terms. */
export function totalOf({ due, termYears, renewsAt, renewalYears }: Offer): Money {
  const renewals = Math.max(0, Math.ceil((5 - termYears) / renewalYears))
  return { ...due, minor: due.minor + renewals * renewsAt.minor }
}

/** In minor units of the offer's currency; undefined is no limit. */
export interface PriceLimits {
  readonly due: number | undefined
  readonly fiveYears: number | undefined
}

export function isAffordable(offer: Offer, { due = Infinity, fiveYears = Infinity }: PriceLimits): boolean {
  return offer.due.minor <= due && totalOf(offer).minor <= fiveYears
}

/**
 * **Invariant:** the status `available` never appears beside `available: false`, and `unknown` has no confidence. A
 * verdict that is not sufficient to offer the domain is `unknown`. A domain that can be registered, but whose quote is
 * above the price limits of the request, is `premium`: it has its own price.
 */
export function standingOf(
  { status, confidence }: Verdict,
  registrable: boolean,
  offer: Offer | undefined,
): Pick<Verdict, 'status'> & Partial<Pick<Verdict, 'confidence'>> {
  if (status === 'unknown') return { status }
  if (registrable || status !== 'available') return { status, confidence }
  const isQuoted = confidence === 'definitive' && offer?.isQuote === true
  return isQuoted ? { status: 'premium', confidence } : { status: 'unknown' }
}

/** What a favorite or a shared name keeps of the moment it was added, as JSON. */
export function seenText(verdict: Verdict, available: boolean, offer: Offer): string {
  const { status } = standingOf(verdict, available, offer)
  const checkedAt = new Date(verdict.checkedAt).toISOString()
  return JSON.stringify({ available, status, price: formatPrice(offer.due), checked_at: checkedAt })
}

/**
 * `seen`: such a text as it was stored, perhaps before it had a status. What was not available then may have been taken
 * or unknown, and nothing stored says which.
 */
export function seenWithStatus(seen: string): string {
  const stored = JSON.parse(seen) as { readonly available: boolean; readonly status?: Status }
  if (stored.status !== undefined) return seen
  return JSON.stringify({ ...stored, status: stored.available ? 'available' : 'unknown' })
}
