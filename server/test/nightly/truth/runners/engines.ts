/**
 * The product's own sources, all on one way out, one Redis and one set of budgets: those of one chain, or one for every
 * state of the matrix, a node that knows many resolvers, registrars and registries, most of them sick.
 */
import { LOGIN } from '../../../internet/registrar-dialects.ts'
import { emptyRedis, REDIS_TIMEOUT_MS } from '../../../redis.ts'
import {
  type Availability,
  createCloudflare,
  createVercel,
  type EvidenceSource,
  openAvailability,
  openBootstrap,
  openBudget,
  openCache,
  openDnsSource,
  openOutbound,
  openRdap,
  openRegistrars,
  openRegistrarTrust,
  readDoubts,
  type Registrar,
  Secret,
  type TestedRegistrar,
} from '../../../source.ts'
import { KNOWN } from '../world/cells.ts'
import type { Cell } from '../world/cells.ts'
import type { Addresses } from '../world/open-internet.ts'
import { DNS_STATES, RDAP_STATES, REGISTRAR_STATES } from '../world/states.ts'
import type { Api } from '../world/states.ts'

export interface Sources extends AsyncDisposable {
  /** Every source of every state, each with its own tests in the background. */
  openMatrix(): Promise<Matrix>
  /** One resolver, the given registrars, and RDAP servers by suffix. */
  openOne(servers: Readonly<Record<string, string>>): Promise<Availability>
}

export interface Matrix {
  openCell(cell: Pick<Cell, 'dns' | 'registrar' | 'rdap'>): Availability
  /** At some time in between, none of the registrars of the cell could be reached, by their tests. */
  wasUnreachable(cell: Pick<Cell, 'registrar'>, from: number, until: number): boolean
}

interface Outage {
  readonly from: number
  /** Absent while it lasts. */
  until?: number
}

// Budgets are tested elsewhere; here they must not be the reason why nothing false was said.
const PER_SECOND = 100_000

export async function openSources(options: {
  readonly addresses: Addresses
  readonly suffixes: readonly string[]
}): Promise<Sources> {
  const { addresses, suffixes } = options
  const closing = new AsyncDisposableStack()
  const now = Date.now
  const { NAMEWRIGHT_REDIS_URL: url } = await emptyRedis()
  const cache = await openCache({ urls: [url], timeoutMs: REDIS_TIMEOUT_MS })
  closing.defer(() => cache.close())
  const outbound = openOutbound({ ca: addresses.ca, allowPrivate: true, now })
  closing.defer(() => outbound.close())
  const budget = openBudget({ cache, now, start: PER_SECOND })
  const doubtsOf = readDoubts()
  const send = (request: Parameters<typeof outbound.send>[0]) => outbound.send(request)
  const secret = new Secret(LOGIN.secret)

  const registeredIn = (suffix: string) => [`${KNOWN}.${suffix}`, `nic.${suffix}`] as const

  function openTested(api: Api, mood: string, onChange?: () => void): TestedRegistrar {
    const registrar = openRegistrar(api, mood)
    const tested = openRegistrarTrust({ registrar, registeredIn, suffixes, budget, now, onChange })
    closing.defer(() => tested.close())
    return tested
  }

  function openRegistrar(api: Api, mood: string): Registrar {
    const at = addresses.registrars[mood] ?? ''
    if (api === 'vercel') return createVercel({ send, now, url: at })
    return createCloudflare({ send, now, url: at, accountId: LOGIN.user, token: secret })
  }

  function openDns(resolvers: readonly string[]): EvidenceSource {
    const dns = openDnsSource({ resolvers, now, registeredIn })
    closing.defer(() => dns.close())
    return dns
  }

  /** `servers`: base → suffixes. */
  async function openRegistries(servers: Readonly<Record<string, string>>): Promise<EvidenceSource> {
    const known = Object.values(servers).flatMap((list) => list.split(' ').map((suffix) => `${KNOWN}.${suffix}`))
    const bootstrap = openBootstrap({
      outbound,
      now,
      facts: { servers, registered: { domains: known.join(' ') } },
    })
    const rdap = openRdap({ outbound, budget, bootstrap, cache, now })
    closing.defer(() => rdap.close())
    return rdap
  }

  const chains = (screen: EvidenceSource[], confirm: EvidenceSource[]) =>
    openAvailability({ cache, local: [], screen, confirm, doubtsOf, now })

  async function openMatrix(): Promise<Matrix> {
    const byName = new Map<object, EvidenceSource>()
    const outagesOf = new Map<object, readonly Outage[]>()
    for (const state of DNS_STATES)
      byName.set(state, openDns(state.resolvers.map((name) => addresses.resolvers[name] ?? '')))
    for (const state of REGISTRAR_STATES) {
      const outages: Outage[] = []
      const noteOutage = () => {
        const isAway = order.every((tested) => tested.read().state === 'unreachable')
        const last = outages.at(-1)
        const isOpen = last !== undefined && last.until === undefined
        if (isAway && !isOpen) outages.push({ from: now() })
        if (!isAway && isOpen) last.until = now()
      }
      const order: readonly TestedRegistrar[] = state.order.map(({ api, mood }) => openTested(api, mood, noteOutage))
      outagesOf.set(state, outages)
      byName.set(state, openRegistrars({ order, budget }))
    }
    for (const state of RDAP_STATES) {
      byName.set(state, await openRegistries({ [addresses.rdap[state.name] ?? '']: suffixes.join(' ') }))
    }
    const sourceOf = (state: object) => {
      const source = byName.get(state)
      if (source === undefined) throw new Error('a state that nobody plays')
      return source
    }

    return {
      openCell: ({ dns, registrar, rdap }) => chains([sourceOf(dns)], [sourceOf(registrar), sourceOf(rdap)]),
      wasUnreachable: ({ registrar }, from, until) =>
        (outagesOf.get(registrar) ?? []).some((one) => one.from <= until && (one.until ?? until) >= from),
    }
  }

  return {
    openMatrix,
    async openOne(servers) {
      const registrars = openRegistrars({ order: [openTested('vercel', 'well')], budget })
      return chains([openDns([addresses.mixedResolver])], [registrars, await openRegistries(servers)])
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
