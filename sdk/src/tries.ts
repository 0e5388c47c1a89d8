/**
 * The retry loop of one call, within its time budget.
 *
 *   begin → a try with its own deadline → success, or `waitOrThrow` → begin …
 *
 * A try without a response is cut off before the budget is used up, because a hanging connection rarely recovers. The
 * next try gets twice as long, because the service may only be slow. `waitOrThrow` either waits until the next try is
 * due, or throws the error for the caller: the last response, the last network failure, or a `TimeBudgetError`.
 */
import { openDeadline, pause } from './clock.ts'
import type { Deadline } from './clock.ts'
import { NamewrightError, NetworkError, TimeBudgetError } from './errors.ts'
import { findWait, isRefused, isRetryable } from './retry.ts'

export interface Time {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** Like Math.random. */
  readonly random: () => number
}

export interface TriesOptions extends Time {
  readonly timeBudgetMs: number
  /** How long the first try waits for a response. */
  readonly tryMs: number
  readonly signal: AbortSignal | undefined
  /** Whether the service has ever responded. If not, a refused connection fails after a second. */
  readonly hasAnswered: () => boolean
}

export interface Tries {
  /** Number of tries so far. */
  readonly count: number
  /** The remaining time budget. */
  readonly leftMs: number
  begin(): Deadline
  /** Returns when the next try is due; throws when there is none. */
  waitOrThrow(failure: unknown, deadline: Deadline): Promise<void>
  /** Restarts the time budget because data arrived. For streams, whose length is not known. */
  progress(): void
}

// Long enough for a service that is just starting, short enough for somebody who mistyped the URL.
const REFUSED_MS = 1_000

export function startTries({ timeBudgetMs, tryMs, signal, hasAnswered, now, random }: TriesOptions): Tries {
  const startedAt = now()
  let count = 0
  let timeouts = 0
  let sinceProgress = 0
  let endsAt = now() + timeBudgetMs
  let lastFailure: unknown

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
      return openDeadline(signal, Math.min(Math.max(0, endsAt - now()), tryMs * 2 ** timeouts))
    },

    async waitOrThrow(failure, deadline) {
      signal?.throwIfAborted()
      if (deadline.isOver) timeouts += 1
      if (deadline.isOver && now() >= endsAt) throw new TimeBudgetError(timeBudgetMs, count, lastFailure)
      const error = deadline.isOver ? new NetworkError('the service did not respond in time') : failure
      if (!(error instanceof NamewrightError || error instanceof NetworkError)) throw error
      error.tries = count
      const retryAfterMs = error instanceof NamewrightError ? error.retryAfterMs : undefined
      const waitMs = findWait(sinceProgress, { retryAfterMs, leftMs: endsAt - now() }, random)
      if (waitMs === undefined || !isRetryable(error)) throw error
      if (isRefused(error) && !hasAnswered() && now() + waitMs - startedAt > REFUSED_MS) throw error
      lastFailure = error
      await pause(waitMs, signal)
    },

    progress() {
      timeouts = 0
      sinceProgress = 0
      lastFailure = undefined
      endsAt = now() + timeBudgetMs
    },
  }
}
