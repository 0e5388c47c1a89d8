/**
 * When a question is so late that a second resolver is asked too, and how often that may happen.
 *
 * Late is later than 95 of 100 recent answers, within limits. Each question earns SHARE of a second one, so however
 * slow the world gets, resolvers see at most that much more from us, and a stampede cannot feed itself.
 */
export interface Hedge {
  /** How long to wait for the first answer. */
  delayMs(): number
  /** A question was sent. */
  earn(): void
  /** True when a second one may be sent now. */
  spend(): boolean
  /** What an answer took, or, when the second question won, what the first had already taken. */
  learn(tookMs: number): void
}

// Below, a busy moment of our own process would pass for a slow resolver; above, the ordinary retry comes anyway.
const SOONEST_MS = 20
const LATEST_MS = 300
const SHARE = 0.05
// After a quiet hour no more than this may go at once.
const SAVED = 10
const RECENT = 256
const LATE_RANK = Math.floor(RECENT * 0.95)
// Sorting costs some microseconds; once per so many answers nobody notices it, and the number stays fresh.
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
