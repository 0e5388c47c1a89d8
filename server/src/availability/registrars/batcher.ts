/**
 * One registrar, asked by many at once, in as few requests as its batch size allows.
 *
 * A name waits up to `WAIT_MS` for company; a full batch leaves at once. A name that is waiting or on its way is never
 * asked again: whoever else wants it waits for the same answer. Every request costs one unit of the registrar's budget;
 * batches for which nothing is left are answered "nothing known" at once, so that the next registrar can be asked.
 *
 * A name that nobody waits for any more is not sent, and a request that nobody waits for any more is broken off:
 * names leave this house only for somebody who wants to see them.
 */
import type { Domain } from '../../model/domain.ts'
import type { Budget } from '../budget.ts'
import type { Evidence } from '../evidence.ts'
import type { Registrar } from './registrar.ts'
import { Limited } from './registrar.ts'

/** One unit is one request. */
export type RegistrarBudget = Pick<Budget, 'take' | 'limited'>

export interface Batcher {
  /** Leaves out what the registrar did not answer. Returns at once with what it has when `signal` fires. Never rejects for an outside reason. */
  ask(domains: readonly Domain[], signal: AbortSignal): Promise<ReadonlyMap<Domain, Evidence>>
}

interface Flight {
  readonly domain: Domain
  readonly done: Promise<Evidence | undefined>
  readonly land: (evidence: Evidence | undefined) => void
  readonly crash: (cause: unknown) => void
  waiting: number
  batch?: Batch
}

interface Batch {
  readonly flights: readonly Flight[]
  readonly stop: AbortController
}

// Long enough that requests which arrive together leave together, too short for a person to notice.
const WAIT_MS = 15

export interface BatcherOptions {
  readonly registrar: Registrar
  readonly budget: RegistrarBudget
  /** Says `unknown` of what there was no budget for, where it is otherwise left out. */
  readonly tellsSilence?: boolean | undefined
}

export function createBatcher({ registrar, budget, tellsSilence = false }: BatcherOptions): Batcher {
  const flights = new Map<Domain, Flight>()
  let waiting: Flight[] = []
  let timer: NodeJS.Timeout | undefined

  function join(domain: Domain): Flight {
    const known = flights.get(domain)
    if (known !== undefined) {
      known.waiting += 1
      return known
    }
    const { promise, resolve, reject } = Promise.withResolvers<Evidence | undefined>()
    // Whoever waits hears of it; when nobody does any more, nobody needs to.
    promise.catch(() => {})
    const flight: Flight = { domain, done: promise, land: resolve, crash: reject, waiting: 1 }
    flights.set(domain, flight)
    waiting.push(flight)
    return flight
  }

  function leave(flight: Flight): void {
    flight.waiting -= 1
    if (flight.batch === undefined) {
      if (flight.waiting > 0) return
      waiting = waiting.filter((other) => other !== flight)
      land(flight, undefined)
    } else if (flight.batch.flights.every((other) => other.waiting === 0)) {
      flight.batch.stop.abort()
      for (const other of flight.batch.flights) land(other, undefined)
    }
  }

  function land(flight: Flight, evidence: Evidence | undefined): void {
    if (flights.get(flight.domain) === flight) flights.delete(flight.domain)
    flight.land(evidence)
  }

  function depart(onlyFull: boolean): void {
    const count = onlyFull ? waiting.length - (waiting.length % registrar.batch) : waiting.length
    const leaving = waiting.splice(0, count)
    const batches: Batch[] = []
    for (let from = 0; from < leaving.length; from += registrar.batch) {
      const batch = { flights: leaving.slice(from, from + registrar.batch), stop: new AbortController() }
      for (const flight of batch.flights) flight.batch = batch
      batches.push(batch)
    }
    if (batches.length > 0) void send(batches)
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

  async function send(batches: readonly Batch[]): Promise<void> {
    const granted = await budget.take(registrar.host, batches.length).catch(() => 0)
    for (const { flights: left } of batches.slice(granted)) {
      for (const flight of left) land(flight, tellsSilence ? unasked(flight.domain, registrar.name) : undefined)
    }
    await Promise.all(batches.slice(0, granted).map(fly))
  }

  async function fly({ flights: aboard, stop }: Batch): Promise<void> {
    const answers = new Map<Domain, Evidence>()
    try {
      const domains = aboard.filter((flight) => flight.waiting > 0).map(({ domain }) => domain)
      const evidence = domains.length === 0 ? [] : await registrar.check(domains, stop.signal)
      for (const one of evidence) answers.set(one.domain, one)
    } catch (cause) {
      if (cause instanceof Limited) await budget.limited(registrar.host, cause.retryAfterMs).catch(() => {})
      // A mistake of ours: those who wait must not take it for a registrar that knows nothing.
      else for (const flight of aboard) flight.crash(cause)
    }
    for (const flight of aboard) land(flight, answers.get(flight.domain))
  }

  return {
    async ask(domains, signal) {
      const answers = new Map<Domain, Evidence>()
      if (signal.aborted || domains.length === 0) return answers
      const joined = [...new Set(domains)].map(join)
      const all = Promise.all(
        joined.map(async ({ domain, done }) => {
          const evidence = await done
          if (evidence !== undefined) answers.set(domain, evidence)
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
      if (signal.aborted) for (const flight of joined) leave(flight)
      return had
    },
  }
}

function unasked(domain: Domain, source: string): Evidence {
  return { domain, source, says: 'unknown', unasked: true, at: 0, ttlMs: 0 }
}
