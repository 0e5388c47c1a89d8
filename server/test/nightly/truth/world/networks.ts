/**
 * The networks that a process meets which is told nothing but where its resolver and its hosts are, and the names that
 * it is asked about there.
 */
import type { Domain } from '../../../source.ts'
import type { Kind, Name } from './cells.ts'
import { ROUTER } from './dns-manners.ts'
import type { Addresses } from './open-internet.ts'
import { DNS_STATES, LIST_STATES, RDAP_STATES, REGISTRAR_STATES } from './states.ts'
import type { DnsState, RdapState, RegistrarState, State } from './states.ts'

export interface Network {
  readonly dns: DnsState
  /** Undefined: it is not to be asked. */
  readonly registrar: RegistrarState | undefined
  readonly rdap: RdapState
}

/** What a process is told of a network. */
export interface Environment {
  readonly NAMEWRIGHT_DNS_RESOLVERS: string
  readonly NAMEWRIGHT_OUTBOUND_ROUTES: string
  readonly NAMEWRIGHT_OUTBOUND_CA_FILE: string
}

const REGISTRAR_HOST = 'api.vercel.com'
/** The RDAP hosts of `SUFFIXES`. */
const RDAP_HOSTS = [
  'rdap.verisign.com',
  'rdap.publicinterestregistry.org',
  'pubapi.registry.google',
  'rdap.gmoregistry.net',
  'rdap.identitydigital.services',
  'rdap.registry.co',
  'rdap.denic.de',
  'rdap.nic.fr',
]
export const HOSTS: readonly string[] = [REGISTRAR_HOST, ...RDAP_HOSTS]

export const SUFFIXES = ['com', 'net', 'org', 'shop', 'io', 'co', 'dev', 'app', 'de', 'fr', 'ai'] as const
/** What the registrar sells besides com, net, org and shop. */
export const ALSO_SOLD: readonly string[] = ['io', 'co', 'dev', 'app']
/** For which its word and the absence from a list are proof. */
export const SOLD: ReadonlySet<string> = new Set(['com', 'net', 'org', 'shop', ...ALSO_SOLD])
/** For which the absence from both lists is proof: every name has one price, and the registry's list has them all. */
export const LISTED: ReadonlySet<string> = new Set(['com', 'net', 'org', 'de', 'fr'])

export const HONEST: Network = {
  dns: stateNamed(DNS_STATES, 'well'),
  registrar: stateNamed(REGISTRAR_STATES, 'vercel well'),
  rdap: stateNamed(RDAP_STATES, 'well'),
}
export const WITHOUT_REGISTRAR: Network = { ...HONEST, registrar: undefined }
export const BEHIND_ROUTER: Network = {
  ...HONEST,
  dns: { name: ROUTER, resolvers: [ROUTER], speaks: true, lies: false },
}
export const LIST_REFUSED: Network = { ...HONEST, registrar: stateNamed(LIST_STATES, 'vercel list refused') }

/** All states of the registrar that needs no account. */
const VERCEL = [...REGISTRAR_STATES, ...LIST_STATES].filter(
  ({ order }) => order.length === 1 && order[0]?.api === 'vercel',
)
const DENIES = DNS_STATES.filter(({ lies }) => lies)
const LYING = VERCEL.filter(({ lies }) => lies)
const DENY = RDAP_STATES.filter(({ how }) => how === 'denies_all' || how === 'turned')

const SILENT = { dns: stateNamed(DNS_STATES, 'silent'), rdap: stateNamed(RDAP_STATES, 'silent') }

/**
 * Each state beside two honest sources, or one where the registrar is left out; liars side by side; and nobody who
 * answers.
 */
export const NETWORKS: readonly Network[] = [
  HONEST,
  WITHOUT_REGISTRAR,
  BEHIND_ROUTER,
  ...[HONEST, WITHOUT_REGISTRAR].flatMap((others) => [
    ...DNS_STATES.slice(1).map((dns) => ({ ...others, dns })),
    ...RDAP_STATES.slice(1).map((rdap) => ({ ...others, rdap })),
    ...DENIES.flatMap((dns) => DENY.map((rdap) => ({ ...others, dns, rdap }))),
  ]),
  ...VERCEL.slice(1).map((registrar) => ({ ...HONEST, registrar })),
  ...LYING.flatMap((registrar) => [
    ...DENIES.map((dns) => ({ ...HONEST, dns, registrar })),
    ...DENY.map((rdap) => ({ ...HONEST, registrar, rdap })),
    ...DENIES.flatMap((dns) => DENY.map((rdap) => ({ dns, registrar, rdap }))),
  ]),
  { ...SILENT, registrar: stateNamed(VERCEL, 'vercel silent') },
]

