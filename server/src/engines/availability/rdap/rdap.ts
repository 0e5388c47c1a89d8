/**
 * Evidence from the registry's own database over RDAP.
 *
 * For each domain: find the server of its suffix (`bootstrap.ts`), join a lookup that is already in flight, or start
 * one with the RDAP client (`client.ts`, which uses `lookup-queue.ts`). Reports `registered` or `absent` or leaves
 * the domain out. `absent` means that the registry does not list the name, which does not prove that it can be
 * registered.
 *
 * Expects domains directly below a public suffix: a registry has no data about deeper names.
 */
import { behindLabel } from '../../../model/domain.ts'
import type { Domain } from '../../../model/domain.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { HealthTracker } from '../../../platform/outbound/health-tracker.ts'
import type { LookupBudget } from '../budget.ts'
import type { Evidence, EvidenceSource, Turn } from '../evidence.ts'
import { createSourceHealth } from '../source-health.ts'
import type { SourceHealth } from '../source-health.ts'
import { createTrustRecord, summarizeTests } from '../trust.ts'
import type { SourceTrust, TrustRecord } from '../trust.ts'
import type { LookupCache } from '../verdict-cache.ts'
import type { Bootstrap, RdapServer } from './bootstrap.ts'
import { createBreaker } from './breaker.ts'
import type { RdapBreaker } from './breaker.ts'
import { createLookupQueue, openHostQueue } from './lookup-queue.ts'
import type { HostQueue, SuffixQueue, LookupTurn } from './lookup-queue.ts'
import { createRdapClient } from './client.ts'
import type { RdapResult, RdapClient, RdapClaim } from './client.ts'

export interface RdapSource extends EvidenceSource {
  close(): void
}

export interface RdapOptions {
  readonly outbound: Outbound
  readonly budget: LookupBudget
  readonly bootstrap: Pick<Bootstrap, 'findServer'>
  /** Where nodes share the outcome of server tests. */
  readonly cache: LookupCache
  readonly now: () => number
  /** How long a lookup may wait for budget if its caller sets no limit. */
  readonly patienceMs?: number | undefined
  /** Reports `unknown` for domains without a result, instead of leaving them out. */
  readonly reportsSilence?: boolean
  readonly sourceHealth?: SourceHealth
  readonly onTrust?: ((host: string, trust: SourceTrust) => void) | undefined
}

const NAME = 'rdap'
const HOUR_MS = 60 * 60 * 1000
// A registration lasts a year or more; one that may end soon is checked again soon.
const TTL_MS: Readonly<Record<RdapClaim, number>> = {
  registered: 24 * HOUR_MS,
  ending: HOUR_MS,
  absent: 10 * 60 * 1000,
  unasked: 0,
  malformed: 0,
}
// Spreads the expiry of names that were checked together.
const JITTER = 0.1
// A caller that has another source or another name should try that instead of waiting longer.
const PATIENCE_MS = 1_500
// More than the failures that open one suffix's circuit: several suffixes must fail before the host counts as down.
const HOST_FAILURES = 10

/** One host serves many suffixes, each with its own lookup queue. */
interface Host {
  readonly name: string
  readonly queue: HostQueue
  readonly breaker: RdapBreaker
  readonly health: HealthTracker
  readonly queues: Map<string, SuffixQueue>
  readonly clients: Map<string, RdapClient>
  readonly trustRecord: TrustRecord
}

interface RdapFlight {
  readonly host: Host
  readonly turn: LookupTurn
  readonly word: Promise<RdapResult | undefined>
  readonly stop: AbortController
  waiting: number
}

