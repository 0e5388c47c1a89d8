/**
 * POST /v1/favorites: keep a domain, with what is known of it now.
 *
 * The same domain again is the stored favorite, not an error and not a second one, also when two calls race: the
 * database's constraint decides, and the loser reads the winner's.
 */
import { isRegistrable } from './availability/availability.ts'
import type { Availability, AvailabilityMode } from './availability/availability.ts'
import { isViolationOf } from './db/db.ts'
import type { Db, Statement } from './db/db.ts'
import type { FavoriteDraft, FavoriteRow, Favorites } from './favorites/favorites.ts'
import type { Caller } from './model/caller.ts'
import type { Suffix } from './model/domain.ts'
import { formatPrice } from './model/money.ts'
import type { Prices } from './prices/prices.ts'

export interface AddFavoriteContext {
  readonly db: Db
  readonly availability: Availability
  readonly availabilityMode: AvailabilityMode
  readonly prices: Prices
  readonly favorites: Favorites
}

export interface FavoriteWish extends Omit<FavoriteDraft, 'seen'> {
  readonly suffix: Suffix
}

// One name, a person waiting: the same patience as for a page of names.
const DEADLINE_MS = 2_500

export async function addFavorite(
  ctx: AddFavoriteContext,
  caller: Caller,
  wish: FavoriteWish,
  alongside: (row: FavoriteRow, created: boolean) => readonly Statement[],
  signal: AbortSignal,
): Promise<void> {
  const already = await ctx.favorites.findByDomain(caller.accountId, wish.domain)
  if (already) return keepAnswer(already)
  const verdicts = await ctx.availability.check([wish.domain], {
    deadlineMs: DEADLINE_MS,
    depth: 'confirm',
    fresh: false,
    signal,
  })
  signal.throwIfAborted()
  const verdict = verdicts.get(wish.domain)
  if (!verdict) throw new Error(`${wish.domain} was asked and not answered`)
  const seen = JSON.stringify({
    available: isRegistrable(verdict, ctx.availabilityMode),
    price: formatPrice((ctx.prices.offerFor(wish.suffix, verdict) ?? ctx.prices.offerOf(wish.suffix)).registration),
    checked_at: new Date(verdict.checkedAt).toISOString(),
  })
  const { row, statement } = ctx.favorites.adding(caller, { ...wish, seen })
  try {
    await ctx.db.as(caller.accountId, [statement, ...alongside(row, true)])
  } catch (error) {
    if (!isViolationOf(error, 'favorite_domain')) throw error
    const winner = await ctx.favorites.findByDomain(caller.accountId, wish.domain)
    if (!winner) throw error
    return keepAnswer(winner)
  }

  async function keepAnswer(stored: FavoriteRow): Promise<void> {
    const statements = alongside(stored, false)
    if (statements.length > 0) await ctx.db.as(caller.accountId, statements)
  }
}
