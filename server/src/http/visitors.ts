/**
 * Publishable keys are used by strangers, so each visitor's address has limits of its own, before those of the key: one
 * visitor must neither shut the others out nor spend what the site has for all of them.
 *
 *   requests: thirty at once, thirty a minute: a search, and a look at a domain before it is kept, copied or registered
 *   names:    a tenth of the key's budget for a day at once, and another tenth over each day
 *   checks:   200 domains at once, 1,200 an hour; they cost no budget, but others' servers are asked
 *
 * Where Redis is away each node counts for itself. Who has many addresses can still spend the whole budget, which is why
 * such a key has one of its own.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { addressSubject } from '../limits/limits.ts'
import { VISITORS } from '../model/caller.ts'
import type { Caller } from '../model/caller.ts'
import { requireWithin } from './within-limits.ts'

const REQUESTS = { perHour: 1_800, burst: 30 }
const CHECKS = { perHour: 1_200, burst: 200 }
const SHARE = 10
const HOURS = 24
const DAYS = 30

/** Fails with rate_limited, and with invalid_token where the operator gives visitors of the web app nothing any more. */
export async function admitVisitor(ctx: Context, request: FastifyRequest, caller: Caller): Promise<void> {
  if (caller.accountId === VISITORS && ctx.config.web.allowance === 0) throw new ApiError('invalid_token')
  await take(ctx, request, caller, { name: 'visit', ...REQUESTS })
}

/** Fails with rate_limited. For callers of any kind; only visitors are counted. */
export async function takeChecks(
  ctx: Context,
  request: FastifyRequest,
  caller: Caller,
  domains: number,
): Promise<void> {
  if (!caller.isPublishable) return
  // A stream may ask for more than fit at once, and is then the only one for a while.
  const burst = Math.max(CHECKS.burst, domains)
  await take(ctx, request, caller, { name: 'visit-checks', ...CHECKS, burst, cost: domains })
}

/** Fails with rate_limited. For callers of any kind; only visitors have a share. */
export async function takeShare(ctx: Context, request: FastifyRequest, caller: Caller, names: number): Promise<void> {
  const { perDay, perMonth } = caller.quota
  const daily = Math.min(perDay ?? Infinity, (perMonth ?? Infinity) / DAYS)
  // A key without a budget has none that could be spent.
  if (!caller.isPublishable || daily === Infinity) return
  const share = Math.max(1, daily / SHARE)
  // Whoever comes first may ask for as many as anybody, however small the budget.
  const burst = Math.max(share, names)
  await take(ctx, request, caller, { name: 'visit-names', perHour: share / HOURS, burst, cost: names })
}

async function take(
  ctx: Context,
  request: FastifyRequest,
  { keyId }: Caller,
  door: { name: string; perHour: number; burst: number; cost?: number },
): Promise<void> {
  const subject = `${keyId} ${addressSubject(request.ip)}`
  await requireWithin(ctx, [{ ...door, subject }])
}
