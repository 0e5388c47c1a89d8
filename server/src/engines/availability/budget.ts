/**
 * Throttles the lookups at an external host (an RDAP server, a registrar): one budget per host, shared by all nodes.
 *
 * Registries publish no rate limits, so the rate is learned (AIMD): it starts low, grows by a tenth for every minute
 * in which it was used without a "too many requests" response, and is halved after such a response. Until the host's
 * Retry-After has passed, the host is not called at all. The bucket is GCRA, one timestamp. A caller with many
 * lookups takes several tokens at once, so that it pays one Redis round trip per batch.
 *
 * One Lua script on one key decides everything with Redis's own clock: no races, no clocks to compare. Without Redis
 * each process continues alone with its share, the last known rate divided by the number of nodes, and learns by the
 * same rules.
 *
 * Background work takes a `share`: it has a second bucket with that part of the rate, takes nothing while the host's
 * own bucket is below the part reserved for waiting callers, and never makes the rate grow. While Redis is down it takes
 * nothing, because the use by other nodes is then unknown. A single node without Redis knows all use.
 *
 * A host that publishes its interval has exactly that rate, and a burst of one.
 *
 * A token that was taken and not used is lost. That costs a moment and keeps the rate limit simple.
 */
import { LRUCache } from 'lru-cache'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'

export interface LookupBudget {
  /** How many of the `wanted` lookups may be sent to the host now. */
  take(host: string, wanted: number): Promise<number>
  /** The host has responded "too many requests". `retryAfterMs`: its Retry-After. */
  limited(host: string, retryAfterMs?: number): Promise<void>
  /** Lookups per second for this caller, as last read from Redis. */
  rateOf(host: string): number
  /** After a `take` that granted less than wanted: milliseconds until a retry makes sense. */
  waitOf(host: string): number
}

export interface BudgetOptions {
  readonly cache: Pick<Cache, 'run'>
  readonly now: () => number
  /** Lookups per second to a host whose limit is not known yet. */
  readonly start?: number
  /** The most lookups per second, for a host that publishes its limit. */
  readonly ceiling?: number
  /** Milliseconds between two lookups, by host, for hosts that publish it. */
  readonly intervals?: ReadonlyMap<string, number>
  readonly nodes?: number
  /** The share of the rate and burst that background work gets; 1 for everything else. */
  readonly share?: number
  /** What is known of each host, if another budget of this process uses the same hosts. */
  readonly hosts?: BudgetHosts
  /** This process is the only one, so that background work may go on without Redis. */
  readonly isAlone?: boolean
}

// Every RDAP server whose limit was ever reported allows this much.
const START_PER_SECOND = 1
// One per minute: less is of no use to a waiting caller. A host that refuses even this is left to the circuit
// breaker.
const FLOOR_PER_SECOND = 1 / 60
// Reported limits end at about 5 per second. A registry that allows more will have agreed on it with the operator.
const CEILING_PER_SECOND = 20
// One request checks a handful of names. It should not wait a second for each while nobody else calls the host.
const BURST_MIN = 5
const GROW_MS = 60_000
// Requests in flight at the first "too many requests" response get one too. They count as one event.
const SAME_EVENT_MS = 2_000
// A longer back-off is a clock error of the host or of this node. A learned rate is not worth keeping longer either.
const MAX_MS = 24 * 60 * 60 * 1000
// For background work: how long to wait before trying Redis again.
const DOWN_MS = 10_000
// About 400 hosts are known.
const MAX_HOSTS = 4_096

// KEYS: the host. ARGV: wanted, initial rate, ceiling, share, smallest burst. Returns: granted, rate, ms until the next token. `used`
// counts the grants since `since`: a rate that was not used teaches nothing and is not raised.
const READ = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'rate', 'tat', 'since', 'used', 'not_before', 'halved', 'shared_tat')
local rate, tat = tonumber(known[1]), tonumber(known[2] or now)
local since, used = tonumber(known[3] or now), tonumber(known[4] or 0)
local notBefore, halved = tonumber(known[5] or 0), tonumber(known[6] or 0)
local sharedTat = tonumber(known[7] or now)
local function keep()
  redis.call('HSET', KEYS[1], 'rate', tostring(rate), 'tat', string.format('%.3f', tat), 'since', since, 'used', used,
    'not_before', notBefore, 'halved', halved, 'shared_tat', string.format('%.3f', sharedTat))
  redis.call('PEXPIRE', KEYS[1], ${2 * MAX_MS})
