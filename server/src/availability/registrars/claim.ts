/**
 * From what the rows of an answer claim to evidence that may be believed.
 *
 * A row counts only when its name is one that was asked. A name that comes twice is `unknown`, whatever others say of
 * it: one of the two rows is wrong, and we cannot know which. A premium name whose price is missing or unreadable stays
 * premium, only without a price, so that nobody takes it for one at the list price.
 */
import type { Domain } from '../../model/domain.ts'
import type { Evidence } from '../evidence.ts'

export interface Claim {
  readonly name: string
  /** `odd`: the row speaks of this name, but not in a way we understand. */
  readonly says: 'available' | 'premium' | 'registered' | 'reserved' | 'restricted' | 'odd'
  readonly price?: Evidence['price']
}

const MINUTE_MS = 60_000
const TTL_MS: Readonly<Record<Exclude<Claim['says'], 'odd'>, number>> = {
  // Anybody may register it this minute; five are what a caller needs to look at the list and decide.
  available: 5 * MINUTE_MS,
  // Prices of premium names move slowly, and few people want the same one.
  premium: 60 * MINUTE_MS,
  // "Not available" may also mean that the registrar could not find out. A false "taken" is cheap for an hour, not for a day.
  registered: 60 * MINUTE_MS,
  reserved: 60 * MINUTE_MS,
  restricted: 60 * MINUTE_MS,
}

/** `at` is when the question was put, not when its answer came: that moment is the last one the answer surely holds for. */
export function evidenceOf(
  source: string,
  at: number,
  asked: readonly Domain[],
  claims: readonly Claim[],
): readonly Evidence[] {
  const byName = new Map<string, Claim | 'twice'>()
  for (const claim of claims) {
    const name = claim.name.toLowerCase()
    byName.set(name, byName.has(name) ? 'twice' : claim)
  }
  return asked.flatMap((domain): Evidence[] => {
    const claim = byName.get(domain)
    if (claim === 'twice') return [{ domain, source, says: 'unknown', at, ttlMs: 0 }]
    if (claim === undefined || claim.says === 'odd') return []
    const { says, price } = claim
    return [{ domain, source, says, at, ttlMs: TTL_MS[says], ...(price === undefined ? {} : { price }) }]
  })
}
