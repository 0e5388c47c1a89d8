/**
 * The circuit breaker for a host: opens when the host does not respond, and lets a lookup through now and then to detect
 * recovery.
 */
import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from 'cockatiel'
import type { RdapFinding } from './answer.ts'

export interface HostBreaker<Finding> {
  /** True while a lookup would be rejected. */
  isOpen(): boolean
  /** Rejects while open. */
  execute(ask: () => Promise<Finding>): Promise<Finding>
}

export type RdapBreaker = HostBreaker<RdapFinding>

// Short enough to detect a restarted host soon, long enough that a dead one costs almost nothing.
const OPEN_MS = 10_000

export interface BreakerOptions {
  /** How many consecutive `broken` findings open it. */
  readonly failures: number
  readonly now: () => number
  readonly openMs?: number
}

export function createBreaker<Finding extends string = RdapFinding>({
  failures,
  now,
  openMs = OPEN_MS,
}: BreakerOptions): HostBreaker<Finding> {
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