end
`

const TAKE = `${READ}
local wanted, ceiling, share, least = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
rate = math.min(ceiling, rate or tonumber(ARGV[2]))
if now < notBefore then return {0, tostring(rate), notBefore - now} end
if now - since >= ${GROW_MS} then
  if used >= rate * ${GROW_MS / 1000} / 2 then rate = math.min(ceiling, rate * 1.1) end
  since, used = now, 0
end
local step = 1000 / rate
tat = math.max(tat, now)
local burst = math.max(least, rate)
local room = burst * step - (tat - now)
if share < 1 then
  local sharedStep = step / share
  sharedTat = math.max(sharedTat, now)
  local sharedRoom = math.max(1, burst * share) * sharedStep - (sharedTat - now)
  -- Of a single token no part can be kept for others.
  local left = room - (burst > 1 and burst * (1 - share) * step or 0)
  local granted = math.max(0, math.min(wanted, math.floor(left / step), math.floor(sharedRoom / sharedStep)))
  tat, sharedTat = tat + granted * step, sharedTat + granted * sharedStep
  keep()
  local wait = math.max(step - (left - granted * step), sharedStep - (sharedRoom - granted * sharedStep))
  return {granted, tostring(rate), math.max(0, math.ceil(wait))}
end
local granted = math.max(0, math.min(wanted, math.floor(room / step)))
tat, used = tat + granted * step, used + granted
keep()
return {granted, tostring(rate), math.max(0, math.ceil(step - (room - granted * step)))}
`

// ARGV: back-off in ms, initial rate, smallest burst. The bucket is emptied: the host has just shown that it accepts no more.
const LIMITED = `${READ}
rate = rate or tonumber(ARGV[2])
if now - halved >= ${SAME_EVENT_MS} then
  rate, halved = math.max(${FLOOR_PER_SECOND}, rate / 2), now
