/** When a delivery that failed is tried again: the one table of it. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY_MS = 24 * HOUR

/**
 * After the first attempt, the second, and so on: soon enough for a restart, patient enough for a weekend. Eleven
 * attempts in 75 hours and a half, or a little more by the jitter.
 */
const PAUSES_MS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

// Those that failed together do not all come back together.
const JITTER = 0.1
// Whoever asks to be left alone for longer is asked again after a day all the same.
const LONGEST_MS = DAY_MS

/** A webhook that has taken nothing for so long is switched off. */
export const OFF_AFTER_MS = 3 * DAY_MS

/**
 * How long to wait after that many attempts; undefined when that was the last. A receiver that says when to come back
 * (Retry-After) is not asked earlier.
 */
export function pauseAfter(attempts: number, { random, retryAfterMs = 0 }: { random: number; retryAfterMs?: number }) {
  const pause = PAUSES_MS[attempts - 1]
  if (pause === undefined) return undefined
  return Math.round(Math.max(pause * (1 + JITTER * random), Math.min(retryAfterMs, LONGEST_MS)))
}
