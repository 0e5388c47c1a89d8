/**
 * A language model of the operator's, asked for names: an addition to the naming, never a part it needs.
 *
 * `propose` is the whole of it: is there time, is there room, is the model well; then one question. Whatever goes wrong
 * is an empty list within the time allowed, counted by what it was. What comes back are names by grammar and nothing
 * more; the naming judges them with its own.
 *
 * Never: throws for a fault of the model, asks twice, logs what was asked or answered.
 */
import type { Logger } from '../log.ts'
import type { Ask } from '../model/ask.ts'
import type { Outbound } from '../outbound.ts'
import { createPulse } from '../outbound/pulse.ts'
import type { Reading } from '../outbound/pulse.ts'
import { createBreaker, OF_THE_SERVER } from './breaker.ts'
import type { Outcome } from './outcome.ts'
import { isTellable } from './prompt.ts'
import type { ModelConfig, Told } from './provider.ts'
import { createTally } from './tally.ts'

export interface LanguageModel {
  /** Names for this ask, best first; empty when the model gave none in time. */
  propose(ask: Ask, signal: AbortSignal): Promise<readonly string[]>
  /** What came of asking, since the start of this node. */
  outcomes(): ReadonlyMap<Outcome, number>
  /** How it has been answering. */
  reading(): Reading
}

export interface LanguageModelOptions {
  readonly config: ModelConfig
  /** A way out that may lead to the address in `config`. */
  readonly send: Outbound['send']
  readonly log: Pick<Logger, 'warn'>
  readonly now: () => number
}

// The rest of a request's time is for finding out which names are free.
const SHARE_OF_DEADLINE = 1 / 3
// Half of the callers are in a greater hurry than the operator allows for.
const SLOW_SHARE = 0.5
// No model has written a list of names in less.
const SHORTEST_MS = 100
// Twice what is to be shown, since about half are taken or not good enough; fewer are hardly quicker, more are slow.
const PER_NAME = 2
const FEWEST = 12
const MOST = 30
// More would wait for each other at most servers, and be paid for.
const MOST_AT_ONCE = 16

export async function openLanguageModel({ config, send, log, now }: LanguageModelOptions): Promise<LanguageModel> {
  const { openProvider } = await import('./provider.ts')
  const askModel = openProvider(config, send)
  const breaker = createBreaker()
  const tally = createTally(log, now)
  const rests = () => (breaker.isOpen() ? 'does not answer' : undefined)
  const pulse = createPulse({ now, slowMs: config.deadlineMs * SLOW_SHARE, rests })
  let underWay = 0

  async function told(ask: Ask, allowedMs: number, signal: AbortSignal): Promise<Told> {
    if (!isTellable(ask)) return nothing('no_style')
    if (allowedMs < SHORTEST_MS) return nothing('no_time')
    if (underWay >= MOST_AT_ONCE) return nothing('busy')
    const wanted = Math.min(MOST, Math.max(FEWEST, ask.count * PER_NAME))
    const question = async () => {
      const sentAt = performance.now()
      pulse.ask()
      const answer = await askModel(ask, wanted, AbortSignal.any([signal, AbortSignal.timeout(allowedMs)]))
      const isHungUp = answer.names.length === 0 && signal.aborted
      if (isHungUp) pulse.withdrew()
      else if (OF_THE_SERVER.has(answer.outcome)) pulse.failed()
      else pulse.answered(performance.now() - sentAt)
      return isHungUp ? nothing('hung_up') : answer
    }
    underWay++
    try {
      return (await breaker.execute(allowedMs, question)) ?? nothing('paused')
    } finally {
      underWay--
    }
  }

  return {
    async propose(ask, signal) {
      const allowedMs = Math.min(config.deadlineMs, Math.floor(ask.deadlineMs * SHARE_OF_DEADLINE))
      const { names, ...fault } = await told(ask, allowedMs, signal)
      tally.note({ ...fault, allowedMs })
      return names
    },
    outcomes: () => tally.counts(),
    reading: () => pulse.read(),
  }
}

function nothing(outcome: Outcome): Told {
  return { outcome, names: [] }
}
