/**
 * The operator's own source, over HTTPS at a private address: whatever it answers, no name that it does not sell is
 * called available, and it accepts no request that is not signed with its secret.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CacheDown,
  createSourceHealth,
  type Domain,
  isRegistrable,
  makeWebhookSecret,
  openAvailability,
  openLiveSources,
  openOutbound,
  ownSource,
  placeOf,
  readDoubts,
  readRegisteredNames,
  Secret,
  type SourceTrust,
  type Verdict,
} from '../source.ts'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { SIGNING_SECRET } from '../internet/registrar-dialects.ts'
import { MOODS, openRegistrarServer } from '../internet/registrar-server.ts'
import type { Mood } from '../internet/registrar-server.ts'

const SUFFIXES = ['com', 'shop']
const many = (kind: string) =>
  SUFFIXES.flatMap((at) => Array.from({ length: 9 }, (_, n) => `${kind}-${n}.${at}` as Domain))
const [free, sold, held] = [many('free'), many('premium'), many('held')]
/** A source that does this still says the truth about each name. */
const TRUTHFUL: readonly Mood[] = ['well', 'slow', 'shuffled', 'no price', 'foreign currency']
// Long enough for a busy machine where an answer comes, short where none does.
const [PATIENCE_MS, DEADLINE_MS] = [20_000, 2_500]

const facts = {
  registered: new Set<string>(held),
  premium: new Map<string, number>(sold.map((domain) => [domain, 250_000])),
  reserved: new Set<string>(),
  unsold: new Set<string>(),
}

let certificate: Certificate
let stranger: Certificate
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  certificate = closing.use(await makeCertificate())
  stranger = closing.use(await makeCertificate())
})
afterAll(() => closing.disposeAsync())

interface Asked {
  readonly verdicts: ReadonlyMap<Domain, Verdict>
  readonly trust: readonly SourceTrust[]
  /** How many requests for names arrived. */
  readonly requests: number
}

/**
 * `mood`: how the source answers once it is trusted. The resolver knows none of the names, so only the source can tell
 * them apart.
 */
async function ask(mood: Mood, { secret = SIGNING_SECRET, isOff = false, isAllowed = true } = {}): Promise<Asked> {
  await using opening = new AsyncDisposableStack()
  const resolver = await openFakeResolver((query, domain) => [
    answerTo(query, 'nxdomain', { zone: domain.slice(domain.indexOf('.') + 1) }),
  ])
  opening.defer(() => resolver.close())
  const server = opening.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  const now = Date.now
  const url = `${server.url}/own-source`
  const [outbound, outboundTo] = [
    openOutbound({ now, ca: certificate.ca }),
    (own: string) => openOutbound({ now, ca: certificate.ca, allowed: new Set([placeOf(new URL(own))]) }),
  ]
  opening.defer(() => outbound.close())
  const trust: SourceTrust[] = []
  const cache = { getMany: async () => [], setMany: async () => {}, run: () => Promise.reject(new CacheDown()) }
  const settings = { NAMEWRIGHT_SOURCE_URL: url, NAMEWRIGHT_SOURCE_SECRET: new Secret(secret) }
  const live = await openLiveSources({
    resolvers: [resolver.address],
    suffixes: SUFFIXES,
    registrars: [{ declaration: ownSource, settings }],
    cache,
    outbound,
    ...(isAllowed ? { outboundTo } : {}),
    nodes: 1,
    registeredIn: readRegisteredNames(),
    sourceHealth: createSourceHealth(now),
    isOff: (source) => isOff && source === 'own-source',
    onTrust: (source, state) => void (source === 'own-source' && trust.push(state)),
    closers: opening,
    now,
  })
  const availability = openAvailability({ cache, local: [], ...live, doubtsOf: readDoubts(), now })
  const { signal } = new AbortController()
  const isAnswered = secret === SIGNING_SECRET && isAllowed
  if (isAnswered) await expect.poll(() => trust.at(-1)?.state, { timeout: PATIENCE_MS }).toBe('trusted')
  server.be(mood)
  const verdicts = await availability.check([...free, ...sold, ...held], {
    deadlineMs: isAnswered && TRUTHFUL.includes(mood) ? PATIENCE_MS : DEADLINE_MS,
    depth: 'confirm',
    fresh: true,
    signal,
  })
  return { verdicts, trust, requests: server.requests.length }
}

const availableIn = ({ verdicts }: Asked) =>
  [...verdicts.values()].filter((verdict) => isRegistrable(verdict, 'strict', true)).map(({ domain }) => domain)

describe('nothing that it does not sell is available while the source is', () => {
  test.for(MOODS)('%s', { timeout: 60_000 }, async (mood) => {
    const asked = await ask(mood)
    const available = availableIn(asked)
    const mayBe = new Set([...free, ...sold])
    expect(available.filter((domain) => !mayBe.has(domain))).toEqual([])
    if (TRUTHFUL.includes(mood)) expect(available).toEqual(expect.arrayContaining(free))
    if (mood === 'lying') {
      expect(available).toEqual([])
      expect(asked.trust.at(-1)?.why).toMatch(/^reports the registered domain \S+ as available$/)
    }
  })
})

test('its prices are what is due today, and a premium name without one is unknown', async () => {
  const { verdicts } = await ask('well')
  const price = (minor: number) => ({
    registration: { minor, currency: 'USD' },
    renewal: { minor, currency: 'USD' },
    years: 'shortest',
    renewalYears: 'shortest',
    seller: 'own-source',
  })
  expect(verdicts.get(free[0]!)).toMatchObject({ status: 'available', confidence: 'definitive', price: price(1125) })
  expect(verdicts.get(sold[0]!)).toMatchObject({ status: 'premium', price: price(250_000) })
  expect(verdicts.get(held[0]!)).toMatchObject({ status: 'restricted', sources: ['dns', 'own-source'] })
  const unpriced = await ask('no price')
  expect(unpriced.verdicts.get(free[0]!)).toMatchObject({ status: 'available' })
  expect(unpriced.verdicts.get(sold[0]!)).toMatchObject({ status: 'unknown' })
})

test('a request that is signed with another secret is refused, so nothing is available', async () => {
  const asked = await ask('well', { secret: makeWebhookSecret() })
  expect(availableIn(asked)).toEqual([])
  expect(asked.trust.map(({ state }) => state)).not.toContain('trusted')
})

test('switched off, or at a private address that no setting allows, it gets no names', async () => {
  for (const how of [{ isOff: true }, { isAllowed: false }]) {
    const asked = await ask('well', how)
    expect(asked.requests).toBe(0)
    expect(availableIn(asked)).toEqual([])
  }
})
