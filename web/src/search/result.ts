/** One suggestion on the page, and what is known of each of its domains in one word. */
import type { DomainEntry, Pricing, Suggestion } from '@namewright/client'

export type Result = Suggestion

export type CellState = 'free' | 'taken' | 'premium' | 'sale' | 'unknown'

export function stateOf({ available, status, confidence }: DomainEntry): CellState {
  if (status === 'premium') return 'premium'
  if (status === 'for_sale') return 'sale'
  if (available) return 'free'
  // No authoritative source has answered; or it is available, but above the maximum price.
  if (status === 'available') return confidence === 'definitive' ? 'free' : 'unknown'
  return status === undefined || status === 'unknown' ? 'unknown' : 'taken'
}

/** Everything after the label: `co.uk`. */
export const suffixOf = (domain: string): string => domain.slice(domain.indexOf('.') + 1)

const RANKS: Readonly<Record<CellState, number>> = { free: 0, premium: 1, unknown: 2, sale: 3, taken: 4 }

/**
 * The one to show first: free before all else, then what costs least over five years, then in the order in which the
 * suffixes were asked for. During a search what is not known yet may still be free, and is not passed over for what happens
 * to be known sooner.
 */
export function bestOf({ domains }: Result, isLive = false): DomainEntry | undefined {
  const rank = (entry: DomainEntry) => {
    const state = stateOf(entry)
    return isLive && state === 'unknown' ? RANKS.free : RANKS[state]
  }
  const cost = ({ pricing }: DomainEntry) => pricing?.total_5y_minor ?? Number.MAX_SAFE_INTEGER
  return domains.toSorted((a, b) => rank(a) - rank(b) || cost(a) - cost(b))[0]
}

// From here on a first year looks cheap only because the others pay for it.
const TRAP = 5

/** How many years `total_5y_minor` covers: five, or the next whole term. */
export function totalYearsOf({ term_years: term, renewal_years: renewal }: Pricing): number {
  return term + Math.max(0, Math.ceil((5 - term) / renewal)) * renewal
}

/** How many times the first year the renewal costs, where that is a trap. */
export function trapOf({ pricing }: DomainEntry): number | undefined {
  if (!pricing || pricing.registration_minor === 0) return undefined
  const times = pricing.renewal_minor / pricing.registration_minor
  return times >= TRAP ? Math.floor(times) : undefined
}
