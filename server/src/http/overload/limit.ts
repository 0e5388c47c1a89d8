/**
 * How many requests may be in flight: two algorithms, both fed only by readings that are taken every tenth of a second.
 *
 * Neither uses the duration of requests. Most of it may be a slow registry, which costs nothing here and is no reason
 * to shed load. They use the queues that form in this process.
 *
 * `createQueueLimit` is for a queue whose length is known. Requests that are in flight but not in the queue wait for
 * something else. So the queue may hold as many as are served within the bearable wait, plus those in flight elsewhere.
 * It searches for nothing, so it does not oscillate.
 *
 * `createPressureLimit` is for queues of unknown length, such as that of the event loop, so it searches. Above the
 * bearable delay it goes below the number in flight, by at most three tenths. Below the bearable delay it rises again:
 * by a fiftieth soon after the last delay, by a quarter later. It cuts the number in flight and not the limit, so a
 * limit that was never reached does no harm.
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
