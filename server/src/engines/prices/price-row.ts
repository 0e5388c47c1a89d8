/** One suffix of the catalogue: its prices and properties. Amounts are minor units of its currency. */
import type { Suffix } from '../../model/domain.ts'
import type { Currency } from '../../model/money.ts'

export interface Term {
  /** The shortest registration, in years. */
  readonly termYears: number
  /** The shortest renewal, in years. */
  readonly renewalYears: number
}

/** Of every suffix that `data/suffix-terms.jsonl` does not name. */
export const ONE_YEAR: Term = { termYears: 1, renewalYears: 1 }

/** What every list has: the price of one year, also where a longer term must be bought. */
export interface ListPrice {
  readonly registration: number
  readonly renewal: number
  /** null: no source says. */
  readonly transfer: number | null
}

export interface SuffixFacts extends Term {
  readonly suffix: Suffix
  /** A code of `data/eligibility.json`. */
  readonly eligibility: string
  readonly idn: boolean | null
  readonly rdap: boolean
  /** 1 is the most popular; null if there is no data. */
  readonly popularity: number | null
}

export interface PriceRow extends SuffixFacts, ListPrice {
  /** In which it is sold. */
  readonly currency: Currency
  readonly source: string
  /** A day, or a month if the day is not known. */
  readonly asOf: string
}

// The most expensive suffix of the catalogue costs a quarter of this; a higher amount is not a list price.
export const DEAREST = 1_000_000
