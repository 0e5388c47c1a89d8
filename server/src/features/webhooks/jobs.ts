/** The job of one webhook: sends its due deliveries. */
import type { Context } from '../../context.ts'
import { deliverWebhooks } from './deliver.ts'
import type { Handler } from '../../platform/jobs/jobs.ts'

export function webhook(ctx: Context): Handler {
  return async (job) => {
    const { webhook: id } = job.data as { webhook: string }
    if (job.account) await deliverWebhooks(ctx, { account: job.account, webhook: id }, job)
  }
}
