/**
 * How many of the free names are called available where one source cannot be used as it should be: the list of what the
 * default registrar sells cannot be read, no offered suffix has a control name, or the resolver is a home router.
 * No registered name is called available in any of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CacheDown,
  createSourceHealth,
  createVercel,
  type Domain,
  isRegistrable,
  openAvailability,
  openBootstrap,
  openDnsSource,
  openLiveSources,
  openOutbound,
  openRdap,
  openRegistrars,
  openRegistrarTrust,
  readDoubts,
  readRegisteredNames,
  type RegisteredNames,
} from './source.ts'
import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import { openRdapServer } from './internet/rdap-server.ts'
import { LIST_MOODS, openRegistrarServer } from './internet/registrar-server.ts'
import type { ListMood, Mood } from './internet/registrar-server.ts'

// Long enough for a busy machine: what waits for a list or a test that never ends is not called available at all.
const DEADLINE_MS = 10_000
const FREE = 32
// dnsmasq keeps this many queries open by default, and refuses the others.
const HOME_ROUTER = 150
const UPSTREAM_MS = 20

let controls: RegisteredNames
let certificate: Certificate
let stranger: Certificate
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  controls = readRegisteredNames()
  certificate = closing.use(await makeCertificate())
  stranger = closing.use(await makeCertificate())
})
afterAll(() => closing.disposeAsync())

const suffixOf = (domain: string) => domain.slice(domain.indexOf('.') + 1)
const isControl = (domain: string) => !domain.includes('.') || controls(suffixOf(domain)).includes(domain)
/** Held: registered and not delegated, so that DNS lacks it. */
const isRegistered = (domain: string) => /^(?:taken|held)-/.test(domain) || isControl(domain)
const isDelegated = (domain: string) => domain.startsWith('taken-') || isControl(domain)

class RegisteredNow extends Set<string> {
  override has(domain: string): boolean {
    return isRegistered(domain)
  }
}

interface Internet {
  /** The offered suffixes. */
  readonly suffixes: readonly string[]
  readonly registrar: Mood | 'none'
  readonly list: ListMood
  /** How many queries the resolver keeps open; it refuses the others. */
  readonly resolverKeeps: number
  readonly free: number
}

/** The share of free names called available, by suffix, of a service that has just been started. */
async function sharesOf(internet: Partial<Internet>): Promise<Record<string, number>> {
  const { suffixes = ['com', 'net', 'org', 'shop'], registrar: mood = 'well', list = 'well', free = FREE } = internet
  await using opening = new AsyncDisposableStack()
  let open = 0
  const resolver = await openFakeResolver(
    async (query, domain) => {
      if (internet.resolverKeeps !== undefined) {
        if (open >= internet.resolverKeeps) return [answerTo(query, 'refused')]
        open += 1
        await sleep(UPSTREAM_MS)
        open -= 1
      }
      return [answerTo(query, isDelegated(domain) ? 'noerror' : 'nxdomain', { zone: suffixOf(domain) })]
    },
    { probes: 'shown' },
  )
  opening.defer(() => resolver.close())
  const world = { registered: new RegisteredNow(), premium: new Map(), reserved: new Set<string>() }
  const server = opening.use(
    await openRegistrarServer({ world: { ...world, unsold: new Set() }, certificate, stranger }),
  )
  server.list(list)
  if (mood !== 'none') server.be(mood)
  const registry = opening.use(await openRdapServer({ isRegistered, certificate }))

  const now = Date.now
  const outbound = openOutbound({ ca: certificate.ca, allowPrivate: true, now })
  opening.defer(() => outbound.close())
  const cache = { getMany: async (keys: readonly string[]) => keys.map(() => null), setMany: async () => {} }
  const budget = {
    take: async (_: string, wanted: number) => wanted,
    limited: async () => {},
    rateOf: () => 1_000,
    waitOf: () => 0,
  }
  const dns = openDnsSource({ resolvers: [resolver.address], registeredIn: controls, sampled: suffixes, now })
  opening.defer(() => dns.close())
  const registrar = openRegistrarTrust({
    registrar: createVercel({ send: (request) => outbound.send(request), now, url: server.url }),
    registeredIn: controls,
    suffixes,
    budget,
    now,
  })
  opening.defer(() => registrar.close())
  const registered = { domains: suffixes.map((suffix) => controls(suffix)[0]).join(' ') }
  const facts = { servers: { [registry.base]: suffixes.join(' ') }, registered }
  const bootstrap = openBootstrap({ outbound, now, facts })
  opening.defer(() => bootstrap.close())
  const rdap = openRdap({ outbound, budget, bootstrap, cache, now })
  opening.defer(() => rdap.close())
  const availability = openAvailability({
    cache,
    local: [],
    screen: [dns],
    confirm: mood === 'none' ? [rdap] : [openRegistrars({ order: [registrar], budget }), rdap],
    doubtsOf: readDoubts(),
    now,
  })

  const make = (kind: string, count: number) =>
    suffixes.flatMap((suffix) => Array.from({ length: count }, (_, at) => `${kind}-${at}.${suffix}` as Domain))
  const [wanted, others] = [make('free', free), [...make('taken', free), ...make('held', FREE)]]
  const checking = { deadlineMs: DEADLINE_MS, depth: 'confirm', fresh: true } as const
  const verdicts = await availability.check([...wanted, ...others], {
    ...checking,
    signal: new AbortController().signal,
  })
  const isAvailable = (domain: Domain) => isRegistrable(verdicts.get(domain)!, 'strict', true)
  expect(others.filter(isAvailable)).toEqual([])
  return Object.fromEntries(
    suffixes.map((suffix) => {
      const here = wanted.filter((domain) => suffixOf(domain) === suffix)
      return [suffix, here.filter(isAvailable).length / here.length]
    }),
  )
}

