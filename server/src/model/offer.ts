/** The price of a domain: the list prices of its suffix, with their source and date. */
import { formatPrice } from './money.ts'
import type { Money } from './money.ts'
import type { Verdict } from './verdict.ts'

export interface Offer {
  readonly registration: Money
  readonly renewal: Money
  readonly transfer: Money
  /** No source says what a transfer costs: the price of a renewal stands for it. */
  readonly isTransferEstimated?: true
  readonly source: string
  readonly asOf: string
  /** How many years the registration covers; a renewal is for one. */
  readonly years: number
  /** The registrar's price for this exact domain, not the list price of its suffix. */
  readonly isQuote: boolean
}

const OUTDATED_MS = 180 * 24 * 60 * 60 * 1000

/** Whether a list price is so old that it must not be shown without its date. `at`: in milliseconds. */
export function isOutdated({ asOf, isQuote }: Pick<Offer, 'asOf' | 'isQuote'>, at: number): boolean {
  // A month without a day counts from its first.
  return !isQuote && at - Date.parse(asOf) > OUTDATED_MS
}

/** The total price for five years. */
export function totalOf({ registration, renewal, years }: Offer): Money {
  return { ...registration, minor: registration.minor + Math.max(0, 5 - years) * renewal.minor }
}

/** In minor units of the offer's currency; undefined is no limit. */
export interface PriceLimits {
  readonly firstYear: number | undefined
  readonly fiveYears: number | undefined
}

export function isAffordable(offer: Offer, { firstYear = Infinity, fiveYears = Infinity }: PriceLimits): boolean {
  return offer.registration.minor <= firstYear && totalOf(offer).minor <= fiveYears
}

/** What a favorite or a shared name keeps of the moment it was added, as JSON. */
export function seenText(verdict: Verdict, available: boolean, { registration }: Offer): string {
  const checkedAt = new Date(verdict.checkedAt).toISOString()
  return JSON.stringify({ available, price: formatPrice(registration), checked_at: checkedAt })
}
