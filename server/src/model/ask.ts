/** A generate request, parsed: everything optional has its value, every suffix is one that we know and can price. */
import type { Suffix } from './domain.ts'
import type { Currency } from './money.ts'
import { NAME_FACTS } from './name.ts'
import type { Candidate, NameAsk } from './name.ts'
import type { Offer, PriceLimits } from './offer.ts'
import type { Verdict } from './verdict.ts'

export const INCLUDES = ['evidence', 'pricing', 'score', 'rationale', ...NAME_FACTS] as const
export type Include = (typeof INCLUDES)[number]

export interface Ask {
  readonly names: NameAsk
  readonly count: number
  /** Best first. */
  readonly suffixes: readonly Suffix[]
  readonly onlyAvailable: boolean
  readonly variants: boolean
  readonly premium: boolean
  readonly currency: Currency
  readonly priceLimits: PriceLimits
  readonly verify: 'fast' | 'full'
  readonly deadlineMs: number
  readonly include: readonly Include[]
  /** The language of names and texts, as it is written into history. */
  readonly language: string
  /** The optional fields as they were sent, as JSON text. */
  readonly options: string
}

export interface Suggestion {
  readonly candidate: Candidate
  readonly domains: readonly DomainOffer[]
}

export interface DomainOffer {
  readonly verdict: Verdict
  readonly registrable: boolean
  readonly offer: Offer
}

export interface Shortfall {
  readonly wanted: number
  readonly returned: number
  readonly reason: 'no_more_names' | 'deadline' | 'max_price' | 'availability_unknown'
}
