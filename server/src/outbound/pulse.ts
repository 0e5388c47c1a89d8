/**
 * How somebody outside has been answering: counted since the start of this process, judged by the last few questions.
 *
 * It decides nothing: who is left alone is the breakers' and the budgets' affair, and they are only asked here whether
 * they do (`rests`). A note costs a number in a ring, because DNS makes thousands a second.
 */

export type PulseState = 'well' | 'slow' | 'failing' | 'resting'

export interface Reading {
  readonly state: PulseState
  readonly asked: number
  readonly answered: number
  readonly failed: number
  /** How long the answered ones took, together. */
  readonly answeredMs: number
  /** Milliseconds since 1970. */
  readonly lastAnswerAt: number | undefined
  readonly detail: string | undefined
}

export interface Pulse {
  /** A question goes out; `answered`, `failed` or `withdrew` follows. */
  ask(): void
  answered(tookMs: number): void
  failed(): void
  /** Nobody waits for it any more, so nothing was learned. */
  withdrew(): void
  /** It asked for fewer questions; until then it gets none. */
  limited(forMs: number | undefined): void
  read(): Reading
}

export interface PulseOptions {
  readonly now: () => number
  /** More than that, for half of the answers, is slow. */
  readonly slowMs: number
  /** Why it is left alone just now; undefined when it is not. */
  readonly rests?: () => string | undefined
}

// Few enough that a host which is back is well again after a dozen answers, enough that one lost packet is nothing.
const RECENT = 20
const FEWEST = 3
const FAILED = -1
// What a host means that asks for fewer questions without saying for how long.
const PAUSE_MS = 1_000

export function createPulse({ now, slowMs, rests }: PulseOptions): Pulse {
  const recent = new Float32Array(RECENT)
  let [asked, answered, failed, noted, answeredMs] = [0, 0, 0, 0, 0]
  let lastAnswerAt: number | undefined
  let limitedUntil = 0

  function note(outcome: number): void {
    recent[noted % RECENT] = outcome
    noted++
  }

  function stateNow(): PulseState {
    const outcomes = recent.subarray(0, Math.min(noted, RECENT))
    const times = outcomes.filter((outcome) => outcome !== FAILED).toSorted()
    const failures = outcomes.length - times.length
    if (failures >= FEWEST && failures * 2 > outcomes.length) return 'failing'
    return times.length >= FEWEST && (times[times.length >> 1] ?? 0) > slowMs ? 'slow' : 'well'
  }

  return {
    ask: () => void asked++,
    answered(tookMs) {
      answered++
      answeredMs += tookMs
      lastAnswerAt = now()
      note(tookMs)
    },
    failed() {
      failed++
      note(FAILED)
    },
    withdrew: () => void asked--,
    limited(forMs = PAUSE_MS) {
      limitedUntil = Math.max(limitedUntil, now() + forMs)
    },
    read() {
      const why = now() < limitedUntil ? 'asks for fewer questions' : rests?.()
      const state = why === undefined ? stateNow() : 'resting'
      return { state, asked, answered, failed, answeredMs, lastAnswerAt, detail: why }
    },
  }
}
