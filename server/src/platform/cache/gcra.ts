/**
 * GCRA: a leaky bucket stored as one timestamp, the moment at which it will be empty again.
 *
 * The rule is implemented twice: in Lua, where Redis counts atomically for all nodes by its own clock, and in bounded
 * memory, for a process that counts on its own while Redis is down. A refused request costs nothing.
 */
import { LRUCache } from 'lru-cache'

export interface Bucket {
  /** The time until one more fits. */
  readonly stepMs: number
  /** How many fit at once. */
  readonly burst: number
  /** How many are taken, all or none; 1 by default. 0 only looks; only without Redis a negative number gives back. */
  readonly cost?: number | undefined
  /** What has been used already: taken also if it is more than fits, and owed until the bucket has leaked it. */
  readonly isUsed?: true | undefined
}

export interface Taken {
  readonly allowed: boolean
  /** How many more are allowed right now. */
  readonly remaining: number
  /** The time until the full burst is available again. */
  readonly resetMs: number
  /** The time until the next would be allowed; 0 when this one was. */
  readonly retryMs: number
}

/**
 * The head of a script: `take(key, stepMs, burst, cost or nil, used or nil)` → allowed (1 or 0), remaining, resetMs,
 * retryMs. See `takenOf`.
 */
export const GCRA = `
local function take(key, step, burst, cost, used)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local tat = math.max(tonumber(redis.call('GET', key) or now), now)
  local room = burst * step - (tat - now)
  local need = step * (cost or 1)
  if room < need and not used then return 0, math.max(0, math.floor(room / step)), math.ceil(tat - now), math.ceil(need - room) end
  tat = tat + need
  redis.call('SET', key, tat, 'PX', math.ceil(tat - now) + 1000)
  return 1, math.max(0, math.floor((room - need) / step)), math.ceil(tat - now), 0
end
`

/** Parses the four numbers that a script returned. */
export function takenOf([allowed, remaining, resetMs, retryMs]: readonly (string | number)[]): Taken {
  return {
    allowed: allowed === 1,
    remaining: Number(remaining),
    resetMs: Number(resetMs),
    retryMs: Number(retryMs),
  }
}

// More subjects than this during one outage only mean that some start anew.
const MAX_LOCAL = 10_000

/** `nodes`: how many processes count on their own at the same time; each allows an equal share. */
export function createLocalBuckets(now: () => number, nodes = 1): (key: string, bucket: Bucket) => Taken {
  const tats = new LRUCache<string, number>({ max: MAX_LOCAL })

  return function take(key, { cost = 1, isUsed = false, ...whole }) {
    const at = now()
    const stepMs = whole.stepMs * nodes
    // A cost that the full burst allows must also fit without Redis, at least on its own.
    const burst = Math.max(Math.ceil(whole.burst / nodes), Math.min(cost, whole.burst))
    const tat = Math.max(tats.peek(key) ?? at, at)
    const room = burst * stepMs - (tat - at)
    const needMs = stepMs * cost
    if (room < needMs && !isUsed) {
      const remaining = Math.max(0, Math.floor(room / stepMs))
      return { allowed: false, remaining, resetMs: tat - at, retryMs: needMs - room }
    }
    tats.set(key, tat + needMs)
    const remaining = Math.max(0, Math.floor((room - needMs) / stepMs))
    return { allowed: true, remaining, resetMs: tat + needMs - at, retryMs: 0 }
  }
}
