/** The price of a domain: the list prices of its suffix, with their source and date. */
import type { Money } from './money.ts'

export interface Offer {
  readonly registration: Money
  readonly renewal: Money
  readonly transfer: Money
  readonly source: string
  readonly asOf: string
  /** How many years the registration covers; a renewal is for one. */
  readonly years: number
  /** The registrar's price for this exact domain, not the list price of its suffix. */
  readonly isQuote: boolean
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
