/**
 * The rate limits of a key and its account: GCRA in Redis, so that all nodes count together (`platform/limits/limits.ts`).
 *
 * One script checks both limits; a request that either refuses is charged to neither. The same script reads the rest of
 * the leased block, so that a response can report it without a second round trip. Without Redis each process counts on
 * its own with the same rule and bounded memory, and allows its share of the rate: one of `NAMEWRIGHT_NODES`.
 *
 * It also has the names of everything that Redis counts for an account, and the days and months they count for.
 */
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import { createLocalBuckets, GCRA, takenOf, type Bucket, type Taken } from '../../platform/limits/limits.ts'
import type { AccountId, Caller } from '../../model/caller.ts'
import { accountBurstOf } from '../../model/plan.ts'

/** Suggestions left today and this month, as far as Redis knows; undefined when it does not know. */
interface RateBudget {
  readonly day?: number
  readonly month?: number
}

export interface Pass extends Taken {
  readonly budget?: RateBudget
  /** The same for the account, when its plan limits requests or names. */
  readonly account?: { readonly rate?: Taken; readonly budget?: RateBudget }
}

// KEYS: rate of the key, leased block, remaining of the account, rate of the account if it has one (same hash tag).
// ARGV: ms per request and burst of the key, the same of the account.
const ADMIT = `${GCRA}
local budget = redis.call('HMGET', KEYS[2], 'left', 'day', 'month')
local whole = redis.call('HMGET', KEYS[3], 'day', 'month')
local before = redis.call('GET', KEYS[1])
local allowed, remaining, reset, retry = take(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
local left = {budget[1] or '', budget[2] or '', budget[3] or '', whole[1] or '', whole[2] or ''}
local of_account = {'', '', '', ''}
if KEYS[4] and allowed == 1 then
  of_account = {take(KEYS[4], tonumber(ARGV[3]), tonumber(ARGV[4]))}
  if of_account[1] == 0 then
    if before then redis.call('SET', KEYS[1], before, 'PX', math.ceil(reset) + 1000) else redis.call('DEL', KEYS[1]) end
    allowed = 0
    remaining = remaining + 1
    retry = of_account[4]
  end
end
return {allowed, remaining, reset, retry, left[1], left[2], left[3], left[4], left[5],
  of_account[1], of_account[2], of_account[3], of_account[4]}
`

export function createRate({ cache, now, nodes }: { cache: Cache; now: () => number; nodes?: number | undefined }) {
  const takeLocally = createLocalBuckets(now, nodes)

  return async function admit(caller: Caller): Promise<Pass> {
    const { accountId, keyId, quota } = caller
    const bucket = bucketOf(quota.perMinute, quota.burst)
    const whole = accountBucketOf(caller)
    const { day } = periodsOf(now())
    const keys = [rateName(caller), blockName(caller, day), accountRemainingName(accountId, day)]
    const args = [bucket.stepMs, bucket.burst]
    try {
      const answer = whole
        ? await cache.run(ADMIT, [...keys, accountRateName(accountId)], [...args, whole.stepMs, whole.burst])
        : await cache.run(ADMIT, keys, args)
      return passOf(answer)
    } catch (error) {
      if (!(error instanceof CacheDown)) throw error
      const pass = takeLocally(keyId, bucket)
      if (!whole || !pass.allowed) return pass
      const rate = takeLocally(accountId, whole)
      if (rate.allowed) return { ...pass, account: { rate } }
      const givenBack = takeLocally(keyId, { ...bucket, cost: -1 })
      return { ...givenBack, allowed: false, retryMs: rate.retryMs, account: { rate } }
    }
  }
}

function bucketOf(perMinute: number, burst: number): Bucket {
  return { stepMs: 60_000 / perMinute, burst }
}

function accountBucketOf({ plan }: Caller): Bucket | undefined {
  const perMinute = plan?.requestsPerMinute ?? null
  return perMinute === null ? undefined : bucketOf(perMinute, accountBurstOf(perMinute))
}

function passOf(answer: readonly (string | number)[]): Pass {
  const [left = '', day = '', month = '', accountDay = '', accountMonth = '', ...ofAccount] = answer.slice(4)
  const rate = ofAccount[0] === '' ? undefined : takenOf(ofAccount)
  // Units that the key has leased still count as remaining for the account, through this key.
  const accountBudget = budgetOf(left === '' ? 0 : left, accountDay, accountMonth)
  const account = { ...(rate ? { rate } : {}), ...(accountBudget ? { budget: accountBudget } : {}) }
  return {
    ...takenOf(answer),
    ...(left === '' ? {} : { budget: budgetOf(left, day, month) ?? {} }),
    ...(rate || accountBudget ? { account } : {}),
  }
}

function budgetOf(left: string | number, day: string | number, month: string | number): RateBudget | undefined {
  if (day === '' && month === '') return undefined
  return {
    ...(day === '' ? {} : { day: Number(day) + Number(left) }),
    ...(month === '' ? {} : { month: Number(month) + Number(left) }),
  }
}

/** The UTC day and month of a point in time; budgets reset with them. */
export interface Periods {
  /** `2026-11-15` and `2026-11-01`. */
  readonly day: string
  readonly month: string
  readonly nextDayMs: number
  readonly nextMonthMs: number
}

export function periodsOf(atMs: number): Periods {
  const at = new Date(atMs)
  const day = at.toISOString().slice(0, 10)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return {
    day,
    month: `${day.slice(0, 7)}-01`,
    nextDayMs: Date.UTC(year, month, at.getUTCDate() + 1),
    nextMonthMs: Date.UTC(year, month + 1, 1),
  }
}

// The Redis keys of an account and its API keys: the braces keep all of them on one node of a cluster.

type CountedCredential = Pick<Caller, 'accountId' | 'keyId'>

export function rateName({ accountId, keyId }: CountedCredential): string {
  return `r:{${accountId}}:${keyId}`
}

export function accountRateName(account: AccountId): string {
  return `r:{${account}}`
}

/** The prefix of every block, and of no other key. */
export const BLOCK_NAMES = 'q:{'

export function blockName({ accountId, keyId }: CountedCredential, day: string): string {
  return `${BLOCK_NAMES}${accountId}}:${keyId}:${day}`
}

/** Of each commit with an unknown outcome: the key, the block that it spends from, and the name of that block. */
export function lostCommitsName(account: AccountId): string {
  return `l:{${account}}`
}

/** The domains that the account has checked on that day. */
export function checksName(account: AccountId, day: string): string {
  return `c:{${account}}:${day}`
}

/** The units that the account had left to lease on that day, as of its last lease. */
export function accountRemainingName(account: AccountId, day: string): string {
  return `a:{${account}}:${day}`
}
