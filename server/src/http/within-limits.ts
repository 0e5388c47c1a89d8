/** The 429 for a rate limit that is used up, with the time to wait in whole seconds. */
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import type { AccountId } from '../model/caller.ts'

type LimitBuckets = Parameters<Context['limits']['take']>[0]

/** Fails with rate_limited. */
export async function requireWithin(ctx: Context, buckets: LimitBuckets): Promise<void> {
  const { allowed, retryMs } = await ctx.limits.take(buckets)
  if (!allowed) throw rateLimited(retryMs)
}

// Somebody who sets up a webhook sends a few test deliveries.
const TEST_DELIVERIES = { name: 'webhook-test', perHour: 60, burst: 10 }

/** Fails with rate_limited. Counts per account, whichever member or webhook it is. */
export function requireFewTestDeliveries(ctx: Context, account: AccountId): Promise<void> {
  return requireWithin(ctx, [{ ...TEST_DELIVERIES, subject: account }])
}

// Each change is an entry of the audit log, which is kept for 90 days, and an event for each webhook that wants it.
const WEBHOOK_CHANGES = { name: 'webhook-change', perHour: 60, burst: 60 }

/** Fails with rate_limited. Counts per account, whichever member or webhook it is. */
export function requireFewWebhookChanges(ctx: Context, account: AccountId): Promise<void> {
  return requireWithin(ctx, [{ ...WEBHOOK_CHANGES, subject: account }])
}

export function rateLimited(retryMs: number): ApiError {
  return new ApiError('rate_limited', { retryAfter: Math.max(1, Math.ceil(retryMs / 1000)) })
}
