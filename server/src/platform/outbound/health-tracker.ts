/**
 * Tracks how an outside service responds: counted since the start of this process, judged by the last few requests.
 *
 * It decides nothing: circuit breakers and budgets stop requests, and this only reads their state (`circuitReason`).
 * Recording a result writes one number into a ring, because DNS makes thousands a second.
 */

export type HealthState = 'well' | 'slow' | 'unreliable' | 'failing' | 'resting'

export interface HealthReading {
  readonly state: HealthState
  readonly asked: number
  readonly answered: number
  readonly failed: number
  /** The total time of the answered requests. */
  readonly answeredMs: number
  /** Milliseconds since 1970. */
  readonly lastAnswerAt: number | undefined
  readonly detail: string | undefined
}

export interface HealthTracker {
  /** A request starts; `answered`, `failed` or `withdrew` follows. */
  ask(): void
  answered(tookMs: number): void
  failed(): void
  /** The caller canceled it, so it says nothing about the service. */
  withdrew(): void
  /** The service rate-limited us; it gets no requests until then. */
  limited(forMs: number | undefined): void
  read(): HealthReading
}

export interface HealthTrackerOptions {
  readonly now: () => number
  /** The service is slow when half of the responses take longer. */
  readonly slowMs: number
  /** Why no requests are sent at the moment; undefined when they are. */
  readonly circuitReason?: () => string | undefined
}

// Few enough that a recovered host is healthy again after a dozen responses, enough to ignore one lost packet.
const RECENT = 20
const FEWEST = 3
const FAILED = -1
// One failure in so many makes a source unreliable.
const UNRELIABLE = 5
// The pause for a host that rate-limits us without saying for how long.
const PAUSE_MS = 1_000

export function createHealthTracker({ now, slowMs, circuitReason }: HealthTrackerOptions): HealthTracker {
  const recent = new Float32Array(RECENT)
  let [asked, answered, failed, noted, answeredMs] = [0, 0, 0, 0, 0]
  let lastAnswerAt: number | undefined
  let limitedUntil = 0

  function note(outcome: number): void {
    recent[noted % RECENT] = outcome
    noted++
  }

  function stateNow(): HealthState {
    const outcomes = recent.subarray(0, Math.min(noted, RECENT))
    const times = outcomes.filter((outcome) => outcome !== FAILED).toSorted()
    const failures = outcomes.length - times.length
    if (failures >= FEWEST && failures * 2 > outcomes.length) return 'failing'
    if (failures >= FEWEST && failures * UNRELIABLE >= outcomes.length) return 'unreliable'
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
      const why = now() < limitedUntil ? 'rate limited' : circuitReason?.()
      const state = why === undefined ? stateNow() : 'resting'
      return { state, asked, answered, failed, answeredMs, lastAnswerAt, detail: why }
    },
  }
}
