/**
 * Is the domain delegated by its registry? Live, cheap, and half of the truth: a name that is held or expiring is
 * registered and not delegated, so an absence is `absent` and never `available`.
 *
 * All questions of a call go out together, with the probes of suffixes that are not known yet (`dns-wildcard.ts`);
 * what was answered under a suffix that DNS cannot be believed about is left out. Nothing malformed is ever asked:
 * a bad A-label would be another question than the one meant.
 */
import type { Cache } from '../cache/cache.ts'
import { isLabel, isSuffix } from '../model/domain.ts'
import { behindLabel } from '../model/domain.ts'
import type { Domain } from '../model/domain.ts'
import { openDnsClient } from './dns-client.ts'
import type { Answer } from './dns-message.ts'
import { createWildcards } from './dns-wildcard.ts'
import type { Wildcards } from './dns-wildcard.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'
import type { Pulses } from './pulses.ts'

export interface DnsSource extends EvidenceSource {
  close(): Promise<void>
}

export interface DnsSourceOptions {
  /** `127.0.0.1:53` or `[::1]:53`, the preferred one first. */
  readonly resolvers: readonly string[]
  readonly cache: Pick<Cache, 'getMany' | 'setMany'>
  readonly now: () => number
  readonly pulses?: Pulses
}

const NAME = 'dns'
// A registered domain stays registered for months; six hours is what a name dropped meanwhile may be missed for.
const REGISTERED_MS = 6 * 60 * 60 * 1000
// Registries allow up to a day, but anybody may register the name this minute.
const ABSENT_MAX_MS = 300_000
// A name has 253 characters at most (RFC 1035 §2.3.4), of which the longest label and its dot take 64.
const SUFFIX_MAX = 189

export function openDnsSource({ resolvers, cache, now, pulses }: DnsSourceOptions): DnsSource {
  const client = openDnsClient(resolvers, pulses ? { pulseOf: (resolver) => pulses.of('dns', resolver) } : {})
  const wildcards = createWildcards({ client, cache, resolvers, now })

  return {
    name: NAME,
    async ask(domains, signal) {
      const found = new Map<Domain, Evidence>()
      if (signal.aborted) return found
      const { promise, resolve } = Promise.withResolvers<void>()
      const { askable, probes } = sort(domains, wildcards)
      let open = askable.length + probes.length
      if (open === 0) return found
      const closeOne = () => {
        open -= 1
        if (open === 0) resolve()
      }
      const withdrawals = askable.map((domain) =>
        client.ask(domain, 'DS', (answer) => {
          const evidence = evidenceOf(domain, answer, now())
          if (evidence !== undefined) found.set(domain, evidence)
          closeOne()
        }),
      )
      for (const probe of probes) void probe.then(closeOne)
      const stop = () => resolve()
      signal.addEventListener('abort', stop)
      await promise
      signal.removeEventListener('abort', stop)
      // Backwards: withdrawing a question that is out lets the next one in line out, which must not be ours.
      if (open > 0) for (const withdraw of withdrawals.toReversed()) withdraw()
      if (probes.length > 0) leaveOutUnbelieved(found, wildcards)
      return found
    },
    close: () => client.close(),
  }
}

/** Which domains are worth asking, and the probes that must end before their answers count. */
function sort(domains: readonly Domain[], wildcards: Wildcards) {
  const askable: Domain[] = []
  const probes: Promise<void>[] = []
  const suffixes = new Map<string, boolean>()
  for (const domain of domains) {
    const suffix = behindLabel(domain)
    let isAskable = suffixes.get(suffix)
    if (isAskable === undefined) {
      const known = wildcards.find(suffix)
      isAskable = suffix.length <= SUFFIX_MAX && isSuffix(suffix) && !(known?.fresh === true && known.isWildcard)
      if (isAskable && known?.fresh !== true) probes.push(wildcards.learn(suffix))
      suffixes.set(suffix, isAskable)
    }
    if (isAskable && isLabel(domain.slice(0, -suffix.length - 1))) askable.push(domain)
  }
  return { askable, probes }
}

function leaveOutUnbelieved(found: Map<Domain, Evidence>, wildcards: Wildcards) {
  for (const domain of found.keys()) {
    if (wildcards.find(behindLabel(domain))?.isWildcard !== false) found.delete(domain)
  }
}

function evidenceOf(domain: Domain, answer: Answer, at: number): Evidence | undefined {
  if (answer.kind === 'exists') return { domain, source: NAME, says: 'registered', at, ttlMs: REGISTERED_MS }
  if (answer.kind !== 'absent') return undefined
  return { domain, source: NAME, says: 'absent', at, ttlMs: Math.min(answer.negativeTtlMs, ABSENT_MAX_MS) }
}
