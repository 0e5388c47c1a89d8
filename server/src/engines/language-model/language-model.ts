/**
 * Asks the operator's language model for names.
 *
 * `propose` checks the time, the budget, the concurrency and the health of the model, and then makes one request. A caller
 * whose names were taken may ask again: that is a request of its own.
 * Proposals are reported while the model writes them. What has arrived when the time is over counts; every
 * failure is an empty list within the time allowed, counted by outcome. The results are only names by grammar;
 * `names/` applies the rules and safety to them as to all others.
 *
 * If the first server does not respond, or its circuit is open, the operator's second one gets the rest of the time.
 *
 * If the operator allows it, a reply that is late is read to its end and stored for the same account and description
 * (`late-replies.ts`). The next request for it starts with these names. If the operator allows it, names that nobody was
 * shown serve later requests about the same kind of project without a call (`proposal-pool.ts`).
 *
 * It must never throw for a fault of the model, retry, or log a request or a response.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NameProposal, ProjectSummary } from '@namewright/names'
import type { Logger } from '../../platform/log.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createHealthTracker } from '../../platform/outbound/health-tracker.ts'
import type { HealthReading } from '../../platform/outbound/health-tracker.ts'
import { createBreaker, OF_THE_SERVER } from './breaker.ts'
import { createCallBudget } from './call-budget.ts'
import { openCall } from './call.ts'
import type { AskedAgain, ModelConfig, ModelReply, ModelServerConfig } from './call.ts'
import { createLateReplies } from './late-replies.ts'
import { createModelPlaces } from './places.ts'
import type { ModelOutcome } from './outcome.ts'
import { isTellable } from './prompt.ts'
import { createProposalPool, plainLabel, shareable } from './proposal-pool.ts'
import type { ProjectKind } from './proposal-pool.ts'
import { createTally } from './tally.ts'
import type { ModelUsage } from './tally.ts'

export interface ProposeOptions {
  /** For the budget and for stored replies. */
  readonly account: string
  /** Who shares the places with the others: the account by default. */
  readonly subject?: string | undefined
  /** How long to wait. The operator's limit applies as well, unless nobody waits (`isBackground`). */
  readonly allowedMs: number
  /** For work that no person waits for. */
  readonly isBackground?: boolean | undefined
  /** What was understood of the description; needed if `isReusing`. */
  readonly summary?: ProjectSummary | undefined
  /** For a second request about the same, which stored names do not answer. */
  readonly again?: AskedAgain | undefined
  readonly onProposal?: ((proposal: NameProposal) => void) | undefined
}

/** What became of the proposals for one request. */
export interface ProposalUse {
  readonly account: string
  readonly summary: ProjectSummary
  readonly proposals: readonly NameProposal[]
  /** The labels that the caller was shown. */
  readonly shown: readonly string[]
  /** Labels that the rules admit, and those of them whose domains were checked. */
  readonly admitted: ReadonlySet<string>
  readonly checked: ReadonlySet<string>
}

