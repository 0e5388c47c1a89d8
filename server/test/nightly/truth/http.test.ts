/**
 * The same promise where a caller meets it: a real node in strict mode, with a registrar and a registry behind their
 * real host names, in a world whose every name the test knows. DNS is the loopback internet's own.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../certificate.ts'
import { openRdapServer } from '../../internet/rdap-server.ts'
import { readInternet } from '../../internet/read-internet.ts'
import { openRegistrarServer } from '../../internet/registrar-server.ts'
import type { Mood, RegistrarServer } from '../../internet/registrar-server.ts'
import { emptyRedis } from '../../redis.ts'
import { entriesOf } from '../../readings.ts'
import type { Entry } from '../../readings.ts'
import { startApp } from '../../start-app.ts'
import type { Answer, Node, World } from '../../world.ts'
import { runningMs } from '../../../../scripts/test/running-ms.ts'
import type { Domain } from '../../source.ts'

const REGISTRAR = 'api.vercel.com'
const REGISTRY_OF_ORG = 'rdap.publicinterestregistry.org'
// Nothing listens there; a test must never contact the real internet.
const NOWHERE = ['rdap.verisign.com', 'rdap.gmoregistry.net', 'data.iana.org'].map((host) => `${host}=127.0.0.1:9`)

const internet = readInternet()
/** Not in DNS, and known to registrar and registry. */
const held = new Set(many(20, 'held', 'com').concat(many(20, 'held', 'org')))
const premium = new Map(many(20, 'dear', 'net').map((domain, at) => [domain, 150_000 + at]))
const reserved = new Set(many(20, 'kept', 'com'))
const taken = internet
  .labelsOf('com')
  .slice(100, 160)
  .map((label) => `${label}.com`)
const free = many(30, 'free-for-sure', 'com').concat(many(26, 'free-for-sure', 'org'))

let world: World
let node: Node
let key: string
let registrar: RegistrarServer
const registered = new Set([...taken, ...held])
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate([REGISTRAR, REGISTRY_OF_ORG]))
  const stranger = closing.use(await makeCertificate())
  const facts = { registered, premium, reserved, unsold: new Set<string>() }
  registrar = closing.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  const isRegistered = (domain: string) => registered.has(domain) || domain === 'google.org'
  const registry = closing.use(await openRdapServer({ isRegistered, certificate }))
  world = closing.use(await startApp({ own: true }))
  const routes = [
    `${REGISTRAR}=127.0.0.1:${portOf(registrar.url)}`,
    `${REGISTRY_OF_ORG}=127.0.0.1:${portOf(registry.base)}`,
  ]
  node = await world.startNodeProcess({
    ...(await emptyRedis()),
    NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_RDAP: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: [...routes, ...NOWHERE].join(','),
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  })
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => closing.disposeAsync())
// Also the budgets: what a registrar allows is not what this is about.
beforeEach(() => emptyRedis())

function many(count: number, label: string, suffix: string): string[] {
  return Array.from({ length: count }, (_, at) => `${label}-${at}.${suffix}`)
}

function portOf(url: string): string {
  return new URL(url).port
}

interface Checked {
  readonly input: string
  readonly domain: Domain
  readonly available: boolean
  readonly status: string
  readonly price: string | null
  readonly sources: readonly string[]
}

async function check(domains: readonly string[], more: object = {}): Promise<readonly Checked[]> {
  const answer = await node.call('/v1/domains/check', {
    key,
    body: { domains, verify: 'full', deadline_ms: 30_000, ...more },
  })
  expect(answer.status).toBe(200)
  return answer.json.data.domains
}

const generate = (more: object = {}): Promise<Answer> =>
  node.call('/v1/generate', {
    key,
    body: {
      description: 'a quiet harbour for wooden boats',
      count: 12,
      tlds: ['com'],
      verify: 'full',
      deadline_ms: 30_000,
      ...more,
    },
  })

