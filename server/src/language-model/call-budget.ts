/**
 * How many calls to the model the operator pays for in a day: of all accounts together, and of one account.
 *
 * Counted in Redis, in one step, so that many nodes cannot exceed it, before the call: one whose caller hangs up is paid
 * for like any other. While Redis is down there is no call if all accounts together have a budget: the built-in naming
 * goes on, and a budget that nobody counts is none. That of one account alone each node then counts on its own, since it
 * only shares out what is not limited.
 */
import { LRUCache } from 'lru-cache'
import { CacheDown } from '../platform/cache/cache.ts'
import type { Cache } from '../platform/cache/cache.ts'

export interface CallsPerDay {
  /** Undefined: unlimited. */
  readonly total: number | undefined
  readonly perAccount: number | undefined
}

export interface CallBudget {
  /** How many of so many calls may be made. */
  take(account: string, calls: number): Promise<number>
}

const DAY_MS = 86_400_000
const MAX_LOCAL = 10_000

// KEYS: the count of all, the count of the account. ARGV: the two limits, -1 for none, the time to live, and the calls.
const TAKE = `
local calls = tonumber(ARGV[4])
for i = 1, 2 do
  local limit = tonumber(ARGV[i])
  if limit >= 0 then calls = math.min(calls, limit - tonumber(redis.call('GET', KEYS[i]) or 0)) end
end
if calls <= 0 then return {0} end
for i = 1, 2 do
  redis.call('INCRBY', KEYS[i], calls)
  redis.call('PEXPIRE', KEYS[i], ARGV[3])
end
return {calls}
`

export function createCallBudget(
  cache: Pick<Cache, 'run'>,
  { total, perAccount }: CallsPerDay,
  now: () => number,
): CallBudget {
  const local = new LRUCache<string, number>({ max: MAX_LOCAL })

  function takeLocally(key: string, limit: number, calls: number): number {
    const before = local.get(key) ?? 0
    const taken = Math.max(0, Math.min(calls, limit - before))
    local.set(key, before + taken)
    return taken
  }

  return {
    async take(account, calls) {
      if (total === undefined && perAccount === undefined) return calls
      const day = Math.floor(now() / DAY_MS)
      // One hash tag: on a cluster both keys must be on one node.
      const keys = [`{model-calls}:${day}`, `{model-calls}:${day}:${account}`]
      try {
        const [taken] = await cache.run(TAKE, keys, [total ?? -1, perAccount ?? -1, DAY_MS, calls])
        return Number(taken)
      } catch (error) {
        if (!(error instanceof CacheDown)) throw error
        return total === undefined ? takeLocally(`${day} ${account}`, perAccount ?? Infinity, calls) : 0
      }
    },
  }
}
