/**
 * The lookups about one suffix at one host, and the queue in which all lookups of that host wait.
 *
 * Life of a lookup: it waits in the host's queue (`openHostQueue`) for a token of the host's budget, in turn with
 * those of other callers; it is sent when fewer than `MAX_IN_FLIGHT` lookups of its suffix are in flight; and it
 * returns a finding. If no token can arrive before it gives up, it is refused at once.
 *
 * The budget and the queue belong to the host, the limit in flight to the suffix: one host serves hundreds of suffixes,
 * and a suffix that hangs must not block the others. For the same reason there are two circuit breakers, one for the
 * suffix and behind it one for the host.
 *
 * A lookup is never retried: not after a timeout, not after an error, and never after "too many requests".
 */
import type { Outbound, OutboundRequest } from '../../../platform/outbound/outbound.ts'
import type { HealthTracker } from '../../../platform/outbound/health-tracker.ts'
import { createBudgetQueue } from '../budget-queue.ts'
import type { BudgetQueue } from '../budget-queue.ts'
import type { LookupBudget } from '../budget.ts'
import { findExpiryDate, readBody, readHead } from './answer.ts'
import type { RdapFinding } from './answer.ts'
import { createBreaker } from './breaker.ts'
import type { RdapBreaker } from './breaker.ts'

export type Method = 'HEAD' | 'GET'

export interface RdapLookup {
  readonly finding: RdapFinding
  /** When the registration expires, if the response contains it. */
  readonly registeredUntil?: number
  /** The budget was used up, or the host responded "too many requests": milliseconds until a retry makes sense. */
  readonly retryMs?: number
}

/**
 * How a lookup waits for budget. Callers that want the same result share one: each adds its key, and may extend
 * `giveUpAt`.
 */
export interface LookupTurn {
  readonly fairnessKeys: Set<string>
  giveUpAt: number
  /** Whether the lookup waits for a token now. */
  isStarved: () => boolean
}

export interface SuffixQueue {
  /** `unasked` if it could not be sent. `signal` withdraws it while it waits; once sent it runs to its end. */
  lookUp(domain: string, method: Method, signal: AbortSignal, turn: LookupTurn): Promise<RdapLookup>
  /** Whether the circuit of this suffix is open, because the host did not respond to its lookups. */
  isCircuitOpen(): boolean
}

export interface LookupQueueOptions {
  /** Ends with a slash. */
  readonly base: string
  readonly outbound: Outbound
  readonly budget: LookupBudget
  readonly queue: HostQueue
  readonly hostBreaker: RdapBreaker
  readonly health: HealthTracker
  readonly now: () => number
  /** Aborts on shutdown. */
  readonly closing: AbortSignal
}

export type HostQueue = BudgetQueue<PendingLookup>

/** The lookups about all suffixes of one host that wait for its budget. */
export function openHostQueue(options: { budget: LookupBudget; host: string; now: () => number }): HostQueue {
  return createBudgetQueue<PendingLookup>({
    ...options,
    perToken: 1,
    wantedTokens(queue) {
      const senders = Map.groupBy(queue, ({ sender }) => sender)
      return senders.entries().reduce((sum, [sender, { length }]) => sum + Math.min(length, sender.places()), 0)
    },
    isReady: ({ sender }) => sender.places() > 0,
    send: ([lookup]) => void lookup?.sender.run(lookup),
    refuse: (lookup, retryMs) => lookup.settle({ finding: 'unasked', retryMs }),
  })
}

// Per suffix. At a tenth of a second each that is 40 lookups per second, twice the highest budget.
const MAX_IN_FLIGHT = 4
// A distant registry with a new TLS connection needs about one second.
const TIMEOUT_MS = 3_000
// A large real response is about 20 KB.
const MAX_BYTES = 64 * 1024
// Consecutive failures that open the circuit of a suffix. Few, because each costs its caller the whole timeout.
const SUFFIX_FAILURES = 3

interface PendingLookup {
  readonly sender: { places(): number; run(lookup: PendingLookup): Promise<void> }
  readonly domain: string
  readonly method: Method
  readonly fairnessKeys: ReadonlySet<string>
  readonly giveUpAt: number
  readonly settle: (lookUp: RdapLookup) => void
}

export function createLookupQueue(options: LookupQueueOptions): SuffixQueue {
  const { base, outbound, budget, queue, hostBreaker, health, now, closing } = options
  const host = new URL(base).host
  const breaker = createBreaker({ failures: SUFFIX_FAILURES, now })
  const waiting = new Set<PendingLookup>()
  let inFlight = 0
  const sender = { places: () => MAX_IN_FLIGHT - inFlight, run }

  function refuseAll(lookups: Iterable<PendingLookup>) {
    for (const lookup of lookups) {
      queue.delete(lookup)
      lookup.settle({ finding: 'unasked' })
    }
  }

  async function run(lookup: PendingLookup) {
    waiting.delete(lookup)
    inFlight += 1
    let lookUp: RdapLookup = { finding: 'unasked' }
    const ask = async () => (lookUp = await send(lookup)).finding
    // If a circuit has opened meanwhile, its breaker rejects.
    const finding = await breaker.execute(() => hostBreaker.execute(ask)).catch(() => 'unasked' as const)
    lookup.settle({ ...lookUp, finding })
    inFlight -= 1
    if (isClosed()) refuseAll(waiting)
    queue.pump()
  }

  /** Whether lookups are refused: a circuit is open, or the node shuts down. */
  function isClosed(): boolean {
    return breaker.isOpen() || hostBreaker.isOpen() || closing.aborted
  }

  async function send({ domain, method }: PendingLookup): Promise<RdapLookup> {
    const request: OutboundRequest = {
      url: `${base}domain/${domain}`,
      method,
      headers: { accept: 'application/rdap+json, application/json;q=0.9' },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: closing,
    }
    const sentAt = performance.now()
    health.ask()
    const answer = await outbound.send(request)
    const finding = method === 'HEAD' ? readHead(answer) : readBody(answer, domain, now())
    if (finding === 'broken' || finding === 'limited') health.failed()
    else health.answered(performance.now() - sentAt)
    if (finding === 'limited' && answer.kind === 'answer') {
      health.limited(answer.retryAfterMs)
      await budget.limited(host, answer.retryAfterMs)
      return { finding, retryMs: budget.waitOf(host) }
    }
    const registeredUntil = finding === 'registered' || finding === 'ending' ? findExpiryDate(answer, now()) : undefined
    return registeredUntil === undefined ? { finding } : { finding, registeredUntil }
  }

  return {
    isCircuitOpen: () => breaker.isOpen(),
    lookUp(domain, method, signal, turn) {
      const { promise, resolve } = Promise.withResolvers<RdapLookup>()
      if (signal.aborted || isClosed()) return Promise.resolve({ finding: 'unasked' })
      const withdraw = () => refuseAll([lookup])
      const lookup: PendingLookup = {
        sender,
        domain,
        method,
        fairnessKeys: turn.fairnessKeys,
        get giveUpAt() {
          return turn.giveUpAt
        },
        settle(lookUp) {
          waiting.delete(lookup)
          signal.removeEventListener('abort', withdraw)
          resolve(lookUp)
        },
      }
      turn.isStarved = () => queue.isStarved(lookup)
      signal.addEventListener('abort', withdraw)
      waiting.add(lookup)
      queue.add([lookup])
      return promise
    },
  }
}
