/** A limit that is used up, as every door says it: with how long to wait, in whole seconds. */
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'

type Doors = Parameters<Context['limits']['take']>[0]

/** Fails with rate_limited. */
export async function requireWithin(ctx: Context, doors: Doors): Promise<void> {
  const { allowed, retryMs } = await ctx.limits.take(doors)
  if (!allowed) throw rateLimited(retryMs)
}

export function rateLimited(retryMs: number): ApiError {
  return new ApiError('rate_limited', { retryAfter: Math.max(1, Math.ceil(retryMs / 1000)) })
}
