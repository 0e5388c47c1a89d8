/** POST /v1/domains/check where DNS is the only source: one answer for every input, and never more than is known. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, fieldsOf } from '../expect-error.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { FOR_SALE_DOMAIN } from '../internet/zones.ts'
import { emptyRedis } from '../redis.ts'
import { recordsOf, spentBy } from '../readings.ts'
import { parseList } from './structured-fields.ts'
import { startApp } from '../start-app.ts'
import { openReading } from '../stream-reader.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import type { Answer, Call, Node, World } from '../world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

interface Checked {
  readonly input: string
  readonly domain: string
  readonly available: boolean
  readonly status: string
  readonly confidence: string
  readonly sources: readonly string[]
  readonly checked_at: string
  readonly expires_at: string
  readonly price: string | null
  readonly pricing: Readonly<Record<string, string | number>> | null
}

const KEYS = 'input domain available status confidence sources checked_at expires_at price pricing'.split(' ')
const TAKEN = 'taken-for-sure.com'
const FREE = 'free-for-sure-check.com'

let world: World
let node: Node
let key: string
/** A node whose resolver says what `reply` says, and who shares no memory with others. */
let scripted: Node
let resolver: FakeResolver
let reply: 'silent' | 'nxdomain' | 'noerror' = 'silent'
beforeAll(async () => {
  world = await startApp()
  resolver = await openFakeResolver((query) => (reply === 'silent' ? [] : [answerTo(query, reply)]))
  const redis = await emptyRedis()
  ;[node, scripted] = await Promise.all([
    world.startNode(),
    world.startNode({ ...redis, NAMEWRIGHT_DNS_RESOLVERS: resolver.address }),
  ])
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await resolver.close()
})

const check = (domains: unknown, more: object = {}, { on = node, ...call }: Call & { on?: Node } = {}) =>
  on.call('/v1/domains/check', { key, body: { domains, deadline_ms: 30_000, ...more }, ...call })

function checkedIn(answer: Answer): readonly Checked[] {
  if (answer.status !== 200) throw new Error(`expected verdicts, got ${answer.status}: ${answer.text}`)
  return answer.json.data.domains
}

test('a domain that needs a presence elsewhere is restricted for the country of the registrant, and says why', async () => {
  reply = 'nxdomain'
  const names = [
    'free-for-sure-ruled.eu',
    'free-for-sure-ruled.us',
    'free-for-sure-ruled.me.uk',
    'free-for-sure-ruled.com',
  ]
  const of = async (more: object) =>
    checkedIn(await check(names, more, { on: scripted })).map(({ status, available }) => [status, available])
  const free = ['available', true]
  const restricted = ['restricted', false]
  expect(await of({})).toEqual([free, free, free, free])
  expect(await of({ country: 'no' })).toEqual([free, restricted, free, free])
  expect(await of({ country: 'US' })).toEqual([restricted, free, free, free])
  const [eu, us, person, com] = checkedIn(await check(names, { country: 'CH' }, { on: scripted }))
  expect(eu).toMatchObject({ status: 'restricted', eligibility: 'eea_presence', confidence: 'definitive' })
  expect(us).toMatchObject({ eligible_countries: expect.arrayContaining(['US', 'PR']) })
  // A rule about something else is told, and decides nothing.
  expect([person, com].map((one) => Object.keys(one ?? {}).filter((name) => name.startsWith('eligib')))).toEqual([
    ['eligibility'],
    [],
  ])
  expectError(await check(names, { country: 'DEU' }), 400, 'invalid_request')
  reply = 'silent'
})

