/**
 * Rate limits by GCRA: a leaky bucket stored as one timestamp, the moment at which it will be empty again.
 *
 * The rule is implemented twice: in Lua, where Redis counts atomically for all nodes by its own clock, and in bounded
 * memory, for a process that counts on its own while Redis is down. A refused request costs nothing.
 *
 * `openLimits` limits abuse, for the routes that unauthenticated people can reach: sign-in, sign-up, password reset,
 * consent, application registration, and pages that use a publishable key. One attempt counts in several buckets at
 * once: per address, per person, and for everybody. Their keys live on different nodes of a Redis Cluster, so each
 * bucket needs its own script. All scripts are sent in parallel, which on a single Redis is one round trip. When one
 * bucket refuses, the others are still charged: the attempt happened, and a refund would cost a second round trip.
 *
 * Never: stores an IP or email address in Redis or in memory; only its hash.
 */
import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { CacheDown } from '../cache/cache-down.ts'
import type { Cache } from '../cache/cache.ts'

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

export interface LimitBucket {
  /** The attempted action, such as `sign-in`. */
  readonly name: string
  /** The counted subject in canonical form: `addressSubject(ip)`, or an email address in lower case. */
  readonly subject: string
  readonly perHour: number
  readonly burst: number
  /** How many units one attempt costs; 1 by default. */
  readonly cost?: number
}

export interface Limits {
  /** `retryMs`: the time until all of these buckets would allow the attempt; 0 when they allowed it. */
  take(buckets: readonly LimitBucket[]): Promise<{ allowed: boolean; retryMs: number }>
  /** Counts what has been used already, also if it is more than is left. */
  charge(bucket: LimitBucket): Promise<void>
}

// KEYS: the bucket. ARGV: ms per attempt, burst, cost, and 1 for what has been used already.
const TAKE = `${GCRA}
return {take(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1')}
`
const HOUR_MS = 3_600_000

export interface LimitsOptions {
  readonly cache: Pick<Cache, 'run'>
  readonly now: () => number
  /** The number of nodes; each allows its share while Redis is down. */
  readonly nodes?: number
}

export function openLimits({ cache, now, nodes }: LimitsOptions): Limits {
  const takeLocally = createLocalBuckets(now, nodes)

  async function pass({ name, subject, perHour, burst, cost = 1 }: LimitBucket, isUsed?: true): Promise<Taken> {
    const key = `li:{${name}:${hash('sha256', subject)}}`
    const bucket = { stepMs: Math.ceil(HOUR_MS / perHour), burst, cost, isUsed }
    try {
      return takenOf(await cache.run(TAKE, [key], [bucket.stepMs, burst, cost, isUsed ? 1 : 0]))
    } catch (error) {
      if (error instanceof CacheDown) return takeLocally(key, bucket)
      throw error
    }
  }

  return {
    async take(buckets) {
      const taken = await Promise.all(buckets.map((bucket) => pass(bucket)))
      return {
        allowed: taken.every(({ allowed }) => allowed),
        retryMs: Math.max(0, ...taken.map(({ retryMs }) => retryMs)),
      }
    },
    async charge(bucket) {
      await pass(bucket, true)
    },
  }
}

/** Prefixes of an embedded IPv4 address: on a dual-stack socket, and behind a translator (RFC 6052). */
const HIDING_IPV4: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])

/**
 * The subject that a rate limit counts for an address: a whole IPv4 address, or the /64 of an IPv6 address. A /64 is
 * the least that a household or a rented machine gets, so counting single IPv6 addresses would limit nobody. A text that
 * is not an address is its own subject.
 */
export function addressSubject(ip: string | undefined): string {
  // A client on a Unix socket has no address.
  if (ip === undefined) return 'local'
  const [address = ''] = ip.split('%')
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  if (HIDING_IPV4.has(groups.slice(0, 6).join(':'))) {
    const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
    return bytes.flatMap((two) => [two >> 8, two & 0xff]).join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Always eight groups, in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = shortest.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
