/** The nightly job: purges expired rows. */
import type { Context } from '../../context.ts'
import type { Handler } from '../../platform/jobs/jobs.ts'
import { purgeExpired } from './purge-expired.ts'

export function upkeep(ctx: Context): Handler {
  return async ({ signal }) => {
    const { accounts, removed } = await purgeExpired(ctx, signal)
    ctx.log.info({ accounts, removed }, 'expired rows purged')
  }
}
