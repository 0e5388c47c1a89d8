/**
 * Decides when a query is so late that a second resolver is queried too, and how often that may happen.
 *
 * Late means later than 95 % of recent responses, within limits. Each query earns SHARE of a second one. However slow
 * the network gets, resolvers get at most that much more traffic, so hedging cannot amplify an overload.
 */
export interface Hedge {
  /** How long to wait for the first response. */
  delayMs(): number
  /** Call this when a query was sent. */
  earn(): void
  /** True if a second query may be sent now. */
  spend(): boolean
  /** The duration of a response or, if the second query won, the time the first had already taken. */
  learn(tookMs: number): void
}

// Below this, a busy moment of our own process would look like a slow resolver; above the maximum, the ordinary retry
// happens anyway.
const SOONEST_MS = 20
const LATEST_MS = 300
const SHARE = 0.05
// The most second queries that may be sent at once after a quiet period.
const SAVED = 10
const RECENT = 256
const LATE_RANK = Math.floor(RECENT * 0.95)
// Sorting takes some microseconds. Once per this many responses is cheap enough and keeps the value current.
const RELEARN_EVERY = 256

export function createHedge(): Hedge {
  const recent = new Float64Array(RECENT)
  let learned = 0
  let saved = 0
  let delayMs = LATEST_MS

  return {
    delayMs: () => delayMs,
    earn() {
      saved = Math.min(SAVED, saved + SHARE)
    },
    spend() {
      if (saved < 1) return false
      saved -= 1
      return true
    },
    learn(tookMs) {
      recent[learned % RECENT] = tookMs
      learned += 1
      if (learned < RECENT || learned % RELEARN_EVERY !== 0) return
      const late = recent.toSorted()[LATE_RANK] ?? LATEST_MS
      delayMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, late))
    },
  }
}
