/** The stored facts of a watched domain, from the last checks. They never say who watches it. */
import type { Domain } from '../../model/domain.ts'
import type { Status } from '../../model/verdict.ts'

/** Times are milliseconds since 1970. Undefined: not known yet. */
export interface WatchFacts {
  readonly domain: Domain
  /** When the first account began to watch it. */
  readonly since: number
  /** The number of consecutive checks without a result. */
  readonly failures: number
  readonly checkedAt: number | undefined
  /** When a check last found a change. */
  readonly changedAt: number | undefined
  readonly available: boolean | undefined
  readonly status: Status | undefined
  /** The sources of this result. */
  readonly sources: readonly string[]
  /** The price as callers see it, and its source: a registrar, or `LIST`. */
  readonly price: string | undefined
  readonly pricedBy: string | undefined
  /** The amount in the registrar's own currency. */
  readonly asked: string | undefined
  /** When the source of the price last confirmed it. */
  readonly pricedAt: number | undefined
  /** The price is from before prices were amounts due: the next one replaces it, and is no news. */
  readonly isPriceOutdated: boolean
  /** The expiry of the registration, from the registry. */
  readonly registeredUntil: number | undefined
  /** An expiry that passed, after which the registry reported a later one. */
  readonly lapsedAt: number | undefined
  readonly expiryAskedAt: number | undefined
}

/** The list price of the suffix, when no registrar quoted the domain itself. */
export const LIST = 'list'
