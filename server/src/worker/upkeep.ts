/** Every night: what is past its time goes. */
import type { Context } from '../context.ts'
import type { Handler } from '../jobs/jobs.ts'
import { keepUp } from '../keep-up.ts'

export function upkeep(ctx: Context): Handler {
  return async ({ signal }) => {
    const { accounts, removed } = await keepUp(ctx, signal)
    ctx.log.info({ accounts, removed }, 'upkeep done')
  }
}
