/** The job of every minute: checks the watched domains that are due and sends the updates. */
import type { Context } from '../context.ts'
import type { Handler } from '../automation/jobs/jobs.ts'
import { watchFavorites } from '../flows/watch-favorites.ts'

export function watch(ctx: Context): Handler {
  return async ({ signal }) => {
    const tally = await watchFavorites(ctx, signal)
    signal.throwIfAborted()
    if (tally.notified > 0) ctx.log.info(tally, 'watched domains changed')
  }
}
