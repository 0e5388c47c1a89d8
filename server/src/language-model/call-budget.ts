/**
 * How many calls to the model the operator pays for in a day: of all accounts together, and of one account.
 *
 * Counted in Redis, in one step, so that many nodes cannot exceed it. While Redis is down there is no call: the
 * built-in naming goes on, and a budget that nobody counts is none.
 */
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
        if (error instanceof CacheDown) return 0
        throw error
      }
    },
  }
}
