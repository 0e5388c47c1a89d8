/** Counts outcomes, and logs failures once a minute at most. */
import type { Logger } from '../platform/log.ts'
import { OUTCOMES } from './outcome.ts'
import type { ModelFault, ModelOutcome } from './outcome.ts'

const QUIET_MS = 60_000
/** Outcomes that are no fault of the model, or that were logged when they began. */
const UNREMARKABLE: ReadonlySet<ModelOutcome> = new Set([
  'answered',
  'partial',
  'stored',
  'paused',
  'no_time',
  'no_style',
  'over_budget',
  'hung_up',
])

export interface ModelTally {
  note(fault: ModelFault & { readonly allowedMs: number }): void
  counts(): ReadonlyMap<ModelOutcome, number>
}

export function createTally(log: Pick<Logger, 'warn'>, now: () => number): ModelTally {
  const counts = new Map<ModelOutcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  let quietUntil = -Infinity
  let unsaid = 0
  return {
    note(fault) {
      counts.set(fault.outcome, (counts.get(fault.outcome) ?? 0) + 1)
      if (UNREMARKABLE.has(fault.outcome)) return
      unsaid++
      if (now() < quietUntil) return
      log.warn({ ...fault, times: unsaid }, 'the language model returned no names')
      quietUntil = now() + QUIET_MS
      unsaid = 0
    },
    counts: () => counts,
  }
}
