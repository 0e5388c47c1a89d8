/**
 * The circuit breaker for the language model: opens when the model does not respond, and lets a request through now
 * and then to detect recovery.
 *
 * Failures of the server count (no response, an error, a protocol violation). Failures that a text can provoke do not
 * count (a refusal, a malformed list). Otherwise one caller could disable the model for all others with an offensive
 * description.
 *
 * There is one breaker for each doubling of the time allowed: a model that is too slow for callers with short
 * deadlines may still be fast enough for others, and neither should affect the other.
 */
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from 'cockatiel'
import type { CircuitBreakerPolicy } from 'cockatiel'
import type { ModelOutcome } from './outcome.ts'

const FAILURES = 5
// A request to an unresponsive model delays one caller for its whole time; two per minute is the price to detect
// recovery.
const OPEN_MS = 30_000

export const OF_THE_SERVER: ReadonlySet<ModelOutcome> = new Set([
  'late',
  'unreachable',
  'refused',
  'too_large',
  'unreadable',
])

export interface ModelBreaker {
  /** Undefined, at once and without a request, while the circuit is open. */
  execute<T extends { readonly outcome: ModelOutcome }>(
    allowedMs: number,
    ask: () => Promise<T>,
  ): Promise<T | undefined>
  /** True while the circuit is open for some deadline. */
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

export function createBreaker(openMs = OPEN_MS): ModelBreaker {
  const policies = new Map<number, CircuitBreakerPolicy>()
  let openUntil = 0

  function policyFor(allowedMs: number): CircuitBreakerPolicy {
    const size = Math.floor(Math.log2(allowedMs))
    const policy =
      policies.get(size) ??
      circuitBreaker(
        handleWhenResult((result) => OF_THE_SERVER.has((result as { outcome: ModelOutcome }).outcome)),
        { breaker: new ConsecutiveBreaker(FAILURES), halfOpenAfter: openMs },
      )
    if (!policies.has(size)) policy.onBreak(() => (openUntil = performance.now() + openMs))
    policies.set(size, policy)
    return policy
  }

  return {
    isOpen: () => performance.now() < openUntil,
    async execute<T extends { readonly outcome: ModelOutcome }>(allowedMs: number, ask: () => Promise<T>) {
      const policy = policyFor(allowedMs)
      // The library would wait for the outcome of the request that was let through.
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
