/**
 * Networks that lie: no name that is registered is ever called available, what is wrong is known within ten seconds, and
 * within thirty that it is right again.
 *
 * Most of it is the product's own chain in this process, one for each network and all side by side, with sources that are
 * tested more often than outside; the last test asks a node what it reports to its callers.
 */
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  type AvailabilityMode,
  createSourceHealth,
  createVercel,
  type Domain,
  isRegistrable,
  openAvailability,
  openBootstrap,
  openDnsSource,
  openOutbound,
  openRdap,
  openRegistrars,
  openRegistrarTrust,
  readRegisteredNames,
  type RegisteredNames,
} from '../source.ts'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { openRdapServer } from '../internet/rdap-server.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import type { Mood } from '../internet/registrar-server.ts'
import { emptyRedis } from '../redis.ts'
import { startApp } from '../start-app.ts'

const NAMES = 1_000
// One in so many is held, each of which is a lookup of its own at the registry.
const HELD = 5
const FEW = 3
const SUFFIXES = ['com', 'net', 'org']
const DEAD = ['com', 'net']
const REGISTRAR = 'api.vercel.com'
const HOUR_MS = 3_600_000
const [SAMPLE_MS, RETEST_MS, DEADLINE_MS] = [1_000, 1_000, 2_500]
// A poll of the states asks every source.
const [SOON, POLL] = [10_000, 30_000].map((timeout) => ({ interval: 500, timeout }))

type DnsManner = 'right' | 'denies all' | 'finds all' | 'wildcard' | 'some dead'
type HttpManner = 'right' | 'html' | 'redirect' | 'bad certificate' | 'some dead' | 'offers all'

let controls: RegisteredNames
let certificate: Certificate
let stranger: Certificate
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  controls = readRegisteredNames()
  certificate = closing.use(await makeCertificate([REGISTRAR]))
  stranger = closing.use(await makeCertificate())
})
afterAll(() => closing.disposeAsync())

const suffixOf = (domain: string) => domain.slice(domain.indexOf('.') + 1)
const isControl = (domain: string) => !domain.includes('.') || controls(suffixOf(domain)).includes(domain)
/** Held: registered and not delegated, so that DNS lacks it. */
const isRegistered = (domain: string) => /^(?:registered|held)-/.test(domain) || isControl(domain)
const isDelegated = (domain: string) => domain.startsWith('registered-') || isControl(domain)
const isDead = (domain: string) => DEAD.some((suffix) => domain === suffix || domain.endsWith(`.${suffix}`))

function openResolver(mannerNow: () => DnsManner): Promise<FakeResolver> {
  return openFakeResolver(
    (query, domain) => {
      const manner = mannerNow()
      if (manner === 'some dead' && isDead(domain)) return []
      if (manner === 'wildcard') return [withAddress(query)]
      const isFound = manner === 'finds all' || (manner !== 'denies all' && isDelegated(domain))
      return [answerTo(query, isFound ? 'noerror' : 'nxdomain', { zone: suffixOf(domain) })]
    },
    { probes: 'shown' },
  )
}

/** The address of a login page, whatever was asked. */
function withAddress(query: Buffer): Buffer {
  const message = Buffer.from(answerTo(query, 'noerror'))
  message.writeUInt16BE(1, 6)
  const address = Buffer.of(0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1)
  return Buffer.concat([message, address])
}

class RegisteredNow extends Set<string> {
  override has(domain: string): boolean {
    return isRegistered(domain)
  }
}

