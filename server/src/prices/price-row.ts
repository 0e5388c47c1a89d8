/** One suffix of the catalogue: its prices and properties. Amounts are US cents. */
import type { Suffix } from '../model/domain.ts'

export interface ListPrice {
  readonly registration: number
  readonly renewal: number
  readonly transfer: number
}

export interface SuffixFacts {
  readonly suffix: Suffix
  /** The shortest term that can be registered; prices are for one year all the same. */
  readonly years: number
  /** A code of `data/eligibility.json`. */
  readonly eligibility: string
  readonly idn: boolean | null
  readonly rdap: boolean
  /** 1 is the most popular; null if there is no data. */
  readonly popularity: number | null
}

export interface PriceRow extends SuffixFacts, ListPrice {
  readonly source: string
  /** A day, or a month if the day is not known. */
  readonly asOf: string
}

// The most expensive suffix of the catalogue costs a quarter of this; a higher amount is not a list price.
export const DEAREST = 1_000_000
