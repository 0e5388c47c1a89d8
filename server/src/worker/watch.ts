/** Every minute: watched domains that are due are looked at, and who watches them is told. */
import type { Context } from '../context.ts'
import type { Handler } from '../jobs/jobs.ts'
import { watchFavorites } from '../watch-favorites.ts'

export function watch(ctx: Context): Handler {
  return async ({ signal }) => {
    const tally = await watchFavorites(ctx, signal)
    signal.throwIfAborted()
    if (tally.told > 0) ctx.log.info(tally, 'watched domains have changed')
  }
}