export interface LanguageModel {
  /** Whether names that nobody was shown are stored for later requests. */
  readonly isReusing: boolean
  /** Names for this request, best first; empty if the model gave none in time. */
  propose(request: GenerateRequest, signal: AbortSignal, options: ProposeOptions): Promise<readonly NameProposal[]>
  /** Stores the names that may serve others. Never rejects. */
  store(request: GenerateRequest, use: ProposalUse): Promise<void>
  /** Counts of outcomes since this node started. */
  outcomes(): ReadonlyMap<ModelOutcome, number>
  usage(): ModelUsage
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
const MIN_MS = 100
// Twice the number to be shown, since about half are registered or not good enough. Fewer are hardly faster, more are
// slow.
const PER_NAME = 2
const MIN_WANTED = 12
const MAX_WANTED = 30
// Names of the pool cost nothing, so more are taken than are probably needed; what is not checked goes back.
const POOL_SHARE = 1.5
// How many are requested where the rest serves others.
const POOLED = 100
// At most servers more requests would queue, and be billed.
const MAX_AT_ONCE = 16
// For work that nobody waits for, and for replies that are stored when they are late. A small model on a CPU writes
// thirty names with reasons in less.
const MAX_MS = 120_000

/** A request whose names may serve others. */
interface SharedRequest {
  readonly kind: ProjectKind
  /** Whether another account was shown this name. */
  isRepeated(proposal: NameProposal): boolean
}

type CallNeeds = ProposeOptions & { readonly shared: SharedRequest | undefined }

export function openLanguageModel({ config, send, cache, log, now }: LanguageModelOptions): LanguageModel {
  const budget = createCallBudget(cache, config.callsPerDay, now)
  const places = createModelPlaces(MAX_AT_ONCE)
  const late = createLateReplies(cache, config.storeLateMs)
  const pool = createProposalPool(cache, config.reuseMs)
  const tally = createTally(log, now)
  const servers = [config, ...(config.fallback ? [config.fallback] : [])].map((server) => openServer(server))

  function openServer(server: ModelServerConfig) {
    const breaker = createBreaker()
    const circuitReason = () => (breaker.isOpen() ? 'does not respond' : undefined)
    const health = createHealthTracker({ now, slowMs: config.deadlineMs * SLOW_SHARE, circuitReason })
    return { call: openCall(server, send), breaker, health }
  }

  async function ask(request: GenerateRequest, signal: AbortSignal, options: CallNeeds): Promise<ModelReply> {
    const allowedMs = options.isBackground === true ? MAX_MS : Math.min(config.deadlineMs, options.allowedMs)
    if (!isTellable(request)) return nothing('no_style')
    const endsAt = performance.now() + allowedMs
    let reply = nothing('no_time')
    for (const server of servers) {
      const leftMs = Math.floor(endsAt - performance.now())
      if (leftMs < (options.again ? usualMs(server.health.read()) : MIN_MS)) return reply
      reply = await askServer(server, request, signal, { ...options, allowedMs: leftMs })
      if (reply.outcome !== 'paused' && !OF_THE_SERVER.has(reply.outcome)) return reply
    }
    return reply
  }

  async function askServer(
    { call, breaker, health }: ReturnType<typeof openServer>,
    request: GenerateRequest,
    signal: AbortSignal,
    { account, subject = account, allowedMs, again, onProposal, shared }: CallNeeds,
  ): Promise<ModelReply> {
    const leave = places.enter(subject)
    if (!leave) return nothing('busy')
    if (!(await budget.take(account))) {
      leave()
      return nothing('over_budget')
    }
    const wanted = wantedFor(again?.missing ?? request.count)
    const requested = shared && !again ? POOLED : wanted
    const isReadToEnd = late.isOn || shared !== undefined
    const enough = Promise.withResolvers<'enough'>()
    const arrived: NameProposal[] = []
    const attempt = async () => {
      const sentAt = performance.now()
      health.ask()
      const reply = await call(request, {
        wanted: requested,
        taken: again?.taken,
        timeoutMs: isReadToEnd ? MAX_MS : allowedMs,
        signal: shared ? NEVER : signal,
        onProposal(proposal) {
          if (shared?.isRepeated(proposal)) return
          arrived.push(proposal)
          onProposal?.(proposal)
          if (shared && arrived.length >= wanted * POOL_SHARE) enough.resolve('enough')
        },
        onEnd: (lengths) => tally.noteCall(lengths),
      })
      const isHungUp = reply.proposals.length === 0 && signal.aborted
      if (isHungUp) health.withdrew()
      else if (OF_THE_SERVER.has(reply.outcome)) health.failed()
      else health.answered(performance.now() - sentAt)
      return isHungUp ? nothing('hung_up') : reply
    }
    const ended = breaker.execute(allowedMs, attempt).finally(leave)
    // If nothing is stored, the call itself ends in time.
    const reply = await (isReadToEnd ? Promise.race([ended, enough.promise, timeOver(allowedMs, signal)]) : ended)
    if (reply === undefined) return nothing('paused')
    if (reply !== 'enough' && reply !== 'over') {
      return WITH_NAMES.has(reply.outcome) ? { ...reply, proposals: arrived } : reply
    }
    const soFar = [...arrived]
    // The reply is read to its end, for later requests.
    void ended.then(() => storeRest())
    if (reply === 'enough') return { outcome: 'answered', proposals: soFar }
    if (soFar.length > 0) return { outcome: 'partial', proposals: soFar }
    return nothing(signal.aborted ? 'hung_up' : 'late')

    async function storeRest(): Promise<void> {
      if (shared && soFar.length > 0) {
        const rest = arrived.slice(soFar.length)
        await pool.add(shared.kind, account, { shown: [], unused: shareable(request.names.description, rest) })
      } else if (!signal.aborted) {
        // Whoever needs no more names has ended the calls.
        await late.store(account, request, arrived)
      }
    }
  }

  /** Names that need no call: a late reply to the same description, or enough names of the pool. */
  async function take(request: GenerateRequest, { account, summary, again }: ProposeOptions) {
    const stored = again ? [] : await late.take(account, request)
    if (stored.length > 0) return { outcome: 'stored' as const, proposals: stored, shared: undefined }
    const kind = summary && pool.kindOf(request.names, summary)
    if (kind === undefined) return { proposals: [], shared: undefined }
    const wanted = wantedFor(request.count)
    const most = again ? 0 : Math.ceil(wanted * POOL_SHARE)
    const { proposals, isShownToOthers } = await pool.take(kind, account, most)
    const outcome = proposals.length >= wanted ? ('reused' as const) : undefined
    return { outcome, proposals, shared: { kind, isRepeated: ({ name }: NameProposal) => isShownToOthers(name) } }
  }

  return {
    isReusing: pool.isOn,
    async propose(request, signal, options) {
      const { outcome, proposals: known, shared } = await take(request, options)
      for (const proposal of known) options.onProposal?.(proposal)
      if (outcome !== undefined) {
        tally.note({ outcome, allowedMs: options.allowedMs })
        return known
      }
      const { proposals, ...fault } = await ask(request, signal, { ...options, shared })
      const allowedMs = Math.min(config.deadlineMs, options.allowedMs)
      tally.note({ ...fault, allowedMs }, options.again !== undefined)
      return [...known, ...proposals]
    },
    async store({ names }, { account, summary, proposals, shown, admitted, checked }) {
      const kind = pool.kindOf(names, summary)
      if (kind === undefined) return
      const unused = proposals.filter(({ name }) => admitted.has(plainLabel(name)) && !checked.has(plainLabel(name)))
      await pool.add(kind, account, { shown, unused: shareable(names.description, unused) })
    },
    outcomes: () => tally.counts(),
    usage: () => tally.usage(),
    // The first that responds serves the requests.
    reading: () => (servers.find(({ breaker }) => !breaker.isOpen()) ?? servers[0])!.health.read(),
  }
}

function wantedFor(missing: number): number {
  return Math.min(MAX_WANTED, Math.max(MIN_WANTED, missing * PER_NAME))
}

/** A second request that would probably be late is not worth its price. */
function usualMs({ answered, answeredMs }: HealthReading): number {
  return Math.max(MIN_MS, answered === 0 ? 0 : answeredMs / answered)
}

const NEVER = new AbortController().signal

function timeOver(allowedMs: number, signal: AbortSignal): Promise<'over'> {
  return sleep(allowedMs, 'over' as const, { signal, ref: false }).catch(() => 'over' as const)
}

const WITH_NAMES: ReadonlySet<ModelOutcome> = new Set(['answered', 'partial'])

function nothing(outcome: ModelOutcome): ModelReply {
  return { outcome, proposals: [] }
}
