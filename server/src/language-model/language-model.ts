/**
 * Asks the operator's language model for names.
 *
 * `propose` checks the time, the budget, the concurrency and the health of the model, and then makes one request or two
 * at once. Proposals are reported while the model writes them. What has arrived when the time is over counts; every
 * failure is an empty list within the time allowed, counted by outcome. The results are only names by grammar;
 * `names/` applies the rules and safety to them as to all others.
 *
 * If the first server does not respond, or its circuit is open, the operator's second one gets the rest of the time.
 *
 * If the operator allows it, a reply that is late is read to its end and stored for the same account and description
 * (`late-replies.ts`). The next request for it starts with these names.
 *
 * It must never throw for a fault of the model, retry, or log a request or a response.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../platform/log.ts'
import type { Cache } from '../platform/cache/cache.ts'
import type { Ask } from '../model/ask.ts'
import type { NameProposal } from '../model/name.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { createHealthTracker } from '../platform/outbound/health-tracker.ts'
import type { HealthReading } from '../platform/outbound/health-tracker.ts'
import { createBreaker, OF_THE_SERVER } from './breaker.ts'
import { createCallBudget } from './call-budget.ts'
import { openCall } from './call.ts'
import type { ModelConfig, ModelReply, ModelServerConfig } from './call.ts'
import { createLateReplies } from './late-replies.ts'
import { createMerge } from './merge.ts'
import { OUTCOMES } from './outcome.ts'
import type { ModelOutcome } from './outcome.ts'
import { isTellable } from './prompt.ts'
import { PROVIDERS } from './providers/all.ts'
import { createTally } from './tally.ts'

export interface ProposeOptions {
  /** For the budget and for stored replies. */
  readonly account: string
  /** How long to wait. The operator's limit applies as well, unless nobody waits (`isPatient`). */
  readonly allowedMs: number
  /** For work that no person waits for. */
  readonly isPatient?: boolean | undefined
  readonly onProposal?: ((proposal: NameProposal) => void) | undefined
}

export interface LanguageModel {
  /** Names for this request, best first; empty if the model gave none in time. */
  propose(ask: Ask, signal: AbortSignal, options: ProposeOptions): Promise<readonly NameProposal[]>
  /** Counts of outcomes since this node started. */
  outcomes(): ReadonlyMap<ModelOutcome, number>
  /** Health of the model. */
  reading(): HealthReading
}

export interface LanguageModelOptions {
  readonly config: ModelConfig
  /** An outbound client that may reach the address in `config`. */
  readonly send: Outbound['send']
  readonly cache: Pick<Cache, 'getMany' | 'setMany' | 'run'>
  readonly log: Pick<Logger, 'warn'>
  readonly now: () => number
}

// Half of the callers have a shorter deadline than the operator's limit.
const SLOW_SHARE = 0.5
// No model writes a name in less.
const SHORTEST_MS = 100
// Twice the number to be shown, since about half are registered or not good enough. Fewer are hardly faster, more are
// slow.
const PER_NAME = 2
const FEWEST = 12
const MOST = 30
// A name of two lists counts once.
const SHARE_OF_TWO = 0.6
// At most servers more requests would queue, and be billed.
const MOST_AT_ONCE = 16
// For work that nobody waits for, and for replies that are stored when they are late. A small model on a CPU writes
// thirty names with reasons in less.
const LONGEST_MS = 120_000