function stateNamed<T extends State>(states: readonly T[], name: string): T {
  const state = states.find((one) => one.name === name)
  if (state === undefined) throw new Error(`no state ${name}`)
  return state
}

export function nameOf({ dns, registrar, rdap }: Network): string {
  return `dns ${dns.name}; registrar ${registrar?.name ?? 'not asked'}; rdap ${rdap.name}`
}

/** One that is not to be asked is there and honest, so that its word would show. */
export function environmentOf(addresses: Addresses, { dns, registrar, rdap }: Network): Environment {
  const mood = registrar?.order[0]?.mood ?? 'well'
  const portOf = (url = '') => new URL(url).port
  const [seller, registry] = [portOf(addresses.registrars[mood]), portOf(addresses.rdap[rdap.name])]
  const routes = RDAP_HOSTS.map((host) => `${host}=127.0.0.1:${registry}`)
  return {
    NAMEWRIGHT_DNS_RESOLVERS: dns.resolvers.map((name) => addresses.resolvers[name]).join(','),
    NAMEWRIGHT_OUTBOUND_ROUTES: [`${REGISTRAR_HOST}=127.0.0.1:${seller}`, ...routes].join(','),
    NAMEWRIGHT_OUTBOUND_CA_FILE: addresses.caFile,
  }
}

/** Whether an honest source can prove that the name is free. */
export function isProvable({ domain, kind }: Name, { registrar }: Network): boolean {
  return kind === 'free' && (LISTED.has(suffixOf(domain)) || (registrar !== undefined && isSold({ domain })))
}

/** The registrar sells its suffix. */
export function isSold({ domain }: Pick<Name, 'domain'>): boolean {
  return SOLD.has(suffixOf(domain))
}

/**
 * Nobody can find out that it is not free: it is held, the registry is right to whoever tries it out and denies it to
 * all others, and no registrar who sells it speaks.
 */
export function isHidden({ domain, kind }: Name, { dns, registrar, rdap }: Network): boolean {
  return kind === 'held' && dns.speaks && rdap.lies && !(registrar?.speaks && isSold({ domain }))
}

const KINDS: readonly Kind[] = ['free', 'delegated', 'held']

/** Of each kind as many, in turns under all suffixes; and some more that are reserved. */
export function makeNames(perKind: number): readonly Name[] {
  const names = Array.from({ length: KINDS.length * perKind }, (_, at): Name => {
    const suffix = SUFFIXES[at % SUFFIXES.length]
    return { kind: KINDS[at % KINDS.length] ?? 'free', domain: `${labelOf(at)}.${suffix}` as Domain }
  })
  const reserved = Array.from({ length: Math.ceil(perKind / 5) }, (_, at): Name => {
    const suffix = [...LISTED][at % LISTED.size]
    return { kind: 'reserved', domain: `q${at.toString(36).padStart(3, '0')}.${suffix}` as Domain }
  })
  return [...names, ...reserved]
}

const SYLLABLES = ['ba', 'ke', 'lom', 'vi', 'nu', 'rax', 'so', 'ti', 'wu', 'zer', 'fa', 'de', 'gom', 'hi', 'pu', 'jal']

/** No word of any language that we know, and longer than what costs more. */
function labelOf(at: number): string {
  const digits = [at % 16, Math.floor(at / 16) % 16, Math.floor(at / 256) % 16, (at * 7) % 16]
  return digits.map((digit) => SYLLABLES[digit]).join('')
}

/** What a process says of a name. */
export interface Answer {
  readonly input: string
  readonly domain: string
  readonly available: boolean
  readonly status: string
  readonly confidence?: string
  readonly sources: readonly string[]
}

/** Everything in these answers that is false or not proved, in words. */
export function findWrong(network: Network, names: readonly Name[], answers: readonly Answer[]): string[] {
  const wrong: string[] = []
  if (answers.length !== names.length) wrong.push(`${answers.length} answers about ${names.length} names`)
  for (const [at, { input, available, status, confidence, sources }] of answers.entries()) {
    const name = names[at]
    const said = `${name?.kind} ${input}: ${status}, ${confidence} by ${sources.join(' and ') || 'nobody'}`
    if (input !== name?.domain) wrong.push(`${said} in the place of ${name?.domain}`)
    if (available && name?.kind !== 'free' && !(name && isHidden(name, network))) wrong.push(said)
    if (available !== (status === 'available') || (available && confidence !== 'definitive'))
      wrong.push(`${said}, and available is ${available}`)
  }
  return wrong.map((one) => `${one} (${nameOf(network)})`)
}

function suffixOf(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1)
}