test('a taken domain and a free one, with these keys and no more', async () => {
  const before = Date.now()
  const answer = await check([TAKEN, FREE])
  expect(Object.keys(answer.json.data)).toEqual(['domains'])
  const [taken, free] = checkedIn(answer) as [Checked, Checked]
  expect(taken).toMatchObject({ available: false, status: 'taken', confidence: 'definitive', sources: ['dns'] })
  expect(free).toMatchObject({ available: true, status: 'available', confidence: 'likely', sources: ['dns'] })
  for (const entry of [taken, free]) {
    expect(Object.keys(entry)).toEqual(KEYS)
    expect(entry.price).toMatch(/^\$\d+\.\d{2}$/)
    expect(entry.pricing).toMatchObject({ currency: 'USD', term_years: 1, kind: 'list' })
    expect(Date.parse(entry.expires_at)).toBeGreaterThan(before)
  }
  // Anybody may register it this minute; "free" is repeated for five at most, "taken" for hours.
  expect(Date.parse(free.expires_at)).toBeLessThanOrEqual(Date.now() + 300_000)
  expect(Date.parse(taken.expires_at) - Date.parse(taken.checked_at)).toBe(6 * 3_600_000)
})

test('with register, a link to a registrar stands beside what is available, also in a stream and for names', async () => {
  const link = { register_url: `https://porkbun.com/checkout/search?q=${FREE}`, registrar: 'Porkbun' }
  const [taken, free] = checkedIn(await check([TAKEN, FREE], { include: ['register'] })) as [Checked, Checked]
  expect(Object.keys(taken)).toEqual(KEYS)
  expect(Object.keys(free)).toEqual([...KEYS, 'register_url', 'registrar'])
  expect(free).toMatchObject(link)
  const body = { domains: [FREE], include: ['register'] }
  const stream = await openReading(node.url, '/v1/domains/check', { key, body })
  for (const { event, data } of await stream.all())
    expect(event === 'done' ? data.data.domains[0] : data.domain).toMatchObject(link)
  const names = [FREE.slice(0, FREE.indexOf('.'))]
  const named = await node.call('/v1/names/check', { key, body: { names, tlds: ['com'], include: ['register'] } })
  expect(named.json.data.names[0].domains[0]).toMatchObject(link)
  expectError(await check([FREE], { include: ['pricing'] }), 400, 'invalid_request')
})

test('a suffix of the root zone without a price is checked, and only a registrar could make it available', async () => {
  reply = 'nxdomain'
  const unpriced = ['is', 'kz', 'google', 'xn--p1ai'].map((suffix) => `free-for-sure-unpriced.${suffix}`)
  const checked = checkedIn(await check(unpriced, { include: ['register'] }, { on: scripted }))
  for (const [index, one] of checked.entries()) {
    expect(one).toMatchObject({
      domain: unpriced[index],
      available: false,
      status: 'unknown',
      price: null,
      pricing: null,
    })
    expect(one.sources).toEqual(['dns'])
    expect(one).not.toHaveProperty('register_url')
  }
  const body = { names: ['free-for-sure-unpriced'], tlds: ['is', 'com'] }
  const named = await scripted.call('/v1/names/check', { key, body })
  expect(named.json.data.names[0].domains).toMatchObject([{ status: 'unknown', price: null }, { available: true }])
  const none = await scripted.call('/v1/names/check', { key, body: { ...body, tlds: ['com', 'nosuchsuffix'] } })
  expect(fieldsOf(expectError(none, 400, 'invalid_request'))).toEqual(['/tlds/1 unknown_suffix'])
  reply = 'silent'
})

test('every input is answered in its place, also twice, also where it is no domain or has no price here', async () => {
  const inputs: [input: string, domain: string, status: string][] = [
    ['zzz not a domain', 'zzz not a domain', 'invalid'],
    [TAKEN, TAKEN, 'taken'],
    ['  Free-For-Sure-Check.COM. ', FREE, 'available'],
    ['localhost', 'localhost', 'invalid'],
    [TAKEN, TAKEN, 'taken'],
    ['free-for-sure-check.nosuchsuffix', 'free-for-sure-check.nosuchsuffix', 'unsupported'],
    ['www.free-for-sure-check.com', 'www.free-for-sure-check.com', 'unsupported'],
    ['127.0.0.1', '127.0.0.1', 'invalid'],
    ['https://example.com', 'https://example.com', 'invalid'],
    ['free-for-sure-bäcker.com', 'xn--free-for-sure-bcker-uwb.com', 'available'],
    [FREE, FREE, 'available'],
    ['-free.com', '-free.com', 'invalid'],
  ]
  const checked = checkedIn(await check(inputs.map(([input]) => input)))
  expect(checked.map(({ input, domain, status }) => [input, domain, status])).toEqual(inputs)
  for (const { input, status, available, price, pricing, sources } of checked) {
    const isKnown = status === 'taken' || status === 'available'
    expect(available, input).toBe(status === 'available')
    expect(price === null, input).toBe(!isKnown)
    expect(pricing === null, input).toBe(!isKnown)
    // Who cannot be registered is not asked of anybody.
    expect(sources, input).toEqual(isKnown ? ['dns'] : [])
  }
})

