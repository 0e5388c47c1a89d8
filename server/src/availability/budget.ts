/**
 * How often a host outside may be asked: one budget per host, shared by all nodes.
 *
 * Registries publish no limits, so the rate is found by asking: it starts low, grows by a tenth for every minute in
 * which it was used and nobody complained, and is halved when the host says "too many" (AIMD). Until the host's
 * Retry-After has passed nobody asks it at all. The bucket itself is GCRA, one timestamp; who has many questions takes
 * several tokens at once, so that a round trip to Redis is paid per batch.
 *
 * Everything is decided by one script on one key with Redis's own clock: nothing to race, no clocks to compare.
 * Without Redis each process goes on alone with its share, the last known rate divided by the number of nodes.
 *
 * Work that nobody waits for takes a `share`: it has a second bucket of so much of the rate, takes nothing while the
 * host's own bucket is below what is left for the others, and never makes the rate grow. Without Redis it takes nothing
 * at all, because then nobody knows what the others take.
 *
 * A token that was taken and not used is lost; that costs a moment and keeps the promise to the host simple.
 */
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'

export interface Budget {
  /** How many of `wanted` questions may be sent to the host now. */
  take(host: string, wanted: number): Promise<number>
  /** The host has said that it was too much. `retryAfterMs`: what it said of coming back. */
  limited(host: string, retryAfterMs?: number): Promise<void>
  /** Questions per second for who asks here, as last heard. */
  rateOf(host: string): number
  /** After a `take` that gave less than wanted: until it is worth asking again. */
  waitOf(host: string): number
}

export interface BudgetOptions {
  readonly cache: Pick<Cache, 'run'>
  readonly now: () => number
  /** Questions per second to a host of which nothing is known yet. */
  readonly start?: number
  readonly nodes?: number
  /** Of the rate and of the burst, for who can wait; 1 for everybody else. */
  readonly share?: number
}

// What every RDAP server whose limit was ever reported has allowed.
const START_PER_SECOND = 1
// One a minute: less is of no use to anybody who waits, and a host that refuses even this is the breaker's case.
const FLOOR_PER_SECOND = 1 / 60
// Reported limits end at about 5 a second; a registry that means more will have agreed on it with the operator.
const CEILING_PER_SECOND = 20
// One person's question is a handful of names. It should not wait for a second each while nobody else asks.
const BURST_MIN = 5
const GROW_MS = 60_000
// Those on their way when the first complaint came complain too; that is one event, not several.
const SAME_EVENT_MS = 2_000
// Longer is a mistake of the host's clock or ours, and a learned rate is not worth more than that either.
const LONGEST_MS = 24 * 60 * 60 * 1000
// For who can wait, until Redis is asked again whether it is back.
const AWAY_MS = 10_000
// Known hosts are about 400.
const MOST_HOSTS = 4_096

// KEYS: the host. ARGV: wanted, rate to start with, ceiling, share. Answers: granted, rate, ms until the next token.
// `used` counts the grants since `since`: a rate that nobody needed teaches nothing and is not raised.
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
  redis.call('PEXPIRE', KEYS[1], ${2 * LONGEST_MS})
end
`

const TAKE = `${READ}
local wanted, ceiling, share = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
rate = rate or tonumber(ARGV[2])
if now < notBefore then return {0, tostring(rate), notBefore - now} end
if now - since >= ${GROW_MS} then
  if used >= rate * ${GROW_MS / 1000} / 2 then rate = math.min(ceiling, rate * 1.1) end
  since, used = now, 0
end
local step = 1000 / rate
tat = math.max(tat, now)
local room = math.max(${BURST_MIN}, rate) * step - (tat - now)
if share < 1 then
  local burst, sharedStep = math.max(${BURST_MIN}, rate), step / share
  sharedTat = math.max(sharedTat, now)
  local sharedRoom = math.max(1, burst * share) * sharedStep - (sharedTat - now)
  local left = room - burst * (1 - share) * step
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

