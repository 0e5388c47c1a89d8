/**
 * Sends the queries to one host of a namespace: in turn per caller, within the budget of the host, and not at all while
 * its circuit is open. A query is never retried. Once sent it runs to its end, whoever has stopped waiting.
 */
import type { Cache } from '../../platform/cache/cache.ts'
import type { HealthTracker } from '../../platform/outbound/health-tracker.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { openBudget } from '../availability/budget.ts'
import { createBudgetQueue } from '../availability/budget-queue.ts'
import type { WaitingRequest } from '../availability/budget-queue.ts'
import { createBreaker } from '../availability/rdap/breaker.ts'
import type { NamespaceDeclaration, NamespaceQuery, NamespaceReading } from './declaration.ts'

/** `limited`: refused, or no budget. `broken`: no response, or a failure of the server. `unasked`: the circuit is open. */
export type NamespaceFinding = NamespaceReading | 'limited' | 'broken' | 'unasked'

export interface NamespaceHost {
  /** Resolves when the query has a finding, or when its budget cannot suffice before `giveUpAt`. Never rejects. */
  ask(query: NamespaceQuery, turn: NamespaceTurn): Promise<NamespaceFinding>
  /** Whether its circuit is open, because it did not respond. */
  isCircuitOpen(): boolean
}

/** Callers who want the same share one query: each adds its key, and may extend `giveUpAt`. */
export interface NamespaceTurn {
  readonly fairnessKeys: Set<string>
  giveUpAt: number
}

export interface NamespaceHostOptions extends Pick<NamespaceDeclaration, 'host' | 'rate'> {
  readonly outbound: Pick<Outbound, 'send'>
  readonly cache: Pick<Cache, 'run'>
  readonly nodes: number
  readonly health: HealthTracker
  readonly now: () => number
  /** Aborts on shutdown. */
  readonly closing: AbortSignal
}

interface NamespaceRequest extends WaitingRequest {
  readonly query: NamespaceQuery
  readonly settle: (finding: NamespaceFinding) => void
}

const MAX_IN_FLIGHT = 8
const TIMEOUT_MS = 3_000
// Entries of a few kilobytes are read as a whole, the longer ones only as far as needed to recognize them.
const MAX_BYTES = 128 * 1024
const FAILURES = 5
// A firewall that blocks a client with 403 wants fewer requests, just like 429.
const LIMITED = new Set([403, 429])

export function openNamespaceHost(options: NamespaceHostOptions): NamespaceHost {
  const { host, rate, outbound, cache, nodes, health, now, closing } = options
  const ceiling = rate.isPublished ? { ceiling: rate.perSecond } : {}
  const budget = openBudget({ cache, now, nodes, start: rate.perSecond, ...ceiling })
  const breaker = createBreaker<NamespaceFinding>({ failures: FAILURES, now })
  let inFlight = 0
  const queue = createBudgetQueue<NamespaceRequest>({
    budget,
    host,
    now,
    perToken: 1,
    wantedTokens: ({ size }) => Math.min(size, MAX_IN_FLIGHT - inFlight),
    isReady: () => inFlight < MAX_IN_FLIGHT,
    send: ([pending]) => void (pending && run(pending)),
    refuse: ({ settle }) => settle('limited'),
  })

  async function run(request: NamespaceRequest): Promise<void> {
    const { query, settle } = request
    // It waited for others in flight until nobody wanted it any more.
    if (now() >= request.giveUpAt) return settle('unasked')
    inFlight += 1
    // If the circuit has opened meanwhile, the breaker rejects.
    settle(await breaker.execute(() => send(query)).catch(() => 'unasked' as const))
    inFlight -= 1
    queue.pump()
  }

  async function send({ path, accept, read }: NamespaceQuery): Promise<NamespaceFinding> {
    const sentAt = performance.now()
    health.ask()
    const answer = await outbound.send({
      url: `https://${host}${path}`,
      method: 'GET',
      headers: { accept },
      maxBytes: MAX_BYTES,
      statusDecides: true,
      timeoutMs: TIMEOUT_MS,
      signal: closing,
    })
    // The server did respond, with something that we do not follow.
    if (answer.kind === 'failed' && answer.reason === 'redirect') return noteAnswer('malformed', sentAt)
    if (answer.kind === 'failed' || answer.status >= 500) {
      health.failed()
      return 'broken'
    }
    if (LIMITED.has(answer.status)) {
      health.failed()
      health.limited(answer.retryAfterMs)
      await budget.limited(host, answer.retryAfterMs)
      return 'limited'
    }
    return noteAnswer(answer.status === 200 || answer.status === 404 ? read(answer) : 'malformed', sentAt)
  }

  function noteAnswer(reading: NamespaceReading, sentAt: number): NamespaceReading {
    health.answered(performance.now() - sentAt)
    return reading
  }

  return {
    isCircuitOpen: () => breaker.isOpen(),
    ask(query, turn) {
      if (closing.aborted || breaker.isOpen()) return Promise.resolve('unasked')
      const { promise, resolve: settle } = Promise.withResolvers<NamespaceFinding>()
      const { fairnessKeys } = turn
      queue.add([
        {
          query,
          settle,
          fairnessKeys,
          get giveUpAt() {
            return turn.giveUpAt
          },
        },
      ])
      return promise
    },
  }
}