export function openRdap(options: RdapOptions): RdapSource {
  const { outbound, budget, bootstrap, cache, now, patienceMs = PATIENCE_MS, reportsSilence = false } = options
  const sourceHealth = options.sourceHealth ?? createSourceHealth(now)
  const closing = new AbortController()
  const hosts = new Map<string, Host>()
  const clients = new Map<string, RdapClient>()
  const flights = new Map<Domain, RdapFlight>()

  function hostOf(name: string): Host {
    const known = hosts.get(name)
    if (known !== undefined) return known
    const queues = new Map<string, SuffixQueue>()
    const breaker = createBreaker({ failures: HOST_FAILURES, now })
    const circuitReason = () => {
      const open = [...queues].flatMap(([suffix, queue]) => (queue.isCircuitOpen() ? [`.${suffix}`] : []))
      if (!breaker.isOpen() && open.length === 0) return undefined
      return breaker.isOpen() ? 'does not respond' : `does not respond for ${open.join(', ')}`
    }
    const queue = openHostQueue({ budget, host: name, now })
    const trustRecord = createTrustRecord(now, (trust) => options.onTrust?.(name, trust))
    const host: Host = {
      name,
      queue,
      queues,
      clients: new Map(),
      trustRecord,
      breaker,
      health: sourceHealth.of('registry', name, circuitReason),
    }
    // Two RDAP sources use the same hosts. Only the one that callers wait for reports trust.
    if (!reportsSilence) {
      const about = (suffix: string) => host.clients.get(suffix)?.read().state
      sourceHealth.trusting('registry', name, { read: () => trustOf(host), about })
    }
    hosts.set(name, host)
    return host
  }

  function clientOf(server: RdapServer): RdapClient {
    const key = `${server.base} ${server.suffix}`
    const known = clients.get(key)
    if (known !== undefined) return known
    const { base } = server
    const host = hostOf(new URL(base).host)
    const { queues, queue: hostQueue, breaker: hostBreaker, health } = host
    const queue = createLookupQueue({
      base,
      outbound,
      budget,
      queue: hostQueue,
      hostBreaker,
      health,
      now,
      closing: closing.signal,
    })
    queues.set(server.suffix, queue)
    const onTested = () => {
      const { state, why } = trustOf(host)
      host.trustRecord.set(state, why)
    }
    const client = createRdapClient({ queue, server, cache, now, closing: closing.signal, onTested })
    clients.set(key, client)
    host.clients.set(server.suffix, client)
    return client
  }

  function join(domain: Domain, server: RdapServer, { fairnessKey, giveUpAt }: Turn): RdapFlight {
    const known = flights.get(domain)
    if (known !== undefined) {
      known.turn.fairnessKeys.add(fairnessKey)
      known.turn.giveUpAt = Math.max(known.turn.giveUpAt, giveUpAt)
      return known
    }
    const stop = new AbortController()
    const turn: LookupTurn = { fairnessKeys: new Set([fairnessKey]), giveUpAt, isStarved: () => false }
    const word = clientOf(server).ask(domain, stop.signal, turn)
    const flight = { host: hostOf(new URL(server.base).host), turn, word, stop, waiting: 0 }
    flights.set(domain, flight)
    void word.finally(() => forget(domain, flight))
    return flight
  }

  function forget(domain: Domain, flight: RdapFlight) {
    if (flights.get(domain) === flight) flights.delete(domain)
  }

  /** The last caller to leave aborts the lookup. */
  function leave(domain: Domain, flight: RdapFlight) {
    flight.waiting -= 1
    if (flight.waiting > 0) return
    forget(domain, flight)
    flight.stop.abort()
  }

  return {
    name: NAME,
    reportsExpiryDates: true,
    covers: (domain) => bootstrap.findServer(behindLabel(domain)) !== undefined,
    async ask(domains, signal, onEvidence, turn = { fairnessKey: '', giveUpAt: now() + patienceMs }) {
      const evidence = new Map<Domain, Evidence>()
      if (signal.aborted || closing.signal.aborted) return evidence
      const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
      const onAbort = () => stop()
      signal.addEventListener('abort', onAbort)
      closing.signal.addEventListener('abort', onAbort)
      const joined: [Domain, RdapFlight][] = []
      const words = domains.map(async (domain) => {
        const server = bootstrap.findServer(behindLabel(domain))
        if (server === undefined) return
        const flight = join(domain, server, turn)
        flight.waiting += 1
        joined.push([domain, flight])
        const said = await flight.word
        if (said?.shortage && !signal.aborted) turn.onShortage?.(domain, { source: flight.host.name, ...said.shortage })
        // A late result must not change a verdict that was already returned.
        if (said === undefined || signal.aborted) return
        if (!reportsSilence && isSilent(said)) return
        const one = evidenceOf(domain, said, now())
        evidence.set(domain, one)
        onEvidence?.(one)
      })
      await Promise.race([Promise.all(words), stopped])
      signal.removeEventListener('abort', onAbort)
      closing.signal.removeEventListener('abort', onAbort)
      const starved = signal.aborted ? joined.filter(([, flight]) => flight.turn.isStarved()) : []
      for (const [domain, { host }] of starved)
        turn.onShortage?.(domain, { source: host.name, retryMs: host.queue.retryMs(turn.fairnessKey) })
      for (const [domain, flight] of joined) leave(domain, flight)
      return evidence
    },
    close: () => closing.abort(),
  }
}

/** `since`: when the last of its suffixes reached this state. */
function trustOf({ clients }: Pick<Host, 'clients'>): SourceTrust {
  const tests = [...clients.values()].map((client) => client.read())
  const { state, why } = summarizeTests(tests)
  const since = tests.filter((test) => test.state === state).map((test) => test.since)
  return { state, why, since: Math.max(...since) }
}

function isSilent({ claim: word }: RdapResult): boolean {
  return word === 'unasked' || word === 'malformed'
}

function evidenceOf(domain: Domain, said: RdapResult, at: number): Evidence {
  const { claim: word, registeredUntil } = said
  const ttlMs = Math.round(TTL_MS[word] * (1 - JITTER + 2 * JITTER * Math.random()))
  const says = isSilent(said) ? 'unknown' : word === 'absent' ? 'absent' : 'registered'
  return {
    domain,
    source: NAME,
    says,
    at,
    ttlMs,
    ...(registeredUntil === undefined ? {} : { registeredUntil }),
    ...(word === 'unasked' ? { unasked: true } : {}),
  }
}
