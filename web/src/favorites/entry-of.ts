/** A favorite as other parts of the page know domains and names. */
import type { DomainEntry, Favorite, Suggestion } from '@namewright/client'

export function entryOf({ domain, current }: Pick<Favorite, 'domain' | 'current'>): DomainEntry {
  const { available, status, price, checked_at } = current
  return { domain, available, status, price, checked_at }
}

/** By name, in the order in which the names come first. */
export function suggestionsOf(favorites: readonly Favorite[]): readonly Suggestion[] {
  return [...Map.groupBy(favorites, ({ name }) => name)].map(([name, all]) => ({ name, domains: all.map(entryOf) }))
}
