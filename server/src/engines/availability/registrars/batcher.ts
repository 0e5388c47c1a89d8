/**
 * Combines concurrent lookups at one registrar into as few requests as its batch size allows.
 *
 * A name waits up to `WAIT_MS` for others; a full batch is sent at once. A name that is waiting or in flight is never
 * requested again: further callers share the result. Every request costs one unit of the registrar's budget. While
 * there is none, names wait in a fair queue (`budget-queue.ts`). If their caller does not wait, they have no result
 * at once, so that the next registrar can be asked.
 *
 * A name without waiting callers is not sent, and a request without waiting callers is aborted. Names must never
 * leave the service unless a caller wants the result.
 */
import type { Domain } from '../../../model/domain.ts'
import { createBudgetQueue } from '../budget-queue.ts'
import type { LookupBudget } from '../budget.ts'
import type { Evidence, Shortage, Turn } from '../evidence.ts'
import type { Registrar } from './registrar.ts'
import { Limited } from './registrar.ts'

/** One unit is one request. */
export type RegistrarBudget = Pick<LookupBudget, 'take' | 'limited' | 'waitOf' | 'rateOf'>

export interface Batcher {
  /**
   * Leaves out names without a result. Returns at once with what it has when `signal` aborts. Never rejects for an
   * external reason.
   */
  ask(domains: readonly Domain[], signal: AbortSignal, turn?: Turn): Promise<ReadonlyMap<Domain, Evidence>>
}

interface Flight {
  readonly domain: Domain
  readonly done: Promise<Landing>
  readonly land: (landing: Landing) => void
  readonly crash: (cause: unknown) => void
  readonly fairnessKeys: Set<string>
  giveUpAt: number
  waiting: number
  batch?: Batch
}

type Landing = Evidence | NoBudget | undefined
type NoBudget = Required<Omit<Shortage, 'source'>>

interface Batch {
  readonly flights: readonly Flight[]
  readonly stop: AbortController
}

// Long enough that requests which arrive together are sent together, too short for a person to notice.
const WAIT_MS = 15

export interface BatcherOptions {
  readonly registrar: Registrar
  readonly budget: RegistrarBudget
  readonly now?: (() => number) | undefined
  /** Reports `unknown` for names without budget, instead of leaving them out. */
  readonly reportsSilence?: boolean | undefined
}

export function createBatcher({ registrar, budget, now = Date.now, reportsSilence = false }: BatcherOptions): Batcher {
  const flights = new Map<Domain, Flight>()
  /** Names that wait for a batch to fill; after that they wait in the queue. */
  let waiting: Flight[] = []
  let timer: NodeJS.Timeout | undefined
  const queue = createBudgetQueue<Flight>({
    budget,
    host: registrar.host,
    now,
    perToken: registrar.batch,
    wantedTokens: ({ size }) => Math.ceil(size / registrar.batch),
    send: (some) => void fly(some),
    refuse: (flight, retryMs) => land(flight, { retryMs, wasAsked: false }),
  })

  function join(domain: Domain, { fairnessKey, giveUpAt }: Turn): Flight {
    const known = flights.get(domain)
    if (known !== undefined) {
      known.waiting += 1
      known.fairnessKeys.add(fairnessKey)
      known.giveUpAt = Math.max(known.giveUpAt, giveUpAt)
      return known
    }
    const { promise, resolve, reject } = Promise.withResolvers<Landing>()
    // Waiting callers get the rejection; without any, it must not become an unhandled rejection.
    promise.catch(() => {})
    const fairnessKeys = new Set([fairnessKey])
    const flight: Flight = { domain, done: promise, land: resolve, crash: reject, waiting: 1, fairnessKeys, giveUpAt }
    flights.set(domain, flight)
    waiting.push(flight)
    return flight
  }

  function leave(flight: Flight): void {
    flight.waiting -= 1
    if (flight.batch === undefined) {
      if (flight.waiting > 0) return
      waiting = waiting.filter((other) => other !== flight)
      queue.delete(flight)
      land(flight, undefined)
    } else if (flight.batch.flights.every((other) => other.waiting === 0)) {
      flight.batch.stop.abort()
      for (const other of flight.batch.flights) land(other, undefined)
    }
  }

  function land(flight: Flight, landing: Landing): void {
    if (flights.get(flight.domain) === flight) flights.delete(flight.domain)
    flight.land(landing)
  }

  function depart(onlyFull: boolean): void {
    const count = onlyFull ? waiting.length - (waiting.length % registrar.batch) : waiting.length
    const leaving = waiting.splice(0, count)
    if (leaving.length > 0) queue.add(leaving)
    if (waiting.length > 0) timer ??= setTimeout(departLate, WAIT_MS)
    else clearTimer()
  }

  function departLate(): void {
    clearTimer()
    depart(false)
  }

  function clearTimer(): void {
    clearTimeout(timer)
    timer = undefined
  }

  async function fly(aboard: readonly Flight[]): Promise<void> {
    const batch = { flights: aboard, stop: new AbortController() }
    for (const flight of aboard) flight.batch = batch
    const answers = new Map<Domain, Evidence>()
    let limited: NoBudget | undefined
    try {
      const domains = aboard.map(({ domain }) => domain)
      for (const one of await registrar.check(domains, batch.stop.signal)) answers.set(one.domain, one)
    } catch (cause) {
      if (cause instanceof Limited) {
        await budget.limited(registrar.host, cause.retryAfterMs).catch(() => {})
        limited = { retryMs: budget.waitOf(registrar.host), wasAsked: true }
      }
      // A bug of ours: waiting callers must not mistake it for a registrar without a result.
      else for (const flight of aboard) flight.crash(cause)
    }
    for (const flight of aboard) land(flight, limited ?? answers.get(flight.domain))
  }

  return {
    async ask(domains, signal, turn = { fairnessKey: '', giveUpAt: now() }) {
      const answers = new Map<Domain, Evidence>()
      const { fairnessKey, onShortage } = turn
      if (signal.aborted || domains.length === 0) return answers
      if (registrar.isAsked?.() === false) {
        for (const one of await registrar.check(domains, signal)) answers.set(one.domain, one)
        return answers
      }
      const joined = [...new Set(domains)].map((domain) => join(domain, turn))
      const without = new Map<Domain, NoBudget>()
      const all = Promise.all(
        joined.map(async ({ domain, done }) => {
          const landing = await done
          if (landing && 'retryMs' in landing) without.set(domain, landing)
          else if (landing) answers.set(domain, landing)
        }),
      )
      depart(true)
      const { promise: given, resolve: giveUp } = Promise.withResolvers<void>()
      const stop = () => giveUp()
      signal.addEventListener('abort', stop)
      try {
        await Promise.race([all, given])
      } finally {
        signal.removeEventListener('abort', stop)
      }
      const had = new Map(answers)
      const starved = signal.aborted ? joined.filter((flight) => queue.isStarved(flight)) : []
      const retryMs = starved.length > 0 ? queue.retryMs(fairnessKey) : 0
      for (const { domain } of starved) without.set(domain, { retryMs, wasAsked: false })
      if (signal.aborted) for (const flight of joined) leave(flight)
      for (const [domain, shortage] of without) {
        onShortage?.(domain, { source: registrar.name, ...shortage })
        if (reportsSilence && !shortage.wasAsked) had.set(domain, unasked(domain, registrar.name))
      }
      return had
    },
  }
}

function unasked(domain: Domain, source: string): Evidence {
  return { domain, source, says: 'unknown', unasked: true, at: 0, ttlMs: 0 }
}
