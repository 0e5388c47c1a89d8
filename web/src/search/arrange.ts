/** Which names are shown, and in which order. It needs no new request. */
import { bestOf, stateOf, suffixOf } from './result.ts'
import type { Result } from './result.ts'

export const ORDERS = ['best', 'price', 'length', 'alphabet'] as const
export type Order = (typeof ORDERS)[number]

export interface ViewOptions {
  readonly order: Order
  /** Domains that are not free are left out. */
  readonly onlyFree: boolean
  /** Names whose .com is not free are left out. */
  readonly onlyCom: boolean
}

export function arrange(results: readonly Result[], { order, onlyFree, onlyCom }: ViewOptions): readonly Result[] {
  const kept = onlyCom ? results.filter(hasFreeCom) : results
  const shown = onlyFree ? kept.map(withFreeOnly).filter(({ domains }) => domains.length > 0) : kept
  if (order === 'best') return shown
  const collator = new Intl.Collator()
  const byName = (a: Result, b: Result) => collator.compare(a.name, b.name)
  if (order === 'alphabet') return shown.toSorted(byName)
  const sizeOf = order === 'length' ? ({ name }: Result) => name.length : priceOf
  return shown.toSorted((a, b) => sizeOf(a) - sizeOf(b) || byName(a, b))
}

export function hasFreeCom({ domains }: Result): boolean {
  return domains.some((entry) => suffixOf(entry.domain) === 'com' && stateOf(entry) === 'free')
}

// The same object for the same result, so that its card is not drawn again.
const freeOnly = new WeakMap<Result, Result>()

function withFreeOnly(result: Result): Result {
  const known = freeOnly.get(result)
  if (known) return known
  const free = { ...result, domains: result.domains.filter((entry) => stateOf(entry) === 'free') }
  freeOnly.set(result, free)
  return free
}

/** Of the domain that would be shown first. */
function priceOf(result: Result): number {
  const best = bestOf(result)
  return best && stateOf(best) === 'free' ? (best.pricing?.due_minor ?? Infinity) : Infinity
}