end
since, used = now, 0
notBefore = math.max(notBefore, now + tonumber(ARGV[1]))
local step = 1000 / rate
tat = math.max(notBefore, now + step) + (math.max(tonumber(ARGV[3]), rate) - 1) * step
keep()
return {0, tostring(rate), math.max(notBefore - now, math.ceil(step))}
`

/** The last known state of a host, and the local bucket used without Redis. */
interface KnownBudget {
  rate: number
  readonly leastBurst: number
  tat: number
  /** The same for background work. */
  sharedTat: number
  /** From the host's own Retry-After. Also kept here, so that it holds when Redis is down or has lost it. */
  notBefore: number
  halvedAt: number
  /** What the local bucket has granted since then. */
  used: number
  since: number
}

export type BudgetHosts = LRUCache<string, KnownBudget>

export function createBudgetHosts(): BudgetHosts {
  return new LRUCache({ max: MAX_HOSTS })
}

export function openBudget(options: BudgetOptions): LookupBudget {
  const { cache, now, start = START_PER_SECOND, intervals, nodes = 1, share = 1, isAlone = false } = options
  const { ceiling = Math.max(CEILING_PER_SECOND, start) } = options
  const { hosts = createBudgetHosts() } = options
  /** No tokens before these times. */
  const waits = new LRUCache<string, number>({ max: MAX_HOSTS })

  /** What a host's rate starts with, its limit, and the burst that it allows at least. */
  function limitsOf(host: string) {
    const everyMs = intervals?.get(host)
    if (everyMs === undefined) return { first: start, most: ceiling, leastBurst: BURST_MIN }
    return { first: 1000 / everyMs, most: 1000 / everyMs, leastBurst: 1 }
  }

  function knownOf(host: string): KnownBudget {
    const { first, leastBurst } = limitsOf(host)
    const known = hosts.get(host) ?? {
      rate: first,
      leastBurst,
      tat: 0,
      sharedTat: 0,
      notBefore: 0,
      halvedAt: -Infinity,
      used: 0,
      since: now(),
    }
    hosts.set(host, known)
    return known
  }

  /** Undefined without Redis. */
  async function ask(
    script: string,
    host: string,
    known: KnownBudget,
    args: readonly number[],
  ): Promise<number | undefined> {
    try {
      const [granted, rate, waitMs] = await cache.run(script, [`bu:1:{${host}}`], args)
      known.rate = Number(rate)
      waits.set(host, now() + Number(waitMs))
      // While Redis responds the local bucket stays empty: its tokens accrue from the last Redis response.
      const { step, burst } = shareOf(known)
      known.tat = now() + burst * step
      return Number(granted)
    } catch (error) {
      if (error instanceof CacheDown) return undefined
      throw error
    }
  }

  /** The local bucket without Redis: ms per token, and tokens. */
  function shareOf({ rate, leastBurst }: KnownBudget) {
    return { step: (1000 * nodes) / rate, burst: Math.max(1, Math.max(leastBurst, rate) / nodes) }
  }

  function takeAlone(host: string, known: KnownBudget, wanted: number, most: number): number {
    const at = now()
    if (at - known.since >= GROW_MS) {
      const isUsed = known.used >= ((known.rate / nodes) * GROW_MS) / 2000
      if (isUsed) known.rate = Math.min(most, known.rate * 1.1)
      known.used = 0
      known.since = at
    }
    const { step, burst } = shareOf(known)
    known.tat = Math.max(known.tat, at)
    const room = burst * step - (known.tat - at)
    if (share === 1) {
      const granted = Math.max(0, Math.min(wanted, Math.floor(room / step)))
      known.tat += granted * step
      known.used += granted
      waits.set(host, at + Math.max(0, step - (room - granted * step)))
      return granted
    }
    const sharedStep = step / share
    known.sharedTat = Math.max(known.sharedTat, at)
    const sharedRoom = Math.max(1, burst * share) * sharedStep - (known.sharedTat - at)
    // Of a single token no part can be kept for others.
    const left = room - (burst > 1 ? burst * (1 - share) * step : 0)
    const granted = Math.max(0, Math.min(wanted, Math.floor(left / step), Math.floor(sharedRoom / sharedStep)))
    known.tat += granted * step
    known.sharedTat += granted * sharedStep
    const waitMs = Math.max(step - (left - granted * step), sharedStep - (sharedRoom - granted * sharedStep))
    waits.set(host, at + Math.max(0, waitMs))
    return granted
  }

  return {
    async take(host, wanted) {
      const known = knownOf(host)
      if (wanted <= 0 || known.notBefore > now()) return 0
      // If Redis has lost the host, it restarts at the rate known to this process, if that is lower.
      const { first, most, leastBurst } = limitsOf(host)
      const granted = await ask(TAKE, host, known, [wanted, Math.min(first, known.rate), most, share, leastBurst])
      if (granted !== undefined) return granted
      if (share === 1 || isAlone) return takeAlone(host, known, wanted, most)
      waits.set(host, now() + DOWN_MS)
      return 0
    },

    async limited(host, retryAfterMs = 0) {
      const known = knownOf(host)
      const at = now()
      const downMs = Math.min(Math.ceil(retryAfterMs), MAX_MS)
      const rateBefore = known.rate
      known.notBefore = Math.max(known.notBefore, at + downMs)
      const { first, leastBurst } = limitsOf(host)
      if ((await ask(LIMITED, host, known, [downMs, Math.min(first, rateBefore), leastBurst])) !== undefined) return
      known.used = 0
      known.since = at
      if (at - known.halvedAt >= SAME_EVENT_MS) {
        known.halvedAt = at
        known.rate = Math.max(FLOOR_PER_SECOND, rateBefore / 2)
      }
      const { step, burst } = shareOf(known)
      known.tat = Math.max(known.notBefore, at + step) + (burst - 1) * step
    },

    rateOf: (host) => (hosts.get(host)?.rate ?? limitsOf(host).first) * share,

    waitOf(host) {
      const known = hosts.get(host)
      return known === undefined ? 0 : Math.max(0, Math.max(waits.get(host) ?? 0, known.notBefore) - now())
    },
  }
}
