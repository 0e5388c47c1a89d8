/** A verdict: what is known about one domain, from which sources, and how long it may be cached. */
import type { Domain } from './domain.ts'
import type { Money } from './money.ts'

export type Status =
  | 'available'
  | 'premium'
  | 'for_sale'
  | 'taken'
  | 'reserved'
  | 'restricted'
  | 'unsupported'
  | 'invalid'
  | 'unknown'

export interface Verdict {
  readonly domain: Domain
  readonly status: Status
  /** `likely`: no registrar or registry has confirmed it yet. The availability mode decides whether that is enough. */
  readonly confidence: 'definitive' | 'likely'
  readonly sources: readonly string[]
  /** Milliseconds since 1970. */
  readonly checkedAt: number
  readonly expiresAt: number
  /** Lists contain no price tiers: the domain can be absent from all of them and still cost a thousand times more. */
  readonly premiumProne?: true
  /** The registrar's price for this exact domain, if known. */
  readonly price?: DomainPrice
  /** When the registration expires, if the registry was asked and reported it. Never cached. */
  readonly registeredUntil?: number
  /** Unknown only because a registrar or registry could not be asked: worth checking again soon. */
  readonly unasked?: true
}

export interface DomainPrice {
  readonly registration: Money
  readonly renewal?: Money
  /** How many years the registration price covers; `shortest`: the shortest term of the suffix, whatever it is. */
  readonly years: number | 'shortest'
  /** The same for the renewal price. Absent: one. */
  readonly renewalYears?: number | 'shortest'
  readonly seller: string
}