/** DNS, a registrar and a registry, and the product's chain behind them. */
async function openNetwork() {
  await using opening = new AsyncDisposableStack()
  let [dns, http]: [DnsManner, HttpManner] = ['right', 'right']
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const resolver = await openResolver(() => dns)
  opening.defer(() => resolver.close())
  const facts = {
    registered: new RegisteredNow(),
    premium: new Map(),
    reserved: new Set<string>(),
    unsold: new Set<string>(),
  }
  const registrarServer = opening.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  const registry = opening.use(await openRdapServer({ isRegistered, certificate }))

  const outbound = openOutbound({ ca: certificate.ca, allowPrivate: true, now })
  opening.defer(() => outbound.close())
  const health = createSourceHealth(now)
  const cache = {
    getMany: (keys: readonly string[]) => Promise.resolve(keys.map(() => null)),
    setMany: () => Promise.resolve(),
  }
  // What hosts allow is tested elsewhere.
  const budget = {
    take: (_: string, wanted: number) => Promise.resolve(wanted),
    limited: () => Promise.resolve(),
    rateOf: () => 1_000,
    waitOf: () => 0,
  }
  const source = openDnsSource({
    resolvers: [resolver.address],
    registeredIn: controls,
    sampled: SUFFIXES,
    sampleMs: SAMPLE_MS,
    now,
    sourceHealth: health,
  })
  opening.defer(() => source.close())
  const registrar = openRegistrarTrust({
    registrar: createVercel({ send: (request) => outbound.send(request), now, url: registrarServer.url }),
    registeredIn: controls,
    suffixes: SUFFIXES,
    budget,
    now,
    retestMs: RETEST_MS,
  })
  opening.defer(() => registrar.close())
  health.trusting('registrar', 'vercel', registrar)
  const registered = { domains: SUFFIXES.map((suffix) => controls(suffix)[0]).join(' ') }
  const bootstrap = openBootstrap({
    outbound,
    now,
    facts: { servers: { [registry.base]: SUFFIXES.join(' ') }, registered },
  })
  opening.defer(() => bootstrap.close())
  const rdap = openRdap({ outbound, budget, bootstrap, cache, now, sourceHealth: health })
  opening.defer(() => rdap.close())
  const availability = openAvailability({
    cache,
    local: [],
    screen: [source],
    confirm: [openRegistrars({ order: [registrar], budget }), rdap],
    doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
    now,
  })
  const closers = opening.move()

  function be(nextDns: DnsManner, nextHttp: HttpManner): void {
    ;[dns, http] = [nextDns, nextHttp]
    const mood: Mood = http === 'offers all' ? 'lying' : http === 'right' || http === 'some dead' ? 'well' : http
    registrarServer.be(mood)
    registry.setCertificate(http === 'bad certificate' ? 'bad' : 'good')
    registry.set('*', http === 'html' || http === 'redirect' ? http : undefined)
    for (const suffix of DEAD) registry.set(suffix, http === 'some dead' ? 'hang_up' : undefined)
  }

  /** Names that nobody has asked before: nothing is remembered of them. */
  let round = 0
  const nextNames = (prefix: string, count: number) => {
    round += 1
    return Array.from(
      { length: count },
      (_, at) => `${prefix}-${round}-${at}.${SUFFIXES[at % SUFFIXES.length]}` as Domain,
    )
  }

  /** Which of the names are called available, in which mode as a node in that mode asks. */
  async function available(names: readonly Domain[], mode: AvailabilityMode): Promise<Domain[]> {
    const { signal } = new AbortController()
    const depth = mode === 'strict' ? 'confirm' : 'screen'
    const verdicts = await availability.check(names, { deadlineMs: DEADLINE_MS, depth, fresh: false, signal })
    return names.filter((name) => isRegistrable(verdicts.get(name)!, mode))
  }

  return {
    be,
    nextNames,
    available,
    passHours: (hours: number) => void (aheadMs += hours * HOUR_MS),
    /** What each source is, after it was asked something. */
    async states(): Promise<string> {
      const names = [...nextNames('free', FEW), ...nextNames('held', FEW)]
      // A registry is asked only where the others leave something open, so here it is asked directly.
      await Promise.all([available(names, 'strict'), rdap.ask(names, AbortSignal.timeout(DEADLINE_MS))])
      const trusts = health.list().flatMap(({ kind, trust }) => (trust ? [{ kind, ...trust }] : []))
      return trusts.map(({ kind, state, why }) => `${kind} ${state}${why === undefined ? '' : `: ${why}`}`).join(' | ')
    },
    troubles: () => health.troubles(DEAD),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

const ALL_TRUSTED = /^dns trusted \| registrar trusted \| registry trusted$/

interface Lie {
  readonly dns?: DnsManner
  readonly http?: HttpManner
  readonly hours?: number
  readonly states: readonly RegExp[]
  /** In which source is there a gap for names under a dead suffix. */
  readonly trouble: string
}

const LIES: Readonly<Record<string, Lie>> = {
  'NXDOMAIN for every name': {
    dns: 'denies all',
    states: [/dns untrusted: reports google\.com/],
    trouble: 'dns untrusted',
  },
  'NOERROR for every name': {
    dns: 'finds all',
    states: [/dns untrusted: reports unregistered domains/],
    trouble: 'dns untrusted',
  },
  'an address for every name': {
    dns: 'wildcard',
    states: [/dns untrusted: reports unregistered domains/],
    trouble: 'dns untrusted',
  },
  'a login page in the place of every HTTPS answer': {
    http: 'html',
    states: [/registrar unreachable/, /registry unreachable/],
    trouble: 'vercel unreachable',
  },
  'a redirect to a login page': {
    http: 'redirect',
    states: [/registrar unreachable/, /registry unreachable/],
    trouble: 'vercel unreachable',
  },
  'a wrong certificate': {
    http: 'bad certificate',
    states: [/registrar unreachable/, /registry unreachable/],
    trouble: 'vercel unreachable',
  },
  'a registrar that sells everything': {
    http: 'offers all',
    states: [/registrar untrusted: reports the registered domain \S+ as available/],
    trouble: 'vercel untrusted',
  },
  'some suffixes dead': {
    dns: 'some dead',
    http: 'some dead',
    states: [/dns unreachable: does not respond for \.com/, /registry unreachable: does not respond for \.com/],
    trouble: 'dns unreachable',
  },
  'a resolver that turns bad after an hour': {
    dns: 'denies all',
    hours: 1,
    states: [/dns untrusted: reports google\.com/],
    trouble: 'dns untrusted',
  },
}

describe.concurrent('a network that was good and then has', () => {
  test.for(Object.entries(LIES))('%s', { timeout: 400_000 }, async ([, lie], { expect }) => {
    await using network = await openNetwork()
    await expect.poll(() => network.states(), POLL).toMatch(ALL_TRUSTED)
    const modes = ['strict', 'balanced'] as const
    const free = async () =>
      Promise.all(modes.map(async (mode) => (await network.available(network.nextNames('free', FEW), mode)).length))
    await expect.poll(free, POLL).toEqual([FEW, FEW])
    for (let hour = 0; hour < (lie.hours ?? 0); hour++) {
      network.passHours(1)
      await expect.poll(free, POLL).toEqual([FEW, FEW])
    }

    network.be(lie.dns ?? 'right', lie.http ?? 'right')
    const isNone = async (names: number) => {
      for (const mode of modes)
        expect(await network.available(network.nextNames('registered', names), mode)).toEqual([])
      // What DNS honestly lacks, `balanced` calls available by what it means.
      expect(await network.available(network.nextNames('held', names / HELD), 'strict')).toEqual([])
    }
    await isNone(NAMES)
    for (const state of lie.states) await expect.poll(() => network.states(), SOON).toMatch(state)
    expect(network.troubles().map(({ source, state }) => `${source} ${state}`)).toContain(lie.trouble)
    await isNone(NAMES / HELD)

    network.be('right', 'right')
    await expect.poll(() => network.states(), POLL).toMatch(ALL_TRUSTED)
    await expect.poll(free, POLL).toEqual([FEW, FEW])
  })
})

test.concurrent(
  'a node tells what is wrong and names it as the reason, and says when it is right again',
  { timeout: 400_000 },
  async ({ expect }) => {
    let manner: DnsManner = 'right'
    const resolver = await openResolver(() => manner)
    await using world = await startApp({
      own: true,
      settings: { ...(await emptyRedis()), NAMEWRIGHT_DNS_RESOLVERS: resolver.address },
    })
    const node = await world.startNodeProcess()
    const key = (await world.makeKey(await world.makeAccount())).secret
    const sources = async () => (await node.call('/readyz')).json.checks.sources as string
    const generate = async () => {
      const body = { description: 'a bakery', count: 2, tlds: ['com'], deadline_ms: 1_500, verify: 'full' }
      return (await node.call('/v1/generate', { key, body })).json.data
    }
    for (const [lie, said, state] of [
      ['denies all', /^dns untrusted: reports google\.com/, 'untrusted'],
      ['some dead', /^ok$|does not respond for \.com/, 'unreachable'],
    ] as const) {
      await expect.poll(sources, POLL).toBe('ok')
      await expect.poll(async () => (await generate()).suggestions.length, POLL).toBe(2)
      manner = lie
      const reason = { reason: 'availability_unknown', sources: [{ source: 'dns', state }] }
      const shortfall = { wanted: 2, returned: 0, ...reason }
      await expect.poll(generate, SOON).toMatchObject({ suggestions: [], shortfall })
      expect(await sources()).toMatch(said)
      const { json } = await node.call('/v1/status', { key })
      if (lie === 'denies all') expect(json.data.sources).toMatchObject([{ source: 'dns', state }])
      manner = 'right'
    }
    await expect.poll(async () => (await generate()).suggestions.length, POLL).toBe(2)
    await resolver.close()
  },
)
