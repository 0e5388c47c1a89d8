/**
 * Evidence from DNS: whether the registry delegates the domain. Live and cheap, but incomplete: a held or expiring
 * name is registered and not delegated, so an absence is `absent` and never `available`.
 *
 * All queries of a call are sent together. An absence counts only after the resolver that reports it has then passed
 * a test; a presence counts while its resolver is trusted (`dns-trust.ts`). Other results are left out. A malformed
 * name must never be sent: a bad A-label would become a query for a different name.
 */
import { behindLabel, isLabel, isSuffix } from '../../model/domain.ts'
import type { Domain } from '../../model/domain.ts'
import { createRegisteredNames } from './control-names.ts'
import type { RegisteredNames } from './control-names.ts'
import { IN_FLIGHT, openDnsClient } from './dns-client.ts'
import type { DnsAnswer } from './dns-message.ts'
import { openDnsTrust } from './dns-trust.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'
import type { SourceHealth } from './source-health.ts'
import type { SourceTrust } from './trust.ts'

export interface DnsSource extends EvidenceSource {
  close(): Promise<void>
}

export interface DnsSourceOptions {
  /** `127.0.0.1:53` or `[::1]:53`, the preferred one first. */
  readonly resolvers: readonly string[]
  readonly registeredIn?: RegisteredNames
  /** Suffixes that the resolvers are continuously tested with. */
  readonly sampled?: readonly string[]
  readonly sampleMs?: number | undefined
  readonly now: () => number
  readonly sourceHealth?: SourceHealth
  readonly onTrust?: (resolver: string, trust: SourceTrust) => void
}

const NAME = 'dns'
// A registered domain stays registered for months. A domain deleted meanwhile is missed for at most six hours.
const REGISTERED_MS = 6 * 60 * 60 * 1000
// Registries allow up to a day, but the name can be registered at any moment.
const ABSENT_MAX_MS = 300_000
// A name has 253 characters at most (RFC 1035 §2.3.4), of which the longest label and its dot take 64.
const SUFFIX_MAX = 189

export function openDnsSource(options: DnsSourceOptions): DnsSource {
  const {
    resolvers,
    registeredIn = createRegisteredNames(''),
    sampled = [],
    sampleMs,
    now,
    sourceHealth,
    onTrust,
  } = options
  const trust = openDnsTrust({
    clients: resolvers.map((resolver) => openDnsClient([resolver], { mostInFlight: IN_FLIGHT.tests })),
    registeredIn,
    sampled,
    sampleMs,
    now,
    onChange: (resolver, changed) => onTrust?.(resolvers[resolver] ?? '', changed),
  })
  const client = openDnsClient(resolvers, {
    ...(sourceHealth ? { healthOf: (resolver) => sourceHealth.of('dns', resolver) } : {}),
    avoids: (resolver, suffix) => trust.stateOf(resolver, suffix) === 'untrusted',
  })
  for (const [index, resolver] of resolvers.entries()) {
    const reader = { read: () => trust.read(index), about: (suffix: string) => trust.stateOf(index, suffix) }
    sourceHealth?.trusting('dns', resolver, reader)
  }

  return {
    name: NAME,
    async ask(domains, signal) {
      const found = new Map<Domain, Evidence>()
      const askable = domains.filter(isAskableBySuffix())
      if (signal.aborted || askable.length === 0) return found
      const { promise, resolve } = Promise.withResolvers<void>()
      let open = askable.length
      let over = false
      const silent = new Set(askable.map(behindLabel))
      const end = (domain: Domain, evidence: Evidence | undefined) => {
        if (over) return
        if (evidence !== undefined) found.set(domain, evidence)
        open -= 1
        if (open === 0) resolve()
      }
      const withdrawals = askable.map((domain) =>
        client.ask(domain, 'DS', (answer, resolver = 0) => {
          const evidence = evidenceOf(domain, answer, now())
          const suffix = behindLabel(domain)
          if (evidence !== undefined) silent.delete(suffix)
          const isSure = evidence?.says !== 'absent' && trust.stateOf(resolver, suffix) === 'trusted'
          if (evidence === undefined || isSure) return end(domain, evidence)
          void trust.confirm(resolver, suffix).then((isTrue) => end(domain, isTrue ? evidence : undefined))
        }),
      )
      const stop = () => resolve()
      signal.addEventListener('abort', stop)
      await promise
      over = true
      signal.removeEventListener('abort', stop)
      // In reverse: withdrawing a query in flight sends the next one in the queue, which must not be ours.
      if (open > 0) for (const withdraw of withdrawals.toReversed()) withdraw()
      for (const suffix of silent) trust.suspect(suffix)
      return found
    },
    async close() {
      await Promise.all([client.close(), trust.close()])
    },
  }
}

/** Validates each suffix once: a call has many domains of few suffixes. */
function isAskableBySuffix(): (domain: Domain) => boolean {
  const suffixes = new Map<string, boolean>()
  return (domain) => {
    const suffix = behindLabel(domain)
    let isGood = suffixes.get(suffix)
    if (isGood === undefined) suffixes.set(suffix, (isGood = suffix.length <= SUFFIX_MAX && isSuffix(suffix)))
    return isGood && isLabel(domain.slice(0, -suffix.length - 1))
  }
}

function evidenceOf(domain: Domain, answer: DnsAnswer, at: number): Evidence | undefined {
  if (answer.kind === 'exists') return { domain, source: NAME, says: 'registered', at, ttlMs: REGISTERED_MS }
  if (answer.kind !== 'absent') return undefined
  return { domain, source: NAME, says: 'absent', at, ttlMs: Math.min(answer.negativeTtlMs, ABSENT_MAX_MS) }
}
