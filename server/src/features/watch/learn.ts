/**
 * Computes how a check of a domain changes its stored facts. Pure.
 *
 * People may act on a reported change within the minute, so it must be real: not a different source, not a moved
 * exchange rate, not an unreachable source. `priceOf` and `isBetterKnown` enforce this; a check that they reject
 * changes nothing.
 */
import type { Status } from '../../model/verdict.ts'
import type { WatchFacts } from './facts.ts'
import { LIST } from './facts.ts'
import { nextCheck } from './schedule.ts'

/**
 * `unasked`: the authoritative source had no budget; the domain stays due. `unknown`: no source had a result.
 * `seen.isLikely`: based only on incomplete lists.
 */
export type Observation =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'seen'
      readonly at: number
      readonly available: boolean
      readonly status: Status
      readonly isLikely: boolean
      readonly sources: readonly string[]
      readonly price: string
      readonly pricedBy: string
      readonly asked: string
      readonly registeredUntil: number | undefined
    }
type SeenFacts = Extract<Observation, { kind: 'seen' }>

export interface Learned {
  readonly facts: WatchFacts
  /** Undefined: the domain stays due. */
  readonly nextAt: number | undefined
  /** `none`: there is nothing to compare favorites with. `changed`: also when only the status did, which is no event. */
  readonly changes: 'changed' | 'same' | 'none'
  /** Whether another price is news: not if the one before was outdated. */
  readonly isPriceNews: boolean
}

/** Sources that are not authoritative. */
const LISTS: ReadonlySet<string> = new Set(['dns', 'index'])
// The source name of a registry lookup, which reports the expiry.
const REGISTRY = 'rdap'
// The price source may be unreachable for a while; another source replaces it only after this time.
const VOICE_MS = 7 * 24 * 60 * 60 * 1000
// After this time the authoritative source may no longer be in use.
const WORD_MS = 30 * 24 * 60 * 60 * 1000

/** `hasSellers`: a registrar that quotes single domains is configured. */
export function learn(
  known: WatchFacts,
  observation: Observation,
  { now, hasSellers }: { now: number; hasSellers: boolean },
): Learned {
  const isPriceNews = !known.isPriceOutdated
  if (observation.kind === 'unasked') return { facts: known, nextAt: undefined, changes: 'none', isPriceNews }
  if (observation.kind === 'unknown' || isBetterKnown(known, observation, now)) {
    const facts = { ...known, failures: known.failures + 1 }
    return { facts, nextAt: nextCheck(facts, now), changes: 'none', isPriceNews }
  }
  const priced = priceOf(known, observation, now, hasSellers)
  const isFirst = known.available === undefined
  const isTurned = !isFirst && known.available !== observation.available
  const isChanged = isTurned || (!isFirst && known.price !== priced.price)
  const facts: WatchFacts = {
    ...known,
    ...priced,
    ...expiryFactsOf(known, observation, now),
    failures: 0,
    checkedAt: observation.at,
    changedAt: isTurned || (isChanged && isPriceNews) ? now : known.changedAt,
    available: observation.available,
    status: observation.status,
    sources: observation.sources,
  }
  const isOtherStatus = !isFirst && known.status !== observation.status
  const changes = isChanged || isOtherStatus ? 'changed' : 'same'
  return { facts, nextAt: nextCheck(facts, now), changes, isPriceNews }
}

/**
 * An authoritative source reported the domain as taken, and now only a list lacks it: it may be on hold or expiring.
 */
function isBetterKnown(known: WatchFacts, observation: SeenFacts, now: number): boolean {
  const isTakenForSure = known.available === false && known.sources.some((one) => !LISTS.has(one))
  return observation.available && observation.isLikely && isTakenForSure && now - (known.checkedAt ?? now) < WORD_MS
}

function priceOf(known: WatchFacts, observation: SeenFacts, now: number, hasSellers: boolean) {
  const { price, pricedBy, asked, pricedAt = known.since, isPriceOutdated } = known
  const kept = { price, pricedBy, asked, pricedAt: known.pricedAt, isPriceOutdated }
  const current = { price: observation.price, pricedBy: observation.pricedBy, asked: observation.asked }
  const named = { ...current, pricedAt: now, isPriceOutdated: false }
  const isSilent = now - pricedAt >= VOICE_MS
  // Before the first price: the list price would replace a quote that a registrar has already given to somebody.
  if (pricedBy === undefined)
    return observation.available && observation.pricedBy === LIST && hasSellers && !isSilent ? kept : named
  if (known.available !== observation.available) return named
  if (observation.pricedBy !== pricedBy && !isSilent) return kept
  // The same amount in the registrar's currency is the same price, whatever the exchange rate.
  return observation.asked === asked && !isPriceOutdated ? { ...kept, pricedAt: now } : named
}

function expiryFactsOf(known: WatchFacts, { available, registeredUntil, sources }: SeenFacts, now: number) {
  if (available) return { registeredUntil: undefined, lapsedAt: undefined, expiryAskedAt: undefined }
  const before = known.registeredUntil
  const isExtended = before !== undefined && registeredUntil !== undefined && registeredUntil > before
  return {
    registeredUntil: registeredUntil ?? before,
    lapsedAt: isExtended && before <= now ? before : known.lapsedAt,
    expiryAskedAt: sources.includes(REGISTRY) ? now : known.expiryAskedAt,
  }
}
