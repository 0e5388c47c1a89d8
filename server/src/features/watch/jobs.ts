/** The job of every minute: checks the watched domains that are due, and sends the emails about changes. */
import type { Handler } from '../../platform/jobs/jobs.ts'
import { sendChangeEmails } from './send-change-emails.ts'
import type { ChangeEmailContext } from './send-change-emails.ts'
import { watchFavorites } from './watch-favorites.ts'
import type { WatchContext } from './watch-favorites.ts'
import type { Logger } from '../../platform/log.ts'

interface WatchJobContext extends WatchContext, ChangeEmailContext {
  readonly log: Pick<Logger, 'info' | 'warn'>
}

export function watch(ctx: WatchJobContext): Handler {
  return async ({ signal }) => {
    const [checking] = await Promise.allSettled([watchFavorites(ctx, signal)])
    signal.throwIfAborted()
    // Emails about earlier changes are due even if nothing can be checked now.
    const [sending] = await Promise.allSettled([sendChangeEmails(ctx, signal)])
    if (checking.status === 'rejected') {
      // A job fails with one error.
      if (sending.status === 'rejected') ctx.log.warn({ err: sending.reason as unknown }, 'emails about changes failed')
      throw checking.reason
    }
    if (checking.value.notified > 0) ctx.log.info(checking.value, 'watched domains changed')
    if (sending.status === 'rejected') throw sending.reason
  }
}
