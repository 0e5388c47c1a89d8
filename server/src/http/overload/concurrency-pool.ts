/**
 * A concurrency pool: decides which requests may enter when only so many may be in flight.
 *
 * By priority: the last fifth is for critical work, and bulk work stops another fifth earlier. So bulk work is shed
 * first, and requests that a person is waiting for are shed last.
 *
 * By account: when four fifths of the limit of normal work are taken, an account above its share is shed although
 * others may enter. The share is an equal part for each account seen within the last two seconds, also for those that
 * were refused. An account that is alone has all of it.
 *
 * With `countsShares`, what an account has above its share makes the pool full for nobody else. It was let in before the
 * others came, or while its body was still on the way. Where the work is queued fairly, it only delays itself.
 */
export type Priority = 'critical' | 'normal' | 'bulk'
/** `full`: the limit of this priority is reached. `share`: this account is above its share. */
export type Reason = 'full' | 'share'

export interface PoolPlace {
  /** Undefined until it is known. */
  readonly subject: string | undefined
  belongsTo(subject: string): void
  leave(): void
}

export interface ConcurrencyPool {
  readonly inFlight: number
  /** Undefined: the request may enter. `most`: how many places this subject may have, however empty the pool is. */
  refusalOf(priority: Priority, subject: string | undefined, most?: number): Reason | undefined
  enter(subject: string | undefined): PoolPlace
}

const SHARE_OF_LIMIT: Readonly<Record<Priority, number>> = { critical: 1, normal: 0.8, bulk: 0.6 }
const BUSY = 0.8
const ACTIVE_MS = 2_000
// How often accounts that are no longer active are removed.
const SWEPT_MS = 500

interface SubjectLoad {
  /** Slots that its requests use. */
  inUse: number
  seenAt: number
}

export function createConcurrencyPool({
  limit: limitNow,
  now,
  countsShares = false,
}: {
  readonly limit: () => number
  readonly now: () => number
  readonly countsShares?: boolean
}): ConcurrencyPool {
  let inFlight = 0
  let sweptAt = -Infinity
  const loads = new Map<string, SubjectLoad>()
  const limitOf = (priority: Priority) => Math.max(1, Math.floor(limitNow() * SHARE_OF_LIMIT[priority]))
  /** Critical work of one account must leave room for normal work of another, too. */
  const busyFrom = (priority: Priority) => BUSY * Math.min(limitOf(priority), limitOf('normal'))

  function recordSubject(subject: string): SubjectLoad {
    const at = now()
    if (at - sweptAt > SWEPT_MS) {
      sweptAt = at
      for (const [key, { inUse, seenAt }] of loads) {
        if (inUse === 0 && at - seenAt > ACTIVE_MS) loads.delete(key)
      }
    }
    let load = loads.get(subject)
    if (!load) loads.set(subject, (load = { inUse: 0, seenAt: at }))
    load.seenAt = at
    return load
  }

  function isAboveShare(priority: Priority, subject: string, most: number): boolean {
    const { inUse } = recordSubject(subject)
    return inUse >= most || (inFlight >= busyFrom(priority) && inUse >= shareOf(priority))
  }

  function shareOf(priority: Priority): number {
    return Math.max(1, limitOf(priority) / loads.size)
  }

  function isFull(priority: Priority): boolean {
    const limit = limitOf(priority)
    if (inFlight < limit || !countsShares) return inFlight >= limit
    const share = shareOf(priority)
    let above = 0
    for (const { inUse } of loads.values()) above += Math.max(0, inUse - share)
    return inFlight - above >= limit
  }

  return {
    get inFlight() {
      return inFlight
    },
    refusalOf(priority, subject, most = Infinity) {
      // Record the account even if the pool is full, so that it has a share the next time.
      const isAbove = subject !== undefined && isAboveShare(priority, subject, most)
      if (isFull(priority)) return 'full'
      return isAbove ? 'share' : undefined
    },
    enter(known) {
      let load: SubjectLoad | undefined
      let subject = known
      let isHere = true
      inFlight++
      if (known !== undefined) belongsTo(known)

      function belongsTo(whose: string): void {
        if (load || !isHere) return
        subject = whose
        load = recordSubject(whose)
        load.inUse++
      }

      return {
        get subject() {
          return subject
        },
        belongsTo,
        leave() {
          if (!isHere) return
          isHere = false
          inFlight--
          if (load) load.inUse--
        },
      }
    },
  }
}
