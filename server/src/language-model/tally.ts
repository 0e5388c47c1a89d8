/** Counts what came of asking, and says in the log what goes wrong, once a minute at most. */
import type { Logger } from '../log.ts'
import { OUTCOMES } from './outcome.ts'
import type { Fault, Outcome } from './outcome.ts'

const QUIET_MS = 60_000
/** Nothing is wrong with the model then, or it was said when it began. */
const UNREMARKABLE: ReadonlySet<Outcome> = new Set(['answered', 'paused', 'no_time', 'no_style', 'hung_up'])

export interface Tally {
  note(fault: Fault & { readonly allowedMs: number }): void
  counts(): ReadonlyMap<Outcome, number>
}

export function createTally(log: Pick<Logger, 'warn'>, now: () => number): Tally {
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  let quietUntil = -Infinity
  let unsaid = 0
  return {
    note(fault) {
      counts.set(fault.outcome, (counts.get(fault.outcome) ?? 0) + 1)
      if (UNREMARKABLE.has(fault.outcome)) return
      unsaid++
      if (now() < quietUntil) return
      log.warn({ ...fault, times: unsaid }, 'the language model gave no names')
      quietUntil = now() + QUIET_MS
      unsaid = 0
    },
    counts: () => counts,
  }
}
