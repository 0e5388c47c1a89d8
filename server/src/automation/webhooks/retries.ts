/** The retry schedule of failed deliveries. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY_MS = 24 * HOUR

/**
 * The delay after the first attempt, the second, and so on: short enough for a restart, long enough for a weekend.
 * Eleven attempts in 75 and a half hours, slightly more with jitter.
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

// Deliveries that failed together are not all retried together.
const JITTER = 0.1
// A longer Retry-After is capped at one day.
const MAX_MS = DAY_MS

/** A webhook without a success for this long is disabled. */
export const OFF_AFTER_MS = 3 * DAY_MS

/** The delay after that many attempts; undefined after the last one. Never shorter than the receiver's Retry-After. */
export function pauseAfter(attempts: number, { random, retryAfterMs = 0 }: { random: number; retryAfterMs?: number }) {
  const pause = PAUSES_MS[attempts - 1]
  if (pause === undefined) return undefined
  return Math.round(Math.max(pause * (1 + JITTER * random), Math.min(retryAfterMs, MAX_MS)))
}
