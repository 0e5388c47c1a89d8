/**
 * How many requests may be in flight: two rules, both of them only of what is read every tenth of a second.
 *
 * Neither looks at how long requests take. Most of that may be a registry that is slow, which costs nothing here and is
 * no reason to turn anybody away. They look at the queues that form in this process.
 *
 * `createLineLimit` is for a queue that can be counted. Whoever is in flight and not in the line waits for something
 * else, so the line may hold as many as are served in the time that we let somebody wait, and those elsewhere come on
 * top. There is nothing to search for, and so nothing that swings.
 *
 * `createPressureLimit` is for queues whose length nobody knows, such as that of the event loop: it searches. Above the
 * bearable delay it goes below what is in flight, by at most three tenths; below it goes up again, by a fiftieth while
 * the last delay is fresh and by a quarter later. Cutting what is in flight, and not the limit, makes a limit that
 * nobody reached harmless.
 */
export interface Limit<Reading> {
  readonly value: number
  learn(reading: Reading): void
}

export interface LineReading {
  readonly inFlight: number
  /** How many stand in the line. */
  readonly length: number
  /** After how long the line is shorter by one. */
  readonly eachMs: number
}

// Few, but enough to keep every thread busy while the line is somebody else's.
const LEAST_IN_LINE = 4

export function createLineLimit({ bearableMs }: { readonly bearableMs: number }): Limit<LineReading> {
  // Until something is read: what ten milliseconds for each allow.
  let value = Math.max(LEAST_IN_LINE, bearableMs / 10)
  return {
    get value() {
      return value
    },
    learn({ inFlight, length, eachMs }) {
      const places = Math.max(LEAST_IN_LINE, bearableMs / eachMs)
      value = Math.max(LEAST_IN_LINE, inFlight + places - length)
    },
  }
}

export interface PressureReading {
  readonly at: number
  readonly inFlight: number
  /** The delay of the worst queue, in units of what is bearable: above 1 it is too much. */
  readonly pressure: number
}

// So few do not overload anything: below this the cause is elsewhere on the machine.
export const LEAST = 32
// What may arrive at once at a node that has nothing to do. The loop takes all of it in one turn, so that nothing can be read meanwhile.
export const CALM = 512
// Each holds a socket, a body and its answer, together about 100 KB.
export const MOST = 2_048
// A cut shows only after what was in flight then has gone; who cuts again before that cuts twice for one cause.
const HELD_MS = 200
const CALM_AFTER_MS = 2_000
const DEEPEST_CUT = 0.7
const SHALLOWEST_CUT = 0.95
const CAREFUL = 1.02
const QUICK = 1.25

export function createPressureLimit(): Limit<PressureReading> {
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
        if (at - cutAt < HELD_MS) return
        cutAt = at
        const cut = Math.min(SHALLOWEST_CUT, Math.max(DEEPEST_CUT, 1 / pressure))
        value = Math.max(LEAST, Math.min(value, inFlight) * cut)
      } else if (at - pressedAt > CALM_AFTER_MS) {
        value = Math.max(value, Math.min(MOST, value * QUICK, Math.max(CALM, inFlight * 2)))
      } else if (inFlight >= value / 2) {
        value = Math.min(MOST, Math.max(value + 1, value * CAREFUL))
      }
    },
  }
}

/** What an operator has set. */
export function createFixedLimit(value: number): Limit<unknown> {
  return { value, learn: () => {} }
}
