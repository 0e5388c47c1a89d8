/** Counts outcomes, calls and the lengths of their texts, and logs failures once a minute at most. */
import type { Logger } from '../../platform/log.ts'
import type { TextLengths } from './call.ts'
import { OUTCOMES } from './outcome.ts'
import type { ModelFault, ModelOutcome } from './outcome.ts'

const QUIET_MS = 60_000
/** Outcomes that are no fault of the model, or that were logged when they began. */
const UNREMARKABLE: ReadonlySet<ModelOutcome> = new Set([
  'answered',
  'partial',
  'stored',
  'reused',
  'paused',
  'no_time',
  'no_style',
  'over_budget',
  'hung_up',
])

export interface ModelUsage {
  /** Generate requests that got names of the model: from a call, and without one. */
  readonly called: number
  readonly reused: number
  readonly sentCharacters: number
  readonly receivedCharacters: number
}

/** US dollars per million tokens. */
export interface TokenPrice {
  readonly sent: number
  readonly received: number
}

const CHARACTERS_PER_TOKEN = 4

/** What a thousand of these requests cost, in US dollars. */
export function costPerThousand(usage: ModelUsage, price: TokenPrice): number {
  const { called, reused, sentCharacters, receivedCharacters } = usage
  const micros = (sentCharacters * price.sent + receivedCharacters * price.received) / CHARACTERS_PER_TOKEN
  return micros / 1_000 / (called + reused)
}

export interface ModelTally {
  /** The second call for a request is counted as an outcome, but the request counts once. */
  note(fault: ModelFault & { readonly allowedMs: number }, isSecond?: boolean): void
  noteCall(lengths: TextLengths): void
  counts(): ReadonlyMap<ModelOutcome, number>
  usage(): ModelUsage
}

const CALLED = ['answered', 'partial'] as const
const REUSED = ['stored', 'reused'] as const

export function createTally(log: Pick<Logger, 'warn'>, now: () => number): ModelTally {
  const counts = new Map<ModelOutcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  let quietUntil = -Infinity
  let unsaid = 0
  let second = 0
  const lengths = { sent: 0, received: 0 }
  const sumOf = (outcomes: readonly ModelOutcome[]) =>
    outcomes.reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0)
  return {
    note(fault, isSecond = false) {
      counts.set(fault.outcome, (counts.get(fault.outcome) ?? 0) + 1)
      if (isSecond && CALLED.some((outcome) => outcome === fault.outcome)) second++
      if (UNREMARKABLE.has(fault.outcome)) return
      unsaid++
      if (now() < quietUntil) return
      log.warn({ ...fault, times: unsaid }, 'the language model returned no names')
      quietUntil = now() + QUIET_MS
      unsaid = 0
    },
    noteCall({ sent, received }) {
      lengths.sent += sent
      lengths.received += received
    },
    counts: () => counts,
    usage: () => ({
      called: sumOf(CALLED) - second,
      reused: sumOf(REUSED),
      sentCharacters: lengths.sent,
      receivedCharacters: lengths.received,
    }),
  }
}
