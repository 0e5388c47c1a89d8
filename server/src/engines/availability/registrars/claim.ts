/**
 * Turns the rows of a registrar's response into evidence.
 *
 * A row counts only if its name was requested. A name that appears twice is `unknown`, whatever other sources report:
 * one of the two rows is wrong, and we cannot know which. A premium name whose price is missing or malformed stays
 * premium without a price, so that it is never shown at the list price.
 */
import type { Domain } from '../../../model/domain.ts'
import type { Evidence } from '../evidence.ts'

export interface Claim {
  readonly name: string
  /** `malformed`: the row is about this name, but malformed. */
  readonly says: 'available' | 'premium' | 'registered' | 'reserved' | 'restricted' | 'malformed'
  readonly price?: Evidence['price']
}

const MINUTE_MS = 60_000
const TTL_MS: Readonly<Record<Exclude<Claim['says'], 'malformed'>, number>> = {
  // The name can be registered at any moment; five minutes are enough for a caller to read the list and decide.
  available: 5 * MINUTE_MS,
  // Prices of premium names change slowly, and few people want the same name.
  premium: 60 * MINUTE_MS,
  // "Not available" may also mean that the registrar could not find out. A false "taken" is cheap for an hour, not
  // for a day.
  registered: 60 * MINUTE_MS,
  reserved: 60 * MINUTE_MS,
  restricted: 60 * MINUTE_MS,
}

/** `at` is when the request was sent, not when the response arrived: the result is certain only up to that moment. */
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
    if (claim === undefined || claim.says === 'malformed') return []
    const { says, price } = claim
    return [{ domain, source, says, at, ttlMs: TTL_MS[says], ...(price === undefined ? {} : { price }) }]
  })
}
