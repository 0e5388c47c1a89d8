/**
 * The matrix: which states meet about which names, and what is so of each name.
 *
 * Every state of a registrar meets every state of DNS, and RDAP's states go round so that each meets each of the others
 * many times; before that each state alone meets two healthy others, and each seller who lies all states of DNS with an
 * honest registry. A cell is one such meeting with names of its own.
 *
 * In every cell there are names of each kind, but for those about which no source could know: see `isKnowable`.
 *
 * Pure and without randomness.
 */
import { readFileSync } from 'node:fs'
import type { Domain } from '../../../source.ts'
import type { World } from './open-internet.ts'
import { DNS_STATES, RDAP_STATES, REGISTRAR_STATES } from './states.ts'
import type { DnsState, RdapState, RegistrarState } from './states.ts'

/**
 * `held`: registered and not delegated, so that DNS lacks it. `premium`, `reserved`: DNS and RDAP both lack it, and a
 * plain word, a short label or a suffix with price tiers says that only a seller can know. `blocked`: reserved as well,
 * and nothing about it says so.
 */
export type Kind = 'free' | 'delegated' | 'held' | 'premium' | 'reserved' | 'blocked'

export interface Name {
  readonly domain: Domain
  readonly kind: Kind
}

export interface Cell {
  readonly dns: DnsState
  readonly registrar: RegistrarState
  readonly rdap: RdapState
  readonly names: readonly Name[]
}

export const SUFFIXES = ['com', 'net', 'org'] as const
/** With price tiers, by `data/suffix-traits.json`. */
export const TIERED = 'shop'
/** By which RDAP servers are tried out. */
export const KNOWN = 'known-for-sure'

const KINDS: readonly Kind[] = ['free', 'delegated', 'held', 'premium', 'reserved', 'blocked', 'free', 'delegated']
export const PER_CELL = KINDS.length
// Two steps that share no factor with the number of RDAP's states, so that going round visits all of them.
const [REGISTRAR_STEP, DNS_STEP] = [7, 11]

export function makeCells(): readonly Cell[] {
  const plainWords = readFileSync(new URL('../../../../data/plain-words.txt', import.meta.url), 'utf8')
  const words = plainWords.split('\n').flatMap((line) => line.split(' ')[0]?.match(/^[a-z]{5,}$/) ?? [])
  const [dnsWell, registrarWell, rdapWell] = [first(DNS_STATES), first(REGISTRAR_STATES), first(RDAP_STATES)]
  const meetings: Omit<Cell, 'names'>[] = [
    ...DNS_STATES.map((dns) => ({ dns, registrar: registrarWell, rdap: rdapWell })),
    ...REGISTRAR_STATES.map((registrar) => ({ dns: dnsWell, registrar, rdap: rdapWell })),
    ...RDAP_STATES.map((rdap) => ({ dns: dnsWell, registrar: registrarWell, rdap })),
    ...REGISTRAR_STATES.filter(({ lies }) => lies).flatMap((registrar) =>
      DNS_STATES.map((dns) => ({ dns, registrar, rdap: rdapWell })),
    ),
  ]
  for (const [r, registrar] of REGISTRAR_STATES.entries()) {
    for (const [d, dns] of DNS_STATES.entries()) {
      const rdap = RDAP_STATES[(r * REGISTRAR_STEP + d * DNS_STEP) % RDAP_STATES.length] ?? rdapWell
      meetings.push({ dns, registrar, rdap })
    }
  }
  return meetings.map((meeting, at) => ({
    ...meeting,
    names: KINDS.map((wanted, index): Name => {
      const kind = isKnowable(wanted, meeting) ? wanted : 'free'
      const suffix = SUFFIXES[at % SUFFIXES.length] ?? 'com'
      const long = `name-${at}-${index}`
      if (kind === 'premium') return { kind, domain: `${long}.${TIERED}` as Domain }
      if (kind !== 'reserved') return { kind, domain: `${long}.${suffix}` as Domain }
      const label = at % 2 === 0 ? words[at] : `q${at.toString(36).padStart(3, '0')}`
      return { kind, domain: `${label}.${suffix}` as Domain }
    }),
  }))
}

/**
 * Whether any source can know that such a name is not free. One liar among honest sources must be found
 * out; nothing can find out
 *   - a seller's lie about what only sellers know, or about a held name: DNS honestly lacks it, and after a seller's
 *     word and an absence the registry is not asked (one that lies about every name fails its test and is not believed);
 *   - a registry's lie about a held name while no seller speaks;
 *   - two who lie alike.
 * A blocked name needs a seller who speaks of it: both lists lack it, and nothing about it says that they might.
 */
export function isKnowable(kind: Kind, { dns, registrar, rdap }: Omit<Cell, 'names'>): boolean {
  const liars = [dns, registrar, rdap].filter(({ lies }) => lies).length
  if (kind === 'free') return true
  if (kind === 'blocked') return registrar.speaks || registrar.contradicts
  if (kind === 'premium' || kind === 'reserved') return !registrar.lies
  if (liars > 1) return registrar.speaks
  if (kind === 'held') return !registrar.lies && (!rdap.lies || registrar.speaks || !dns.speaks)
  return true
}

/** The same for the servers. `alsoSold`: suffixes that the registrars sell besides their usual ones. */
export function worldOf(names: readonly Name[], alsoSold: readonly string[] = []): World {
  const of = (...kinds: Kind[]) => names.filter(({ kind }) => kinds.includes(kind)).map(({ domain }) => domain)
  const known = [...SUFFIXES, TIERED].map((suffix) => `${KNOWN}.${suffix}`)
  return {
    delegated: new Set<string>([...of('delegated'), ...known]),
    registered: new Set<string>([...of('delegated', 'held'), ...known]),
    premium: new Map<string, number>(of('premium').map((domain) => [domain, premiumMinor(domain)])),
    reserved: new Set<string>(of('reserved', 'blocked')),
    unsold: new Set(),
    alsoSold,
  }
}

/** From a thousand dollars up. */
export function premiumMinor(domain: string): number {
  return 100_000 + 4_999 * Number(/\d+/.exec(domain)?.[0] ?? 0)
}

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('no states')
  return one
}
