/**
 * Every way in which a source can be healthy or faulty here, by name, and what its evidence is then worth.
 *
 * A state `speaks` when its answers arrive, can be understood and are right; `lies` when they arrive, can be understood
 * and say "free" of what is not. All others are noise: whatever arrives proves nothing.
 */
import { FAULTS } from '../../../internet/rdap-faults.ts'
import type { Fault } from '../../../internet/rdap-faults.ts'
import { LIST_MOODS, MOODS } from '../../../internet/registrar-server.ts'
import type { ListMood } from '../../../internet/registrar-server.ts'
import { DNS_MANNERS } from './dns-manners.ts'

export interface State {
  readonly name: string
  readonly speaks: boolean
  readonly lies: boolean
}

export interface DnsState extends State {
  /** Asked in this order; by the names of `DNS_MANNERS`. */
  readonly resolvers: readonly string[]
}

/** Which registrars are asked, in this order: `vercel` or `cloudflare`, and the mood of each. */
export interface RegistrarState extends State {
  /** About every name it says two things. */
  readonly contradicts: boolean
  readonly order: readonly { readonly api: Api; readonly mood: string }[]
}

export type Api = 'vercel' | 'cloudflare'

const DNS_SPEAKS = new Set(['well', 'slow', 'truncated'])
const AND_THEN_WELL = ['silent', 'garbage', 'refused']

export const DNS_STATES: readonly DnsState[] = [
  ...Object.keys(DNS_MANNERS).map((name) => ({
    name,
    resolvers: [name],
    speaks: DNS_SPEAKS.has(name),
    lies: name === 'denies all',
  })),
  ...AND_THEN_WELL.map((name) => ({
    name: `${name}, then well`,
    resolvers: [name, 'well'],
    speaks: true,
    lies: false,
  })),
]

const REGISTRAR_SPEAKS = new Set(['well', 'slow', 'shuffled'])
const THEN_ANOTHER = ['429', 'html', 'another name', 'missing', 'contradicting', 'no price', 'bad certificate']

export const REGISTRAR_STATES: readonly RegistrarState[] = [
  ...MOODS.map((mood) => registrarOf('vercel', mood)),
  ...MOODS.map((mood) => registrarOf('cloudflare', mood)),
  ...THEN_ANOTHER.map((mood) => {
    const order = [{ api: 'vercel', mood } as const, { api: 'cloudflare', mood: 'well' } as const]
    return { name: `vercel ${mood}, then cloudflare well`, order, speaks: true, lies: false, contradicts: false }
  }),
]

function registrarOf(api: Api, mood: string): RegistrarState {
  return {
    name: `${api} ${mood}`,
    order: [{ api, mood }],
    speaks: REGISTRAR_SPEAKS.has(mood),
    lies: mood === 'lying',
    contradicts: mood === 'contradicting' || mood === 'doubled',
  }
}

/** Vercel answers rightly about names, and wrongly or not at all when asked which suffixes it sells. */
export const LIST_STATES: readonly RegistrarState[] = LIST_MOODS.filter((mood) => mood !== 'well').map((mood) => ({
  ...registrarOf('vercel', listStateOf(mood)),
  speaks: true,
}))

export function listStateOf(mood: ListMood): string {
  return `list ${mood}`
}

const LIMITS = [403, 422, 429].flatMap((status): Fault[] => [{ status }, { status, retryAfter: '7' }])
const BROKEN: readonly Fault[] = [{ status: 500 }, { status: 503, retryAfter: '1' }]

export interface RdapState extends State {
  /** 'turned': right to whoever tries it out, 404 to everybody else. */
  readonly how: Fault | 'well' | 'bad certificate' | 'turned'
}

const RDAP_SPEAKS = new Set<unknown>(['well', 'slow', 'head_denies_all'])

export const RDAP_STATES: readonly RdapState[] = [
  'well' as const,
  ...FAULTS,
  'bad certificate' as const,
  'turned' as const,
  ...LIMITS,
  ...BROKEN,
].map((how) => ({
  name: typeof how === 'string' ? how : `${how.status}${how.retryAfter === undefined ? '' : ' later'}`,
  how,
  speaks: RDAP_SPEAKS.has(how),
  lies: how === 'turned',
}))