test('200 domains are one request, in the order in which they were sent', async () => {
  const domains = Array.from({ length: 200 }, (_, i) => (i % 3 === 0 ? TAKEN : `free-for-sure-${(i * 7) % 200}.com`))
  const checked = checkedIn(await check(domains))
  expect(checked.map(({ input }) => input)).toEqual(domains)
  expect(checked.map(({ available }) => available)).toEqual(domains.map((domain) => domain !== TAKEN))
})

test('a name that its registry may keep for more money is not available by the word of DNS', async () => {
  // Short, a plain word, a suffix with price tiers: none of them is delegated in the loopback internet.
  const checked = checkedIn(await check(['qzxj.com', 'abacus.net', 'free-for-sure-tiers.dev']))
  for (const entry of checked) {
    expect(entry).toMatchObject({ available: false, status: 'unknown', sources: ['dns'] })
    expect(entry).not.toHaveProperty('confidence')
  }
})

describe('is refused, by field:', () => {
  test.each<[string, unknown, object, string[]]>([
    ['no list', undefined, {}, ['/domains required']],
    ['a text in its place', TAKEN, {}, ['/domains wrong_type']],
    ['an empty list', [], {}, ['/domains too_few']],
    ['201 domains', Array<string>(201).fill(TAKEN), {}, ['/domains too_many']],
    ['a number in it', [TAKEN, 4], {}, ['/domains/1 wrong_type']],
    ['an empty text in it', [TAKEN, ''], {}, ['/domains/1 too_short']],
    ['a text longer than any domain', ['a'.repeat(254)], {}, ['/domains/0 too_long']],
    ['a deadline below 100 ms', [TAKEN], { deadline_ms: 99 }, ['/deadline_ms too_small']],
    ['a deadline above 30 s', [TAKEN], { deadline_ms: 30_001 }, ['/deadline_ms too_large']],
    ['another way to verify', [TAKEN], { verify: 'twice' }, ['/verify not_allowed']],
    ['a field that is not there', [TAKEN], { premium: true }, ['/premium unknown_field']],
  ])('%s', async (_what, domains, more, faults) => {
    expect(fieldsOf(expectError(await check(domains, more), 400, 'invalid_request'))).toEqual(faults)
  })
})

test('it needs a token with the scope domains:check', async () => {
  expectError(await node.call('/v1/domains/check', { body: { domains: [TAKEN] } }), 401, 'missing_token')
  const { secret } = await world.makeKey(await world.makeAccount(), { scopes: ['generate', 'favorites:write'] })
  expectError(await check([TAKEN], {}, { key: secret }), 403, 'insufficient_scope')
  const { secret: scoped } = await world.makeKey(await world.makeAccount(), { scopes: ['domains:check'] })
  expect((await check([TAKEN], {}, { key: scoped })).status).toBe(200)
})

test('an Idempotency-Key is accepted and ignored: a check stores no answer', async () => {
  const account = await world.makeAccount()
  const { secret } = await world.makeKey(account)
  for (const domains of [[TAKEN], [TAKEN], [FREE]])
    for (const accept of ['application/json', 'text/event-stream']) {
      const headers = { 'idempotency-key': 'check-once', accept }
      const answer = await request(node.url, '/v1/domains/check', { key: secret, body: { domains }, headers })
      expect([answer.status, answer.headers.has('idempotent-replayed')]).toEqual([200, false])
    }
  const { rowCount } = await world.owner.query('SELECT 1 FROM idempotent_answer WHERE account_id = $1', [account])
  expect(rowCount).toBe(0)
})

