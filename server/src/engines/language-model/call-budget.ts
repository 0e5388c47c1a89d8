/**
 * How many calls to the model the operator pays for in a day: of all accounts together, and of one account.
 *
 * Counted in Redis, in one step, so that many nodes cannot exceed it, before the call: one whose caller hangs up is paid
 * for like any other. While Redis is down there is no call if all accounts together have a budget: the built-in naming
 * goes on, and a budget that nobody counts is none. That of one account alone each node then counts on its own, since it
 * only shares out what is not limited.
 */
import { LRUCache } from 'lru-cache'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'

export interface CallsPerDay {
  /** Undefined: unlimited. */
  readonly total: number | undefined
  readonly perAccount: number | undefined
}

export interface CallBudget {
  /** Whether one more call may be made. */
  take(account: string): Promise<boolean>
}

const DAY_MS = 86_400_000
const MAX_LOCAL = 10_000

// KEYS: the count of all, the count of the account. ARGV: the two limits, -1 for none, and the time to live.
const TAKE = `
for i = 1, 2 do
  local limit = tonumber(ARGV[i])
  if limit >= 0 and tonumber(redis.call('GET', KEYS[i]) or 0) >= limit then return {0} end
end
for i = 1, 2 do
  redis.call('INCR', KEYS[i])
  redis.call('PEXPIRE', KEYS[i], ARGV[3])
end
return {1}
`

export function createCallBudget(
  cache: Pick<Cache, 'run'>,
  { total, perAccount }: CallsPerDay,
  now: () => number,
): CallBudget {
  const local = new LRUCache<string, number>({ max: MAX_LOCAL })

  function takeLocally(key: string, limit: number): boolean {
    const before = local.get(key) ?? 0
    if (before >= limit) return false
    local.set(key, before + 1)
    return true
  }

  return {
    async take(account) {
      if (total === undefined && perAccount === undefined) return true
      const day = Math.floor(now() / DAY_MS)
      // One hash tag: on a cluster both keys must be on one node.
      const keys = [`{model-calls}:${day}`, `{model-calls}:${day}:${account}`]
      try {
        const [taken] = await cache.run(TAKE, keys, [total ?? -1, perAccount ?? -1, DAY_MS])
        return taken === 1
      } catch (error) {
        if (!(error instanceof CacheDown)) throw error
        return total === undefined && takeLocally(`${day} ${account}`, perAccount ?? Infinity)
      }
    },
  }
}
