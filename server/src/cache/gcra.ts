/**
 * GCRA: a leaky bucket kept as one timestamp, the moment at which it will be empty again.
 *
 * The rule stands here twice: as Lua, where Redis counts for all nodes by its own clock and there is nothing to race,
 * and as a bounded memory for a process that has to count for itself while Redis is away. Whoever is refused spends
 * nothing.
 */
export interface Bucket {
  /** One more fits after this long. */
  readonly stepMs: number
  /** How many fit at once. */
  readonly burst: number
  /** How many are taken, all or none; one unless told. */
  readonly cost?: number | undefined
}

export interface Taken {
  readonly allowed: boolean
  /** How many could follow at once. */
  readonly remaining: number
  /** Until the burst is whole again. */
  readonly resetMs: number
  /** Until the next would be allowed; 0 when this one was. */
  readonly retryMs: number
}

/** To head a script: `take(key, stepMs, burst, cost or nil)` → allowed (1 or 0), remaining, resetMs, retryMs. See `takenOf`. */
export const GCRA = `
local function take(key, step, burst, cost)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local tat = math.max(tonumber(redis.call('GET', key) or now), now)
  local room = burst * step - (tat - now)
  local need = step * (cost or 1)
  if room < need then return 0, math.max(0, math.floor(room / step)), math.ceil(tat - now), math.ceil(need - room) end
  tat = tat + need
  redis.call('SET', key, tat, 'PX', math.ceil(tat - now) + 1000)
  return 1, math.floor((room - need) / step), math.ceil(tat - now), 0
end
`

/** What the four numbers say that a script answered. */
export function takenOf([allowed, remaining, resetMs, retryMs]: readonly (string | number)[]): Taken {
  return {
    allowed: allowed === 1,
    remaining: Number(remaining),
    resetMs: Number(resetMs),
    retryMs: Number(retryMs),
  }
}

// More than these in the time of one outage only means that some start anew.
const MOST_LOCAL = 10_000

/** `nodes` is how many count for themselves at the same time: each of them admits an equal part. */
export function createLocalBuckets(now: () => number, nodes = 1): (key: string, bucket: Bucket) => Taken {
  /** The one that was allowed longest ago first. */
  const tats = new Map<string, number>()

  return function take(key, { cost = 1, ...whole }) {
    const at = now()
    const stepMs = whole.stepMs * nodes
    // What fits at once with Redis must fit without, too, if only alone.
    const burst = Math.max(Math.ceil(whole.burst / nodes), Math.min(cost, whole.burst))
    const tat = Math.max(tats.get(key) ?? at, at)
    const room = burst * stepMs - (tat - at)
    const needMs = stepMs * cost
    if (room < needMs) {
      const remaining = Math.max(0, Math.floor(room / stepMs))
      return { allowed: false, remaining, resetMs: tat - at, retryMs: needMs - room }
    }
    tats.delete(key)
    tats.set(key, tat + needMs)
    if (tats.size > MOST_LOCAL) tats.delete(tats.keys().next().value ?? key)
    return { allowed: true, remaining: Math.floor((room - needMs) / stepMs), resetMs: tat + needMs - at, retryMs: 0 }
  }
}
