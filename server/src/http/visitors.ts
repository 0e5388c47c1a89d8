/**
 * Limits for visitors with a publishable key. Strangers use such a key, so each visitor's address has limits of its
 * own, before those of the key. One visitor must neither block the others nor use up the budget of the site.
 *
 *   requests: burst of thirty, thirty a minute: a search, and a check of a domain before it is saved, copied or registered
 *   names:    burst of a tenth of the key's daily budget, and another tenth over each day
 *   checks:   burst of 200 domains, 1,200 an hour; they use no budget, but cause queries to third-party servers
 *
 * While Redis is unreachable each node counts for itself. Somebody with many addresses can still use up the whole
 * budget, which is why such a key has a budget of its own.
 */
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import { VISITORS, type Caller } from '../model/caller.ts'
import { addressSubject } from '../platform/limits/limits.ts'
import { requireWithin } from './within-limits.ts'

const REQUESTS = { perHour: 1_800, burst: 30 }
const CHECKS = { perHour: 1_200, burst: 200 }
const SHARE = 10
const HOURS = 24
const DAYS = 30

/** Who asks, and from where. Without an address (a job, an agent) nobody is a visitor. */
export interface Visit {
  readonly ip: string | undefined
  readonly caller: Caller
}

/** Whose use is counted: an account, or the address of a visitor. */
export type NamingSubject =
  | { readonly kind: 'account'; readonly id: string }
  /** `id` as of `addressSubject`. */
  | { readonly kind: 'visitor'; readonly id: string }

/** Whoever uses a publishable key is one of many: their address counts, whichever key they use. */
export function namingSubjectOf({ ip, caller }: Visit): NamingSubject {
  return caller.isPublishable && ip !== undefined
    ? { kind: 'visitor', id: addressSubject(ip) }
    : { kind: 'account', id: caller.accountId }
}

/** Fails with rate_limited, and with invalid_token if the operator gives visitors of the web app no allowance. */
export async function admitVisitor(ctx: Context, visit: Visit): Promise<void> {
  if (visit.caller.accountId === VISITORS && ctx.config.web.allowance === 0) throw new ApiError('invalid_token')
  await take(ctx, visit, { name: 'visit', ...REQUESTS })
}

/** Fails with rate_limited. Accepts any caller, but counts only visitors. */
export async function takeVisitorChecks(ctx: Context, visit: Visit, domains: number): Promise<void> {
  // A stream may check more domains than the burst. It is then the visitor's only one for a while.
  const burst = Math.max(CHECKS.burst, domains)
  await take(ctx, visit, { name: 'visit-checks', ...CHECKS, burst, cost: domains })
}

/** Fails with rate_limited. Accepts any caller, but only visitors have a share. */
export async function takeShare(ctx: Context, visit: Visit, names: number): Promise<void> {
  const { perDay, perMonth } = visit.caller.quota
  const daily = Math.min(perDay ?? Infinity, (perMonth ?? Infinity) / DAYS)
  // A key without a budget has none to use up.
  if (daily === Infinity) return
  const share = Math.max(1, daily / SHARE)
  // The first request may ask for as many names as any other caller's, however small the budget.
  const burst = Math.max(share, names)
  await take(ctx, visit, { name: 'visit-names', perHour: share / HOURS, burst, cost: names })
}

async function take(
  ctx: Context,
  { ip, caller }: Visit,
  bucket: { name: string; perHour: number; burst: number; cost?: number },
): Promise<void> {
  if (!caller.isPublishable || ip === undefined) return
  await requireWithin(ctx, [{ ...bucket, subject: `${caller.keyId} ${addressSubject(ip)}` }])
}