test.each(LIST_MOODS.map((list) => ({ list })))('the list of what the registrar sells is $list', async ({ list }) => {
  expect(await sharesOf({ list })).toEqual({ com: 1, net: 1, org: 1, shop: 1 })
})

test.each(LIST_MOODS.map((list) => ({ list })))(
  'no offered suffix has a control name, and the list is $list',
  async ({ list }) => {
    expect(await sharesOf({ list, suffixes: ['shop'] })).toEqual({ shop: 1 })
  },
)

test('a registrar that gives nothing to be tested by leaves what the lists prove', async () => {
  const alone = { com: 1, net: 1, org: 1, shop: 0 }
  expect(await sharesOf({ registrar: 'none' })).toEqual(alone)
  expect(await sharesOf({ registrar: 'another name' })).toEqual(alone)
  expect(await sharesOf({ registrar: 'silent' })).toEqual(alone)
})

test('a home router that keeps 150 queries open loses no name', async () => {
  const names = { resolverKeeps: HOME_ROUTER, suffixes: ['com', 'net', 'org'], free: 180 }
  expect(await sharesOf({ ...names, registrar: 'none' })).toEqual({ com: 1, net: 1, org: 1 })
})

test('of a router whose queries other devices have open, few names are lost', async () => {
  const names = { resolverKeeps: HOME_ROUTER / 3, suffixes: ['com', 'net', 'org'], free: 180 }
  const { com = 0, net = 0, org = 0 } = await sharesOf({ ...names, registrar: 'none' })
  expect((com + net + org) / 3).toBeGreaterThan(0.8)
})

test('names, tests of the resolver and offers of owners together have no more open than a home router keeps', async () => {
  await using opening = new AsyncDisposableStack()
  let [open, most] = [0, 0]
  const resolver = await openFakeResolver(
    async (query, domain) => {
      most = Math.max(most, ++open)
      await sleep(UPSTREAM_MS)
      open -= 1
      return [answerTo(query, isDelegated(domain) ? 'noerror' : 'nxdomain', { zone: suffixOf(domain) })]
    },
    { probes: 'shown' },
  )
  opening.defer(() => resolver.close())
  const now = Date.now
  const outbound = openOutbound({ now })
  opening.defer(() => outbound.close())
  const suffixes = Array.from({ length: 200 }, (_, at) => `suffix${at}`)
  const cache = { getMany: async () => [], setMany: async () => {}, run: () => Promise.reject(new CacheDown()) }
  const { screen, forSale } = await openLiveSources({
    resolvers: [resolver.address],
    suffixes,
    registrars: [],
    cache,
    outbound,
    nodes: 1,
    registeredIn: controls,
    sourceHealth: createSourceHealth(now),
    isOff: () => false,
    onTrust: () => {},
    closers: opening,
    now,
  })
  const domains = suffixes.flatMap((suffix) => [`free-0.${suffix}`, `taken-0.${suffix}`] as Domain[])
  const { signal } = new AbortController()
  const [found] = await Promise.all([
    screen[0]?.ask(domains, signal),
    forSale.findOffers(domains, signal, { fairnessKey: '', giveUpAt: 0 }),
  ])
  expect(found?.size).toBe(domains.length)
  expect(most).toBeGreaterThan(64)
  // A quarter less than it keeps, for other devices.
  expect(most).toBeLessThanOrEqual(112)
})
