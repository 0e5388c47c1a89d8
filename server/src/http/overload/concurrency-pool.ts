/**
 * A concurrency pool: decides which requests may enter when only so many may be in flight, and how many that is.
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

/**
 * How many requests may be in flight is decided from readings that are taken every tenth of a second, never from the
 * duration of requests. Most of it may be a slow registry, which costs nothing here and is no reason to shed load. What
 * counts are the queues that form in this process.
 */
export interface ConcurrencyLimit<Reading> {
  readonly value: number
  learn(reading: Reading): void
}

export interface QueueReading {
  readonly inFlight: number
  /** How many requests are in the queue. */
  readonly length: number
  /** The time in which the queue gets shorter by one. */
  readonly eachMs: number
}

// Few, but enough to keep every thread busy while other work fills the queue.
const LEAST_QUEUED = 4

/**
 * For a queue whose length is known. Requests that are in flight but not in the queue wait for something else. So the
 * queue may hold as many as are served within the bearable wait, plus those in flight elsewhere. It searches for nothing,
 * so it does not oscillate.
 */
export function createQueueLimit({ bearableMs }: { readonly bearableMs: number }): ConcurrencyLimit<QueueReading> {
  // Until the first reading, assume ten milliseconds per request.
  let value = Math.max(LEAST_QUEUED, bearableMs / 10)
  return {
    get value() {
      return value
    },
    learn({ inFlight, length, eachMs }) {
      const places = Math.max(LEAST_QUEUED, bearableMs / eachMs)
      value = Math.max(LEAST_QUEUED, inFlight + places - length)
    },
  }
}

export interface PressureReading {
  readonly at: number
  readonly inFlight: number
  /** The delay of the worst queue divided by the bearable delay: above 1 it is too much. */
  readonly pressure: number
}

// So few overload nothing: below this the cause is elsewhere on the machine.
export const MIN_LIMIT = 32
// What may arrive at once at an idle node. The event loop accepts all of it in one turn, so no reading is possible
// meanwhile.
export const CALM = 512
// Each holds a socket, a body and its response, together about 100 KB.
export const MAX_LIMIT = 2_048
// A cut takes effect only when the requests in flight have ended. A second cut before that would cut twice for one
// cause.
const CUT_INTERVAL_MS = 200
const CALM_AFTER_MS = 2_000
const DEEPEST_CUT = 0.7
const SHALLOWEST_CUT = 0.95
const CAREFUL = 1.02
const QUICK = 1.25

/**
 * For queues of unknown length, such as that of the event loop, so it searches. Above the bearable delay it goes below
 * the number in flight, by at most three tenths. Below the bearable delay it rises again: by a fiftieth soon after the
 * last delay, by a quarter later. It cuts the number in flight and not the limit, so a limit that was never reached does
 * no harm.
 */
export function createPressureLimit(): ConcurrencyLimit<PressureReading> {
  let value = CALM
  let cutAt = -Infinity
  let pressedAt = -Infinity
  return {
    get value() {
      return value
    },
    learn({ at, inFlight, pressure }) {
      if (pressure > 1) {
        pressedAt = at
        if (at - cutAt < CUT_INTERVAL_MS) return
        cutAt = at
        const cut = Math.min(SHALLOWEST_CUT, Math.max(DEEPEST_CUT, 1 / pressure))
        value = Math.max(MIN_LIMIT, Math.min(value, inFlight) * cut)
      } else if (at - pressedAt > CALM_AFTER_MS) {
        value = Math.max(value, Math.min(MAX_LIMIT, value * QUICK, Math.max(CALM, inFlight * 2)))
      } else if (inFlight >= value / 2) {
        value = Math.min(MAX_LIMIT, Math.max(value + 1, value * CAREFUL))
      }
    },
  }
}

/** The limit that an operator has set. */
export function createFixedLimit(value: number): ConcurrencyLimit<unknown> {
  return { value, learn: () => {} }
}
