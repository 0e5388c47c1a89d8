/**
 * Asks the registry's own database over RDAP, as a source of evidence.
 *
 * For each domain: which server speaks for its suffix (`bootstrap.ts`); is it already being asked (then wait along);
 * otherwise its witness asks it (`witness.ts`, which sits on `lane.ts`). Says `registered` or `absent` or leaves the
 * domain out; `absent` is the registry not knowing the name, which is not yet a promise that it sells it.
 *
 * Expects domains directly below a suffix people can register in: of a name further down a registry knows nothing.
 */
import { behindLabel } from '../../model/domain.ts'
import type { Domain } from '../../model/domain.ts'
import type { Outbound } from '../../outbound.ts'
import type { Pulse } from '../../outbound/pulse.ts'
import type { Budget } from '../budget.ts'
import type { Evidence, EvidenceSource } from '../evidence.ts'
import { createPulses } from '../pulses.ts'
import type { Pulses } from '../pulses.ts'
import type { LookupCache } from '../verdict-cache.ts'
import type { Bootstrap, RdapServer } from './bootstrap.ts'
import { createBreaker } from './breaker.ts'
import type { Breaker } from './breaker.ts'
import { createLane } from './lane.ts'
import type { Lane } from './lane.ts'
import { createWitness } from './witness.ts'
import type { Testimony, Witness, Word } from './witness.ts'

export interface RdapSource extends EvidenceSource {
  close(): void
}

export interface RdapOptions {
  readonly outbound: Outbound
  readonly budget: Budget
  readonly bootstrap: Pick<Bootstrap, 'findServer'>
  /** Where nodes share what they found out about servers. */
  readonly cache: LookupCache
  readonly now: () => number
  readonly patienceMs?: number | undefined
  /** Says `unknown` of what it was asked and could not answer, where it otherwise leaves it out. */
  readonly tellsSilence?: boolean
  readonly pulses?: Pulses
}

const NAME = 'rdap'
const HOUR_MS = 60 * 60 * 1000
// A registration lasts a year or more; one that may end soon is looked at again soon.
const TTL_MS: Readonly<Record<Word, number>> = {
  registered: 24 * HOUR_MS,
  ending: HOUR_MS,
  absent: 10 * 60 * 1000,
  unasked: 0,
  odd: 0,
}
// So that names that were asked together are not all asked again in the same second.
const JITTER = 0.1
// More than the lanes of a suffix: it takes several suffixes in trouble before the host as a whole is.
const HOST_FAILURES = 10

/** One serves many suffixes, each in a lane. */
interface Host {
  readonly breaker: Breaker
  readonly pulse: Pulse
  readonly lanes: Map<string, Lane>
}

interface Flight {
  readonly word: Promise<Testimony | undefined>
  readonly stop: AbortController
  waiting: number
}

export function openRdap(options: RdapOptions): RdapSource {
  const { outbound, budget, bootstrap, cache, now, patienceMs, tellsSilence = false } = options
  const pulses = options.pulses ?? createPulses(now)
  const closing = new AbortController()
  const hosts = new Map<string, Host>()
  const witnesses = new Map<string, Witness>()
  const flights = new Map<Domain, Flight>()

  function hostOf(name: string): Host {
    const known = hosts.get(name)
    if (known !== undefined) return known
    const lanes = new Map<string, Lane>()
    const breaker = createBreaker({ failures: HOST_FAILURES, now })
    const rests = () => {
      const resting = [...lanes].flatMap(([suffix, lane]) => (lane.isResting() ? [`.${suffix}`] : []))
      if (!breaker.isOpen() && resting.length === 0) return undefined
      return breaker.isOpen() ? 'does not answer' : `does not answer about ${resting.join(', ')}`
    }
    const host = { lanes, breaker, pulse: pulses.of('registry', name, rests) }
    hosts.set(name, host)
    return host
  }

  function witnessOf(server: RdapServer): Witness {
    const key = `${server.base} ${server.suffix}`
    const known = witnesses.get(key)
    if (known !== undefined) return known
    const { base } = server
    const { lanes, breaker: hostBreaker, pulse } = hostOf(new URL(base).host)
    const lane = createLane({ base, outbound, budget, hostBreaker, pulse, now, closing: closing.signal, patienceMs })
    lanes.set(server.suffix, lane)
    const witness = createWitness({ lane, server, cache, now, closing: closing.signal })
    witnesses.set(key, witness)
    return witness
  }

  function join(domain: Domain, server: RdapServer): Flight {
    const known = flights.get(domain)
    if (known !== undefined) return known
    const stop = new AbortController()
    const word = witnessOf(server).ask(domain, stop.signal)
    const flight = { word, stop, waiting: 0 }
    flights.set(domain, flight)
    void word.finally(() => forget(domain, flight))
    return flight
  }

  function forget(domain: Domain, flight: Flight) {
    if (flights.get(domain) === flight) flights.delete(domain)
  }

  /** The last one to go takes the question along. */
  function leave(domain: Domain, flight: Flight) {
    flight.waiting -= 1
    if (flight.waiting > 0) return
    forget(domain, flight)
    flight.stop.abort()
  }

  return {
    name: NAME,
    tellsEnds: true,
    covers: (domain) => bootstrap.findServer(behindLabel(domain)) !== undefined,
    async ask(domains, signal, onEvidence) {
      const evidence = new Map<Domain, Evidence>()
      if (signal.aborted || closing.signal.aborted) return evidence
      const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
      const onAbort = () => stop()
      signal.addEventListener('abort', onAbort)
      closing.signal.addEventListener('abort', onAbort)
      const joined: [Domain, Flight][] = []
      const words = domains.map(async (domain) => {
        const server = bootstrap.findServer(behindLabel(domain))
        if (server === undefined) return
        const flight = join(domain, server)
        flight.waiting += 1
        joined.push([domain, flight])
        const said = await flight.word
        // Late words would change what has been handed out already.
        if (said === undefined || signal.aborted) return
        if (!tellsSilence && isSilent(said)) return
        const one = evidenceOf(domain, said, now())
        evidence.set(domain, one)
        onEvidence?.(one)
      })
      await Promise.race([Promise.all(words), stopped])
      signal.removeEventListener('abort', onAbort)
      closing.signal.removeEventListener('abort', onAbort)
      for (const [domain, flight] of joined) leave(domain, flight)
      return evidence
    },
    close: () => closing.abort(),
  }
}

function isSilent({ word }: Testimony): boolean {
  return word === 'unasked' || word === 'odd'
}

function evidenceOf(domain: Domain, said: Testimony, at: number): Evidence {
  const { word, registeredUntil } = said
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
