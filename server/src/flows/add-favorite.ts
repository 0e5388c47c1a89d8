/**
 * POST /v1/favorites: saves a domain with its current facts.
 *
 * Saving the same domain again returns the stored favorite: no error and no duplicate, even when two calls race. The
 * database constraint decides, and the losing call reads the stored row.
 */
import { isNamedRegistrable } from '../availability/availability.ts'
import type { Availability, AvailabilityMode } from '../availability/availability.ts'
import { isViolationOf } from '../platform/db/db.ts'
import type { Db, Statement } from '../platform/db/db.ts'
import type { FavoriteDraft, FavoriteRow, Favorites } from '../library/favorites/favorites.ts'
import type { Caller } from '../model/caller.ts'
import type { Suffix } from '../model/domain.ts'
import { seenText } from '../model/offer.ts'
import type { Prices } from '../prices/prices.ts'

export interface AddFavoriteContext {
  readonly db: Db
  readonly availability: Availability
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly favorites: Favorites
}

export interface FavoriteRequest extends Omit<FavoriteDraft, 'seen'> {
  readonly suffix: Suffix
}

// One name, with a person waiting: the same deadline as for a page of names.
const DEADLINE_MS = 2_500

export async function addFavorite(
  ctx: AddFavoriteContext,
  caller: Caller,
  request: FavoriteRequest,
  alongside: (row: FavoriteRow, created: boolean) => readonly Statement[],
  signal: AbortSignal,
): Promise<void> {
  const already = await ctx.favorites.findByDomain(caller.accountId, request.domain)
  if (already) return keepAnswer(already)
  const verdicts = await ctx.availability.check([request.domain], {
    deadlineMs: DEADLINE_MS,
    depth: 'confirm',
    fresh: false,
    fairnessKey: caller.accountId,
    signal,
  })
  signal.throwIfAborted()
  const verdict = verdicts.get(request.domain)
  if (!verdict) throw new Error(`${request.domain} was checked but has no result`)
  const offer = ctx.prices.findDomainOffer(request.suffix, verdict) ?? ctx.prices.listOfferOf(request.suffix)
  const seen = seenText(verdict, isNamedRegistrable(verdict, ctx.availabilityMode), offer)
  const { row, statement } = ctx.favorites.adding(caller, { ...request, seen })
  try {
    await ctx.db.as(caller.accountId, [statement, ...alongside(row, true)])
  } catch (error) {
    if (!isViolationOf(error, 'favorite_domain')) throw error
    const winner = await ctx.favorites.findByDomain(caller.accountId, request.domain)
    if (!winner) throw error
    return keepAnswer(winner)
  }

  async function keepAnswer(stored: FavoriteRow): Promise<void> {
    const statements = alongside(stored, false)
    if (statements.length > 0) await ctx.db.as(caller.accountId, statements)
  }
}
