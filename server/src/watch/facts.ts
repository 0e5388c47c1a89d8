/** What is known of a watched domain: what the last looks have told, and nothing of who wants to know it. */
import type { Domain } from '../model/domain.ts'

/** Times are milliseconds since 1970. Undefined is what nobody has told yet. */
export interface Facts {
  readonly domain: Domain
  /** Since when somebody watches it. */
  readonly since: number
  /** How many looks in a row have told nothing. */
  readonly failures: number
  readonly checkedAt: number | undefined
  /** When it was last found to be otherwise than before. */
  readonly changedAt: number | undefined
  readonly available: boolean | undefined
  /** Who said so. */
  readonly sources: readonly string[]
  /** As callers see it, and who has named it: a seller, or `LIST`. */
  readonly price: string | undefined
  readonly pricedBy: string | undefined
  /** The amount in the seller's own money. */
  readonly asked: string | undefined
  /** When who named the price last did so. */
  readonly pricedAt: number | undefined
  /** The end of the registration, by the registry. */
  readonly registeredUntil: number | undefined
  /** An end that came, after which the registry named a later one. */
  readonly lapsedAt: number | undefined
  readonly endsAskedAt: number | undefined
}

/** The price of the suffix, where nobody has named one for the domain itself. */
export const LIST = 'list'