test('a check counts as one request of the rate, costs no suggestion and is not in the history', async () => {
  const account = await world.makeAccount()
  const quota = { ...WIDE_QUOTA, perMinute: 6, burst: 2, perDay: 3 }
  const { secret } = await world.makeKey(account, { quota })
  const answers = [
    await check([TAKEN, FREE, TAKEN, FREE], {}, { key: secret }),
    await check([FREE], {}, { key: secret }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.map(({ headers }) => parseList(headers.get('ratelimit')).get('rate')?.r)).toEqual([1, 0])
  const refused = await check([TAKEN], {}, { key: secret })
  expectError(refused, 429, 'rate_limited')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await spentBy(world, account)).toBe(0)
  expect(await recordsOf(world, account)).toBe(0)
})

describe('a resolver that', () => {
  test.each([100, 600])('is silent costs a deadline of %i ms and nothing more', async (deadline_ms) => {
    reply = 'silent'
    const domains = [`quiet-for-${deadline_ms}.com`, 'no domain', `quiet-for-${deadline_ms}.io`]
    const tookMs: number[] = []
    for (let call = 0; call < 3; call++) {
      const before = runningMs()
      const answer = await check(domains, { deadline_ms }, { on: scripted })
      tookMs.push(runningMs() - before)
      const checked = checkedIn(answer)
      expect(checked.map(({ status }) => status)).toEqual(['unknown', 'invalid', 'unknown'])
      expect(checked.map(({ available }) => available)).toEqual([false, false, false])
      expect(checked[0]?.sources).toEqual([])
      expect(checked[0]).not.toHaveProperty('confidence')
      expect(checked.map(({ price }) => price !== null)).toEqual([true, false, true])
    }
    // Other work on the machine only makes a call longer.
    expect(Math.min(...tookMs)).toBeLessThan(deadline_ms + 1_000)
  })

  test('changes its mind: "taken" is repeated unless verify is full, a "free" that is only likely never', async () => {
    const ask = async (more: object = {}) =>
      checkedIn(await check(['changing-its-mind.com'], more, { on: scripted })).map(({ available }) => available)
    reply = 'noerror'
    expect(await ask()).toEqual([false])
    reply = 'nxdomain'
    expect(await ask({ verify: 'fast' })).toEqual([false])
    expect(await ask({ verify: 'full' })).toEqual([true])
    reply = 'noerror'
    expect(await ask()).toEqual([false])
  })

  test('was asked about a domain that came twice was asked once', async () => {
    reply = 'nxdomain'
    await check(['asked-once.com', 'ASKED-ONCE.com', 'asked-once.com.'], {}, { on: scripted })
    expect(resolver.asked.filter((domain) => domain === 'asked-once.com')).toHaveLength(1)
  })
})

test('in strict mode the word of DNS alone makes nothing available', async () => {
  const strict = await world.startNode({ NAMEWRIGHT_AVAILABILITY_MODE: 'strict' })
  const [taken, free] = checkedIn(await check([TAKEN, FREE], {}, { on: strict })) as [Checked, Checked]
  expect(taken).toMatchObject({ available: false, status: 'taken' })
  expect(free).toMatchObject({ available: false, status: 'unknown' })
  expect(free).not.toHaveProperty('confidence')
})

test('an owner who offers a taken domain is quoted, only where that was asked for', async () => {
  const domains = [FOR_SALE_DOMAIN, TAKEN, FREE]
  expect(checkedIn(await check(domains)).map(({ status }) => status)).toEqual(['taken', 'taken', 'available'])
  const asked = checkedIn(await check(domains, { for_sale: true }))
  expect(asked.map(({ status }) => status)).toEqual(['for_sale', 'taken', 'available'])
  expect(asked[0]).toMatchObject({
    available: false,
    for_sale: {
      text: 'Ask for a price',
      uri: 'https://sales.example/for-sale-for-sure',
      value: 'USD750',
      offers: [{ source: 'dns', price: '$750.00', currency: 'USD', amount_minor: 75_000 }],
    },
  })
  for (const one of asked.slice(1)) expect(one).not.toHaveProperty('for_sale')
})
