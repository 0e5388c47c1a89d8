/**
 * How often a key may call: GCRA (the leaky bucket as one timestamp), in Redis, so that all nodes count together.
 *
 * One script, one key, Redis's own clock: nothing to race. Without Redis each process counts for itself with the
 * same rule and a bounded memory; a fleet then admits up to its number of nodes times the rate, for as long as Redis
 * is away.
 */
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'
import type { Caller } from '../model/caller.ts'

export interface Pass {
  readonly allowed: boolean
  /** Requests that could follow at once. */
  readonly remaining: number
  /** Until the burst is whole again. */
  readonly resetMs: number
  /** Until the next request would be allowed; 0 when this one was. */
  readonly retryMs: number
  /** Suggestions left today and this month, as far as Redis knows; undefined when it does not. */
  readonly budget?: { readonly day?: number; readonly month?: number }
}

// KEYS: the rate, the leased block (same hash tag). ARGV: ms per request, burst.
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local step, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local budget = redis.call('HMGET', KEYS[2], 'left', 'day', 'month')
local room = burst * step - (tat - now)
if room < step then
  return {0, 0, math.ceil(tat - now), math.ceil(step - room), budget[1] or '', budget[2] or '', budget[3] or ''}
end
tat = tat + step
redis.call('SET', KEYS[1], tat, 'PX', math.ceil(tat - now) + 1000)
return {1, math.floor((room - step) / step), math.ceil(tat - now), 0, budget[1] or '', budget[2] or '', budget[3] or ''}
`

const MOST_LOCAL = 10_000

export function createRate({
  cache,
  now,
  blockKey,
}: {
  cache: Cache
  now: () => number
  blockKey: (caller: Caller) => string
}) {
  const local = new Map<string, number>()

  function admitLocally({ keyId, quota }: Caller): Pass {
    const at = now()
    const step = 60_000 / quota.perMinute
    const tat = Math.max(local.get(keyId) ?? at, at)
    const room = quota.burst * step - (tat - at)
    if (room < step) return { allowed: false, remaining: 0, resetMs: tat - at, retryMs: step - room }
    local.delete(keyId)
    local.set(keyId, tat + step)
    if (local.size > MOST_LOCAL) local.delete(local.keys().next().value ?? keyId)
    return { allowed: true, remaining: Math.floor((room - step) / step), resetMs: tat + step - at, retryMs: 0 }
  }

  return async function admit(caller: Caller): Promise<Pass> {
    const { keyId, quota } = caller
    try {
      const answer = await cache.run(ADMIT, [`r:{${keyId}}`, blockKey(caller)], [60_000 / quota.perMinute, quota.burst])
      const [allowed, remaining, resetMs, retryMs, left, day, month] = answer
      const pass = {
        allowed: allowed === 1,
        remaining: Number(remaining),
        resetMs: Number(resetMs),
        retryMs: Number(retryMs),
      }
      if (left === '' || left === undefined) return pass
      const budget = {
        ...(day === '' ? {} : { day: Number(day) + Number(left) }),
        ...(month === '' ? {} : { month: Number(month) + Number(left) }),
      }
      return { ...pass, budget }
    } catch (error) {
      if (error instanceof CacheDown) return admitLocally(caller)
      throw error
    }
  }
}
