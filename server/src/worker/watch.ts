/** The job of every minute: checks the watched domains that are due, and sends the emails about changes. */
import type { Context } from '../context.ts'
import type { Handler } from '../automation/jobs/jobs.ts'
import { sendChangeEmails } from '../flows/send-change-emails.ts'
import { watchFavorites } from '../flows/watch-favorites.ts'

export function watch(ctx: Context): Handler {
  return async ({ signal }) => {
    const tally = await watchFavorites(ctx, signal)
    signal.throwIfAborted()
    if (tally.notified > 0) ctx.log.info(tally, 'watched domains changed')
    await sendChangeEmails(ctx, signal)
  }
}
