/** Hearts of somebody who is not signed in: kept in this browser, until they are moved to an account. */
import { createKeptStore } from '../../store.ts'

export interface KeptHeart {
  readonly name: string
  readonly domain: string
  /** As it was when it was kept. */
  readonly available: boolean
  readonly price: string
  /** What the price is for; absent in one from an older version. */
  readonly term_years?: number | undefined
  readonly kept_at: string
}

/** More than anybody reads through, and few enough to be moved in one go. */
export const MOST_HEARTS = 200

/** Newest first. */
export const hearts = createKeptStore<readonly KeptHeart[]>({
  key: 'namewright.hearts',
  storage: 'localStorage',
  parse: (stored) => (Array.isArray(stored) ? stored.filter(isHeart).slice(0, MOST_HEARTS) : []),
})

function isHeart(value: unknown): value is KeptHeart {
  if (typeof value !== 'object' || value === null) return false
  const { name, domain, price, kept_at } = value as Partial<Record<keyof KeptHeart, unknown>>
  return [name, domain, price, kept_at].every((field) => typeof field === 'string')
}

export function addHeart(heart: KeptHeart): void {
  hearts.change((all) => [heart, ...all.filter(({ domain }) => domain !== heart.domain)].slice(0, MOST_HEARTS))
}

export function removeHeart(domain: string): void {
  hearts.change((all) => all.filter((heart) => heart.domain !== domain))
}
