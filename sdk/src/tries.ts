/**
 * One call, tried within its time budget.
 *
 *   begin → a try with its own deadline → it works, or `orGiveUp` → begin …
 *
 * A try that hears nothing is cut off before the budget is over, since a connection that hangs rarely wakes up, and the
 * next one is given twice as long, since the service may just be slow. `orGiveUp` either waits until another try is
 * due, or throws what the caller gets to see: the last answer, the last fault, or that the time is over.
 */
import { canHelp, findWait } from './another-try.ts'
import { openDeadline, pause } from './clock.ts'
import type { Deadline } from './clock.ts'
import { NamewrightError, NetworkError, TimeBudgetError } from './errors.ts'

export interface Time {
  /** Milliseconds that only ever grow. */
  readonly now: () => number
  /** As Math.random. */
  readonly random: () => number
}

export interface TriesOptions extends Time {
  readonly timeBudgetMs: number
  /** How long the first try may hear nothing. */
  readonly tryMs: number
  readonly signal: AbortSignal | undefined
}

export interface Tries {
  /** How many were begun. */
  readonly count: number
  /** What is left of the budget. */
  readonly leftMs: number
  begin(): Deadline
  /** Returns when it is time for another try; otherwise throws. */
  orGiveUp(failure: unknown, deadline: Deadline): Promise<void>
  /** Something arrived: the budget starts anew. For streams, whose length nobody knows. */
  progress(): void
}

export function startTries({ timeBudgetMs, tryMs, signal, now, random }: TriesOptions): Tries {
  let count = 0
  let silences = 0
  let sinceProgress = 0
  let endsAt = now() + timeBudgetMs
  let lastMet: unknown

  return {
    get count() {
      return count
    },
    get leftMs() {
      return Math.max(0, endsAt - now())
    },

    begin() {
      signal?.throwIfAborted()
      count += 1
      sinceProgress += 1
      return openDeadline(signal, Math.min(Math.max(0, endsAt - now()), tryMs * 2 ** silences))
    },

    async orGiveUp(failure, deadline) {
      signal?.throwIfAborted()
      if (deadline.isOver) silences += 1
      if (deadline.isOver && now() >= endsAt) throw new TimeBudgetError(timeBudgetMs, count, lastMet)
      const met = deadline.isOver ? new NetworkError('the service did not answer in time') : failure
      if (!(met instanceof NamewrightError || met instanceof NetworkError)) throw met
      met.tries = count
      const retryAfterMs = met instanceof NamewrightError ? met.retryAfterMs : undefined
      const waitMs = findWait(sinceProgress, { retryAfterMs, leftMs: endsAt - now() }, random)
      if (waitMs === undefined || !canHelp(met)) throw met
      lastMet = met
      await pause(waitMs, signal)
    },

    progress() {
      silences = 0
      sinceProgress = 0
      lastMet = undefined
      endsAt = now() + timeBudgetMs
    },
  }
}
