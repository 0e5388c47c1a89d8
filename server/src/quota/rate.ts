/**
 * How often a key may call: GCRA in Redis, so that all nodes count together (`cache/gcra.ts`).
 *
 * The same script reads what is left of the leased block, so that an answer can say so without a second round trip.
 * Without Redis each process counts for itself with the same rule and a bounded memory, and admits its part of the rate:
 * one of `NAMEWRIGHT_NODES`.
 */
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'
import { createLocalBuckets, GCRA, takenOf } from '../cache/gcra.ts'
import type { Taken } from '../cache/gcra.ts'
import type { Caller } from '../model/caller.ts'
import { rateName } from './redis-names.ts'

export interface Pass extends Taken {
  /** Suggestions left today and this month, as far as Redis knows; undefined when it does not. */
  readonly budget?: { readonly day?: number; readonly month?: number }
}

// KEYS: the rate, the leased block (same hash tag). ARGV: ms per request, burst.
const ADMIT = `${GCRA}
local budget = redis.call('HMGET', KEYS[2], 'left', 'day', 'month')
local allowed, remaining, reset, retry = take(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
return {allowed, remaining, reset, retry, budget[1] or '', budget[2] or '', budget[3] or ''}
`

export function createRate({
  cache,
  now,
  nodes,
  blockKey,
}: {
  cache: Cache
  now: () => number
  nodes?: number | undefined
  blockKey: (caller: Caller) => string
}) {
  const takeLocally = createLocalBuckets(now, nodes)

  return async function admit(caller: Caller): Promise<Pass> {
    const { keyId, quota } = caller
    const bucket = { stepMs: 60_000 / quota.perMinute, burst: quota.burst }
    try {
      const answer = await cache.run(ADMIT, [rateName(keyId), blockKey(caller)], [bucket.stepMs, bucket.burst])
      const pass = takenOf(answer)
      const [left, day, month] = answer.slice(4)
      if (left === '' || left === undefined) return pass
      const budget = {
        ...(day === '' ? {} : { day: Number(day) + Number(left) }),
        ...(month === '' ? {} : { month: Number(month) + Number(left) }),
      }
      return { ...pass, budget }
    } catch (error) {
      if (error instanceof CacheDown) return takeLocally(keyId, bucket)
      throw error
    }
  }
}
