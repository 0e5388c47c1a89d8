/**
 * What a look at a domain changes of what is known. Pure.
 *
 * A change is told to people who may act on it within the minute, so it must be one: not that somebody else was asked
 * this time, not that a rate of exchange has moved, not that nobody could be asked. Hence the rules of `priceOf` and
 * `isBetterKnown`; whatever they refuse leaves things as they were.
 */
import type { Facts } from './facts.ts'
import { LIST } from './facts.ts'
import { nextCheck } from './schedule.ts'

/**
 * `unasked`: who could know had no room; it stays due. `unknown`: nobody could say.
 * `seen.isLikely`: only lists that are not complete say so.
 */
export type Look =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'seen'
      readonly at: number
      readonly available: boolean
      readonly isLikely: boolean
      readonly sources: readonly string[]
      readonly price: string
      readonly pricedBy: string
      readonly asked: string
      readonly registeredUntil: number | undefined
    }
type Seen = Extract<Look, { kind: 'seen' }>

export interface Learned {
  readonly facts: Facts
  /** Undefined: it stays due. */
  readonly nextAt: number | undefined
  /** `none`: there is nothing to compare favorites with. */
  readonly news: 'changed' | 'same' | 'none'
}

/** Known by asking nobody who must know. */
const LISTS: ReadonlySet<string> = new Set(['dns', 'index'])
// A registry asked for the date is one of the sources.
const REGISTRY = 'rdap'
// Who has named the price may be away for a while, and is replaced by another voice only when it stays away.
const VOICE_MS = 7 * 24 * 60 * 60 * 1000
// After that who must know is perhaps not asked any more.
const WORD_MS = 30 * 24 * 60 * 60 * 1000

/** `hasSellers`: somebody is set up who names prices of single domains. */
export function learn(known: Facts, look: Look, { now, hasSellers }: { now: number; hasSellers: boolean }): Learned {
  if (look.kind === 'unasked') return { facts: known, nextAt: undefined, news: 'none' }
  if (look.kind === 'unknown' || isBetterKnown(known, look, now)) {
    const facts = { ...known, failures: known.failures + 1 }
    return { facts, nextAt: nextCheck(facts, now), news: 'none' }
  }
  const priced = priceOf(known, look, now, hasSellers)
  const isFirst = known.available === undefined
  const isChanged = !isFirst && (known.available !== look.available || known.price !== priced.price)
  const facts: Facts = {
    ...known,
    ...priced,
    ...endsOf(known, look, now),
    failures: 0,
    checkedAt: look.at,
    changedAt: isChanged ? now : known.changedAt,
    available: look.available,
    sources: look.sources,
  }
  return { facts, nextAt: nextCheck(facts, now), news: isChanged ? 'changed' : 'same' }
}

/** Somebody who must know has called it taken, and now only a list lacks it: it may be on hold, or on its way out. */
function isBetterKnown(known: Facts, look: Seen, now: number): boolean {
  const isTakenForSure = known.available === false && known.sources.some((one) => !LISTS.has(one))
  return look.available && look.isLikely && isTakenForSure && now - (known.checkedAt ?? now) < WORD_MS
}

function priceOf(known: Facts, look: Seen, now: number, hasSellers: boolean) {
  const { price, pricedBy, asked, pricedAt = known.since } = known
  const kept = { price, pricedBy, asked, pricedAt: known.pricedAt }
  const named = { price: look.price, pricedBy: look.pricedBy, asked: look.asked, pricedAt: now }
  const isSilent = now - pricedAt >= VOICE_MS
  // Before the first price: that of the suffix would stand in for one that a seller has named to somebody already.
  if (pricedBy === undefined) return look.available && look.pricedBy === LIST && hasSellers && !isSilent ? kept : named
  if (known.available !== look.available) return named
  if (look.pricedBy !== pricedBy && !isSilent) return kept
  // The same amount in the seller's money is the same price, whatever the rate of the day makes of it.
  return look.asked === asked ? { ...kept, pricedAt: now } : named
}

function endsOf(known: Facts, { available, registeredUntil, sources }: Seen, now: number) {
  if (available) return { registeredUntil: undefined, lapsedAt: undefined, endsAskedAt: undefined }
  const before = known.registeredUntil
  const isExtended = before !== undefined && registeredUntil !== undefined && registeredUntil > before
  return {
    registeredUntil: registeredUntil ?? before,
    lapsedAt: isExtended && before <= now ? before : known.lapsedAt,
    endsAskedAt: sources.includes(REGISTRY) ? now : known.endsAskedAt,
  }
}
