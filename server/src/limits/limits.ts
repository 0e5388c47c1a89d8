/**
 * Limits against abuse, for the doors that stand open to people we do not know yet: signing in and up, resetting a
 * password, consenting, registering an application, and visiting a page that has a publishable key in it.
 *
 * One attempt passes several doors at once (per address, per person, for everybody), each a bucket of its own
 * (`cache/gcra.ts`). Their keys live on different nodes of a Redis Cluster, so each is a script of its own; all are
 * sent side by side, which on one Redis is one round trip. What one door refuses is still spent at the others: an
 * attempt was made, and undoing it would cost a second round trip to be kind to whoever is being stopped.
 *
 * Never: puts an address, of either kind, into Redis or into memory; only its hash.
 */
import { hash } from 'node:crypto'
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'
import { createLocalBuckets, GCRA, takenOf } from '../cache/gcra.ts'
import type { Taken } from '../cache/gcra.ts'

export { addressSubject } from './address-subject.ts'

export interface Door {
  /** `sign-in`: what is attempted. */
  readonly name: string
  /** Who or what is counted, in one spelling: `addressSubject(ip)`, a mail address in lower case. */
  readonly subject: string
  readonly perHour: number
  readonly burst: number
  /** How much of it one attempt takes; one unless told. */
  readonly cost?: number
}

export interface Limits {
  /** `retryMs`: until all of these doors would be open again; 0 when they are. */
  take(doors: readonly Door[]): Promise<{ allowed: boolean; retryMs: number }>
}

// KEYS: the bucket. ARGV: ms per attempt, burst, cost.
const TAKE = `${GCRA}
return {take(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))}
`
const HOUR_MS = 3_600_000

export interface LimitsOptions {
  readonly cache: Pick<Cache, 'run'>
  readonly now: () => number
  /** How many nodes there are; each lets its part through while Redis is away. */
  readonly nodes?: number
}

export function openLimits({ cache, now, nodes }: LimitsOptions): Limits {
  const takeLocally = createLocalBuckets(now, nodes)

  async function pass({ name, subject, perHour, burst, cost = 1 }: Door): Promise<Taken> {
    const key = `li:{${name}:${hash('sha256', subject)}}`
    const bucket = { stepMs: Math.ceil(HOUR_MS / perHour), burst, cost }
    try {
      return takenOf(await cache.run(TAKE, [key], [bucket.stepMs, bucket.burst, cost]))
    } catch (error) {
      if (error instanceof CacheDown) return takeLocally(key, bucket)
      throw error
    }
  }

  return {
    async take(doors) {
      const taken = await Promise.all(doors.map(pass))
      return {
        allowed: taken.every(({ allowed }) => allowed),
        retryMs: Math.max(0, ...taken.map(({ retryMs }) => retryMs)),
      }
    },
  }
}
