/** What is known about one domain, who said so and until when it may be repeated. */
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
  /** `likely`: no source that can know has spoken yet. Only the availability mode decides what that is worth. */
  readonly confidence: 'definitive' | 'likely'
  readonly sources: readonly string[]
  /** Milliseconds since 1970. */
  readonly checkedAt: number
  readonly expiresAt: number
  /** No list knows price tiers: it may be absent from all of them and still cost a thousand times more. */
  readonly premiumProne?: true
  /** What this very domain costs, when who sells it has said so. */
  readonly price?: DomainPrice
  /** When the registration ends, where the registry was asked and has said so. Never remembered. */
  readonly registeredUntil?: number
  /** Unknown only because somebody who could know could not be asked now: worth asking again soon. */
  readonly unasked?: true
}

export interface DomainPrice {
  readonly registration: Money
  readonly renewal?: Money
  /** How many years the registration price covers. */
  readonly years: number
  readonly seller: string
}