test('of 200 mixed texts each is told for what it is', async () => {
  const bad = ['no domain', 'free-for-sure-0.nosuchsuffix', '-.com', 'xn--.com']
  const inputs = [...taken, ...held, ...premium.keys(), ...reserved, ...free, ...bad]
  expect(inputs).toHaveLength(200)
  // In another order than by kind.
  const asked = inputs.map((_, at) => inputs[(at * 77) % inputs.length] ?? '')
  const checked = await check(asked)
  expect(checked.map(({ input }) => input)).toEqual(asked)
  for (const { input, available, status, price } of checked) {
    const isFree = free.includes(input)
    const dear = premium.get(input)
    expect({ input, available }).toEqual({ input, available: isFree || dear !== undefined })
    if (isFree) expect({ input, status, price }).toEqual({ input, status: 'available', price: '$11.25' })
    else if (dear !== undefined)
      expect({ input, status, price }).toEqual({ input, status: 'premium', price: `$${(dear / 100).toFixed(2)}` })
    else expect(bad.includes(input) ? ['invalid', 'unsupported'] : ['taken', 'reserved']).toContain(status)
  }
})

describe('generate', () => {
  const availableIn = (answer: Answer) => entriesOf(answer).filter((entry) => entry.available)
  const labels = (entries: readonly Entry[]) => entries.map(({ domain }) => domain)

  test('shows only what the registrar has vouched for, and premium names only to who wants them', async () => {
    const first = labels(availableIn(await generate()))
    expect(first).toHaveLength(12)
    const asked = new Set(registrar.requests.flatMap(({ names }) => names))
    for (const domain of first) expect(asked).toContain(domain)

    // From now on a third of them is registered without DNS knowing, a third is dear, a third is kept back.
    for (const [at, domain] of first.entries()) {
      if (at % 3 === 0) registered.add(domain)
      else if (at % 3 === 1) premium.set(domain, 250_000)
      else reserved.add(domain)
    }
    const second = labels(availableIn(await generate()))
    expect(second).not.toEqual([])
    expect(second.filter((domain) => first.includes(domain))).toEqual([])

    await emptyRedis()
    const dear = availableIn(await generate({ premium: true })).filter(({ domain }) => first.includes(domain))
    expect(labels(dear)).toEqual(first.filter((_, at) => at % 3 === 1))
    for (const { price } of dear) expect(price).toBe('$2500.00')
  })
})

const BROKEN: readonly Mood[] = [
  'silent',
  'bad certificate',
  '429',
  '403',
  '422',
  '500',
  'another name',
  'contradicting',
  'no price',
  'html',
  'empty',
  'cut off',
  'wrong shape',
  'gzip bomb',
  '10 MB',
  'redirect',
]

describe('a broken registrar', () => {
  test.each(BROKEN)('%s: nothing is available on its word', async (mood) => {
    registrar.be(mood)
    const asked = [...many(10, `free-for-sure-${mood.replaceAll(' ', '-')}`, 'com'), ...taken.slice(0, 5), ...held]
    const startedAt = runningMs()
    const checked = await check(asked, { deadline_ms: 1_000 })
    expect(runningMs() - startedAt).toBeLessThan(5_000)
    expect(checked.filter(({ available }) => available)).toEqual([])
    const answer = await generate({ deadline_ms: 1_000 })
    expect(answer.json.data).toMatchObject({ suggestions: [], shortfall: { returned: 0 } })
  })

  test('the registry and DNS together can stand in, and what the registry has is taken', async () => {
    registrar.be('html')
    // Once it is known to be unreachable: before that it might only be late.
    await expect
      // The registry is asked once a second, and these take three lookups.
      .poll(() => check(['held-0.org', 'free-for-sure-alone.org']), { interval: 4_000 })
      .toMatchObject([
        { available: false, status: 'taken', sources: ['rdap'] },
        { available: true, status: 'available', sources: ['dns', 'rdap'] },
      ])
  })

  test('once it is well again so are the answers', async () => {
    registrar.be('well')
    const again = () => check(['free-for-sure-again.com'])
    await expect.poll(again).toMatchObject([{ available: true, sources: ['dns', 'vercel'] }])
  })
})
