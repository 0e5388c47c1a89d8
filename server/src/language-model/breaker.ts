/**
 * Leaves a model alone that does not answer, and lets one question through now and then to see whether it does again.
 *
 * What a server does (no answer, an error, no protocol) counts. What a text provokes (a refusal, a list that is none) does
 * not, or a caller could take the model away from all others by describing filth.
 *
 * One breaker for each doubling of the time allowed: a model that is always late for callers in a hurry may still be in
 * time for the others, and neither should pay for what the other finds.
 */
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from 'cockatiel'
import type { CircuitBreakerPolicy } from 'cockatiel'
import type { Outcome } from './outcome.ts'

const FAILURES = 5
// A question to a silent model holds one request up for all its time; two a minute is what we pay to notice its return.
const OPEN_MS = 30_000

export const OF_THE_SERVER: ReadonlySet<Outcome> = new Set([
  'late',
  'unreachable',
  'refused',
  'too_large',
  'unreadable',
])

export interface Breaker {
  /** Undefined, at once and without asking, while the model is left alone. */
  execute<T extends { readonly outcome: Outcome }>(allowedMs: number, ask: () => Promise<T>): Promise<T | undefined>
  /** True while it is left alone by callers of some haste. */
  isOpen(): boolean
}

/** Neither a success nor a failure of the model. */
class Undecided extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('undecided')
    this.result = result
  }
}

export function createBreaker(openMs = OPEN_MS): Breaker {
  const policies = new Map<number, CircuitBreakerPolicy>()
  let restsUntil = 0

  function policyFor(allowedMs: number): CircuitBreakerPolicy {
    const size = Math.floor(Math.log2(allowedMs))
    const policy =
      policies.get(size) ??
      circuitBreaker(
        handleWhenResult((result) => OF_THE_SERVER.has((result as { outcome: Outcome }).outcome)),
        { breaker: new ConsecutiveBreaker(FAILURES), halfOpenAfter: openMs },
      )
    if (!policies.has(size)) policy.onBreak(() => (restsUntil = performance.now() + openMs))
    policies.set(size, policy)
    return policy
  }

  return {
    isOpen: () => performance.now() < restsUntil,
    async execute<T extends { readonly outcome: Outcome }>(allowedMs: number, ask: () => Promise<T>) {
      const policy = policyFor(allowedMs)
      // It would have us wait for what comes of the one that was let through.
      if (policy.state === CircuitState.HalfOpen) return undefined
      try {
        return await policy.execute(async () => {
          const result = await ask()
          if (result.outcome === 'hung_up') throw new Undecided(result)
          return result
        })
      } catch (error) {
        if (error instanceof BrokenCircuitError) return undefined
        if (error instanceof Undecided) return error.result as T
        throw error
      }
    },
  }
}
