/**
 * Rate limits against abuse, for the routes that unauthenticated people can reach: sign-in, sign-up, password reset,
 * consent, application registration, and pages that use a publishable key.
 *
 * One attempt counts in several limit buckets at once: per address, per person, and for everybody
 * (`platform/cache/gcra.ts`). Their keys live on different nodes of a Redis Cluster, so each bucket needs its own
 * script. All scripts are sent in parallel, which on a single Redis is one round trip. When one bucket refuses, the
 * others are still charged: the attempt happened, and a refund would cost a second round trip.
 *
 * Never: stores an IP or email address in Redis or in memory; only its hash.
 */
import { hash } from 'node:crypto'
import { CacheDown } from '../cache/cache-down.ts'
import type { Cache } from '../cache/cache.ts'
import { createLocalBuckets, GCRA, takenOf } from '../cache/gcra.ts'
import type { Taken } from '../cache/gcra.ts'

export { addressSubject } from './address-subject.ts'

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
