/**
 * Checked domains per account and day (UTC), against the plan's limit.
 *
 * They are counted in Redis and never in the database, so that checks go on while the primary is away. Without Redis
 * each process counts on its own, in bounded memory, and allows its share of the limit: one of `NAMEWRIGHT_NODES`.
 */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../model/errors.ts'
import type { AccountId, Caller } from '../../model/caller.ts'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import { checksName, periodsOf } from './rate.ts'

export interface Checks {
  /** All or none. Fails with checks_exceeded. */
  takeChecks(caller: Pick<Caller, 'accountId' | 'plan'>, domains: number): Promise<void>
  /** How many domains the account has checked today. */
  checksToday(account: AccountId): Promise<number>
}

// KEYS: the count of the day. ARGV: domains, limit or nothing, ttl. Returns whether they fit, and the count before.
const TAKE = `
local used = tonumber(redis.call('GET', KEYS[1]) or 0)
local wanted, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
if limit and used + wanted > limit then return {0, used} end
redis.call('SET', KEYS[1], used + wanted, 'PX', ARGV[3])
return {1, used}
`
const READ = `return {tonumber(redis.call('GET', KEYS[1]) or 0)}`
const DAY_MS = 86_400_000
// More accounts than this during one outage of Redis only mean that some start anew.
const MAX_LOCAL = 10_000

export function createChecks({ cache, now, nodes = 1 }: { cache: Cache; now: () => number; nodes?: number }): Checks {
  const local = new LRUCache<string, number>({ max: MAX_LOCAL })

  /** Returns how many were used before, and whether `domains` more fit. */
  async function take(name: string, domains: number, limit: number | null) {
    try {
      const [fits, used] = await cache.run(TAKE, [name], [domains, limit ?? '', DAY_MS])
      return { fits: fits === 1, used: Number(used) }
    } catch (error) {
      if (!(error instanceof CacheDown)) throw error
      const used = local.get(name) ?? 0
      const fits = limit === null || used + domains <= Math.ceil(limit / nodes)
      if (fits) local.set(name, used + domains)
      return { fits, used }
    }
  }

  return {
    async takeChecks({ accountId, plan }, domains) {
      const at = now()
      const limit = plan?.checksPerDay ?? null
      const { fits, used } = await take(checksName(accountId, periodsOf(at).day), domains, limit)
      if (fits || limit === null) return
      const retryAfter = Math.max(1, Math.ceil((DAY_MS - (at % DAY_MS)) / 1000))
      throw new ApiError('checks_exceeded', {
        retryAfter,
        params: { wanted: domains, left: Math.max(0, limit - used) },
      })
    },

    async checksToday(account) {
      const name = checksName(account, periodsOf(now()).day)
      try {
        const [used] = await cache.run(READ, [name], [])
        return Number(used)
      } catch (error) {
        if (error instanceof CacheDown) return local.get(name) ?? 0
        throw error
      }
    },
  }
}