// ARGV: ms to keep away, rate to start with. The bucket is emptied: the host has just shown that it has no room.
const LIMITED = `${READ}
rate = rate or tonumber(ARGV[2])
if now - halved >= ${SAME_EVENT_MS} then
  rate, halved = math.max(${FLOOR_PER_SECOND}, rate / 2), now
end
since, used = now, 0
notBefore = math.max(notBefore, now + tonumber(ARGV[1]))
local step = 1000 / rate
tat = math.max(notBefore, now + step) + (math.max(${BURST_MIN}, rate) - 1) * step
keep()
return {0, tostring(rate), math.max(notBefore - now, math.ceil(step))}
`

/** What this process last heard of a host, and its own bucket for the time without Redis. */
interface Known {
  rate: number
  tat: number
  /** Until then there is nothing to get. */
  waitUntil: number
  /** By the host's own word; kept here too, so that it holds when Redis has gone or forgotten. */
  notBefore: number
  halvedAt: number
}

export function openBudget(options: BudgetOptions): Budget {
  const { cache, now, start = START_PER_SECOND, nodes = 1, share = 1 } = options
  const ceiling = Math.max(CEILING_PER_SECOND, start)
  /** The longest unused first. */
  const hosts = new Map<string, Known>()

  function knownOf(host: string): Known {
    const known = hosts.get(host) ?? { rate: start, tat: 0, waitUntil: 0, notBefore: 0, halvedAt: -Infinity }
    hosts.delete(host)
    hosts.set(host, known)
    if (hosts.size > MOST_HOSTS) hosts.delete(hosts.keys().next().value ?? host)
    return known
  }

  /** Undefined without Redis. */
  async function ask(script: string, host: string, known: Known, args: readonly number[]): Promise<number | undefined> {
    try {
      const [granted, rate, waitMs] = await cache.run(script, [`bu:1:{${host}}`], args)
      known.rate = Number(rate)
      known.waitUntil = now() + Number(waitMs)
      // While Redis speaks the own bucket stays empty: its tokens are those of the time since Redis was last heard.
      const { step, burst } = shareOf(known)
      known.tat = now() + burst * step
      return Number(granted)
    } catch (error) {
      if (error instanceof CacheDown) return undefined
      throw error
    }
  }

  /** Of the bucket of a process on its own: ms per token, and tokens. */
  function shareOf({ rate }: Known) {
    return { step: (1000 * nodes) / rate, burst: Math.max(1, Math.max(BURST_MIN, rate) / nodes) }
  }

  function takeAlone(known: Known, wanted: number): number {
    const at = now()
    const { step, burst } = shareOf(known)
    known.tat = Math.max(known.tat, at)
    const room = burst * step - (known.tat - at)
    const granted = Math.max(0, Math.min(wanted, Math.floor(room / step)))
    known.tat += granted * step
    known.waitUntil = at + Math.max(0, step - (room - granted * step))
    return granted
  }

  return {
    async take(host, wanted) {
      const known = knownOf(host)
      if (wanted <= 0 || known.notBefore > now()) return 0
      // A Redis that has forgotten the host starts again at what this process knows, if that is slower.
      const granted = await ask(TAKE, host, known, [wanted, Math.min(start, known.rate), ceiling, share])
      if (granted !== undefined || share === 1) return granted ?? takeAlone(known, wanted)
      known.waitUntil = now() + AWAY_MS
      return 0
    },

    async limited(host, retryAfterMs = 0) {
      const known = knownOf(host)
      const at = now()
      const awayMs = Math.min(Math.ceil(retryAfterMs), LONGEST_MS)
      const rateBefore = known.rate
      known.notBefore = Math.max(known.notBefore, at + awayMs)
      if ((await ask(LIMITED, host, known, [awayMs, Math.min(start, rateBefore)])) !== undefined) return
      if (at - known.halvedAt >= SAME_EVENT_MS) {
        known.halvedAt = at
        known.rate = Math.max(FLOOR_PER_SECOND, rateBefore / 2)
      }
      const { step, burst } = shareOf(known)
      known.tat = Math.max(known.notBefore, at + step) + (burst - 1) * step
    },

    rateOf: (host) => (hosts.get(host)?.rate ?? start) * share,

    waitOf(host) {
      const known = hosts.get(host)
      return known === undefined ? 0 : Math.max(0, Math.max(known.waitUntil, known.notBefore) - now())
    },
  }
}
