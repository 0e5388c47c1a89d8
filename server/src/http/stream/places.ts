/**
 * Counts the open generate and check streams of an account on all nodes together: the plan limit "streams at once",
 * which the operator sets per account.
 *
 * A slot is a member of a sorted set with its expiry, so the streams of a dead node soon stop counting. Without Redis
 * each node counts its own.
 */
import { randomUUID } from 'node:crypto'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { AccountId } from '../../model/caller.ts'

export interface StreamPlaces {
  /** Undefined when the account has no slot left. */
  take(account: AccountId, most: number, maxDurationMs: number): Promise<AsyncDisposable | undefined>
}

// A slow reader still receives data after the work has ended.
const SLACK_MS = 60_000

// KEYS: the set. ARGV: this stream, the maximum number, its longest duration.
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return {0} end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
`
const LEAVE = `redis.call('ZREM', KEYS[1], ARGV[1]) return {}`

export function createStreamPlaces(cache: Pick<Cache, 'run'>): StreamPlaces {
  const local = new Map<AccountId, number>()

  function takeLocally(account: AccountId, most: number): AsyncDisposable | undefined {
    const open = local.get(account) ?? 0
    if (open >= most) return undefined
    local.set(account, open + 1)
    return {
      async [Symbol.asyncDispose]() {
        const rest = (local.get(account) ?? 0) - 1
        if (rest > 0) local.set(account, rest)
        else local.delete(account)
      },
    }
  }

  return {
    async take(account, most, maxDurationMs) {
      const [names, stream] = [[`o:{${account}}`], randomUUID()]
      try {
        const [taken] = await cache.run(TAKE, names, [stream, most, maxDurationMs + SLACK_MS])
        if (taken !== 1) return undefined
      } catch (error) {
        if (error instanceof CacheDown) return takeLocally(account, most)
        throw error
      }
      return { [Symbol.asyncDispose]: async () => void (await cache.run(LEAVE, names, [stream]).catch(() => {})) }
    },
  }
}
