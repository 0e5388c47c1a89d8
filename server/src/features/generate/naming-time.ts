/**
 * How much CPU time of the naming thread a subject may use: an account, or the address of a visitor.
 *
 * It is charged after the work, with what that has used, whether or not anybody still waited for it: a request that is
 * abandoned costs no suggestion, but it costs this. So a subject may use more than is left, once, and then waits until
 * the debt is refilled.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NamingSubject } from '../../http/visitors.ts'
import { ApiError } from '../../model/errors.ts'
import type { Limits } from '../../platform/limits/limits.ts'

export interface NamingTime {
  /** Fails with rate_limited while nothing is left. */
  require(subject: NamingSubject): Promise<void>
  /** Waits while nothing is left, for work that nobody waits for. */
  wait(subject: NamingSubject, signal: AbortSignal): Promise<void>
  /** Never fails. */
  charge(subject: NamingSubject, cpuMs: number): void
}

export interface NamingTimeOptions {
  readonly limits: Limits
  /** CPU seconds in a minute; as many at once. */
  readonly perMinute: Readonly<Record<NamingSubject['kind'], number>>
  readonly onFault: (error: unknown) => void
}

// The unit of the buckets.
const UNIT_MS = 10
// Many items of a batch wait for the same account: each asks again soon, but not all at once.
const MAX_PAUSE_MS = 1_000

export function createNamingTime({ limits, perMinute, onFault }: NamingTimeOptions): NamingTime {
  function bucketOf({ kind, id }: NamingSubject, cpuMs: number) {
    const burst = (perMinute[kind] * 1_000) / UNIT_MS
    return { name: `naming-${kind}`, subject: id, perHour: burst * 60, burst, cost: cpuMs / UNIT_MS }
  }

  return {
    async require(subject) {
      const { allowed, retryMs } = await limits.take([bucketOf(subject, 0)])
      if (!allowed) throw new ApiError('rate_limited', { retryAfter: Math.max(1, Math.ceil(retryMs / 1_000)) })
    },
    async wait(subject, signal) {
      for (;;) {
        const { allowed, retryMs } = await limits.take([bucketOf(subject, 0)])
        if (allowed) return
        await sleep(Math.min(Math.ceil(retryMs), MAX_PAUSE_MS), undefined, { signal })
      }
    },
    charge: (subject, cpuMs) => void limits.charge(bucketOf(subject, cpuMs)).catch(onFault),
  }
}