export function openLanguageModel({ config, send, cache, log, now }: LanguageModelOptions): LanguageModel {
  const budget = createCallBudget(cache, config.callsPerDay, now)
  const late = createLateReplies(cache, config.storeLateMs)
  const tally = createTally(log, now)
  const servers = [config, ...(config.fallback ? [config.fallback] : [])].map((server) => openServer(server))
  let underWay = 0

  function openServer(server: ModelServerConfig) {
    const breaker = createBreaker()
    const circuitReason = () => (breaker.isOpen() ? 'does not respond' : undefined)
    const health = createHealthTracker({ now, slowMs: config.deadlineMs * SLOW_SHARE, circuitReason })
    return { call: openCall(server, send), breaker, health, requestsAtOnce: PROVIDERS[server.kind].requestsAtOnce }
  }

  async function ask(request: Ask, signal: AbortSignal, options: ProposeOptions): Promise<ModelReply> {
    const allowedMs = options.isPatient === true ? LONGEST_MS : Math.min(config.deadlineMs, options.allowedMs)
    if (!isTellable(request)) return nothing('no_style')
    if (underWay >= MOST_AT_ONCE) return nothing('busy')
    const endsAt = performance.now() + allowedMs
    let reply = nothing('no_time')
    for (const server of servers) {
      const leftMs = Math.floor(endsAt - performance.now())
      if (leftMs < SHORTEST_MS) return reply
      reply = await askServer(server, request, signal, { ...options, allowedMs: leftMs })
      if (reply.outcome !== 'paused' && !OF_THE_SERVER.has(reply.outcome)) return reply
    }
    return reply
  }

  async function askServer(
    { call, breaker, health, requestsAtOnce }: ReturnType<typeof openServer>,
    request: Ask,
    signal: AbortSignal,
    { account, allowedMs, onProposal }: ProposeOptions,
  ): Promise<ModelReply> {
    underWay++
    const calls = await budget.take(account, requestsAtOnce)
    if (calls === 0) {
      underWay--
      return nothing('over_budget')
    }
    const wanted = Math.min(MOST, Math.max(FEWEST, request.count * PER_NAME))
    const merged = createMerge(onProposal)
    const attempt = async (prompt: number) => {
      const sentAt = performance.now()
      health.ask()
      const reply = await call(request, {
        wanted: Math.ceil(wanted * (calls === 1 ? 1 : SHARE_OF_TWO)),
        prompt,
        timeoutMs: late.isOn ? LONGEST_MS : allowedMs,
        signal,
        onProposal: (proposal) => merged.add(prompt, proposal),
      })
      const isHungUp = reply.proposals.length === 0 && signal.aborted
      if (isHungUp) health.withdrew()
      else if (OF_THE_SERVER.has(reply.outcome)) health.failed()
      else health.answered(performance.now() - sentAt)
      return isHungUp ? nothing('hung_up') : reply
    }
    const replies = Array.from({ length: calls }, (_, prompt) =>
      breaker.execute(allowedMs, () => attempt(prompt)).then((reply) => reply ?? nothing('paused')),
    )
    const ended = Promise.all(replies).finally(() => underWay--)
    const all = await withinTime(ended, allowedMs, signal)
    if (all !== 'waiting') {
      const best = bestOf(all)
      return WITH_NAMES.has(best.outcome) ? { ...best, proposals: merged.list() } : best
    }
    // The replies are read to their end, for the next request. Whoever needs no more names has ended the calls.
    if (!signal.aborted) void ended.then(() => late.store(account, request, merged.list()))
    const soFar = merged.list()
    if (soFar.length > 0) return { outcome: 'partial', proposals: soFar }
    return nothing(signal.aborted ? 'hung_up' : 'late')
  }

  /** Without stored replies the call itself ends in time. */
  function withinTime<T>(ended: Promise<T>, allowedMs: number, signal: AbortSignal): Promise<T | 'waiting'> {
    if (!late.isOn) return ended
    const over = sleep(allowedMs, 'waiting' as const, { signal, ref: false }).catch(() => 'waiting' as const)
    return Promise.race([ended, over])
  }

  return {
    async propose(request, signal, options) {
      const stored = await late.take(options.account, request)
      if (stored.length > 0) {
        for (const proposal of stored) options.onProposal?.(proposal)
        tally.note({ outcome: 'stored', allowedMs: options.allowedMs })
        return stored
      }
      const { proposals, ...fault } = await ask(request, signal, options)
      tally.note({ ...fault, allowedMs: Math.min(config.deadlineMs, options.allowedMs) })
      return proposals
    },
    outcomes: () => tally.counts(),
    // The first that responds serves the requests.
    reading: () => (servers.find(({ breaker }) => !breaker.isOpen()) ?? servers[0])!.health.read(),
  }
}

const WITH_NAMES: ReadonlySet<ModelOutcome> = new Set(['answered', 'partial'])

/** Of two replies the one that says more about the names: those of the other are merged with it. */
function bestOf(replies: readonly ModelReply[]): ModelReply {
  return OUTCOMES.flatMap((outcome) => replies.filter((reply) => reply.outcome === outcome))[0] ?? nothing('paused')
}

function nothing(outcome: ModelOutcome): ModelReply {
  return { outcome, proposals: [] }
}
