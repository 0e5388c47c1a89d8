/** The stored facts of a watched domain, from the last checks, and its row in the database. They never say who watches it. */
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

export interface WatchedRow {
  readonly domain: Domain
  readonly since: Date
  readonly waits: boolean
  readonly next_at: Date
  /** A bigint, kept as text: only compared in the database, never used in arithmetic. */
  readonly joins: string
  readonly is_watched: boolean
  readonly failures: number
  readonly checked_at: Date | null
  readonly changed_at: Date | null
  readonly available: boolean | null
  readonly status: Status | null
  readonly sources: string[]
  readonly price: string | null
  readonly priced_by: string | null
  readonly asked: string | null
  readonly priced_at: Date | null
  readonly is_price_outdated: boolean
  readonly registered_until: Date | null
  readonly lapsed_at: Date | null
  readonly ends_asked_at: Date | null
}

export function factsOf(row: WatchedRow): WatchFacts {
  return {
    domain: row.domain,
    since: row.since.getTime(),
    failures: row.failures,
    checkedAt: row.checked_at?.getTime(),
    changedAt: row.changed_at?.getTime(),
    available: row.available ?? undefined,
    status: row.status ?? undefined,
    sources: row.sources,
    price: row.price ?? undefined,
    pricedBy: row.priced_by ?? undefined,
    asked: row.asked ?? undefined,
    pricedAt: row.priced_at?.getTime(),
    isPriceOutdated: row.is_price_outdated,
    registeredUntil: row.registered_until?.getTime(),
    lapsedAt: row.lapsed_at?.getTime(),
    expiryAskedAt: row.ends_asked_at?.getTime(),
  }
}

/** For `jsonb_to_recordset`; undefined fields are left out and become null. */
export function recordOf(facts: WatchFacts): object {
  return {
    domain: facts.domain,
    failures: facts.failures,
    checked_at: timeOf(facts.checkedAt),
    changed_at: timeOf(facts.changedAt),
    available: facts.available,
    status: facts.status,
    sources: facts.sources,
    price: facts.price,
    priced_by: facts.pricedBy,
    asked: facts.asked,
    priced_at: timeOf(facts.pricedAt),
    is_price_outdated: facts.isPriceOutdated,
    registered_until: timeOf(facts.registeredUntil),
    lapsed_at: timeOf(facts.lapsedAt),
    ends_asked_at: timeOf(facts.expiryAskedAt),
  }
}

export function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}
