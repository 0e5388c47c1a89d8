/** Leaves a host alone that does not answer, and lets one question through now and then to see whether it does again. */
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from 'cockatiel'
import type { Finding } from './answer.ts'

export interface Breaker {
  /** True while a question would not be let through. */
  isOpen(): boolean
  /** Rejects while open. */
  execute(ask: () => Promise<Finding>): Promise<Finding>
}

// Short enough that a host which restarted is found again soon, long enough that a dead one costs next to nothing.
const OPEN_MS = 10_000

export interface BreakerOptions {
  /** How many `broken` in a row open it. */
  readonly failures: number
  readonly now: () => number
  readonly openMs?: number
}

export function createBreaker({ failures, now, openMs = OPEN_MS }: BreakerOptions): Breaker {
  const policy = circuitBreaker(
    handleWhenResult((finding) => finding === 'broken'),
    { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: openMs },
  )
  let openedAt = 0
  policy.onBreak(() => {
    openedAt = now()
  })
  return {
    isOpen: () => policy.state === CircuitState.Open && now() - openedAt < openMs,
    execute: (ask) => policy.execute(ask),
  }
}
