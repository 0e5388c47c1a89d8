/** What `include` adds to the suggestions of POST /v1/generate: exactly the fields asked for, and true. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entriesOf, suggestionsOf } from '../readings.ts'
import { isPremiumProne, readInternet } from '../internet/read-internet.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const DESCRIPTION = 'a bakery that brings bread to your door by bicycle'

const internet = readInternet()

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const ask = (more: object = {}) =>
  node.call('/v1/generate', {
    key,
    body: { description: DESCRIPTION, count: 10, tlds: ['net'], deadline_ms: 30_000, ...more },
  })

const keysOf = async (include: string[]) => {
  const [suggestion] = suggestionsOf(await ask({ include, count: 1 }))
  return [Object.keys(suggestion ?? {}), Object.keys(suggestion?.domains[0] ?? {})]
}
const names = ['name', 'domains']
const entry = ['domain', 'available', 'price']
const evidence = ['status', 'confidence', 'sources', 'checked_at', 'expires_at']

test('include adds exactly what was asked for', async () => {
  expect(await keysOf([])).toEqual([names, entry])
  expect(await keysOf(['evidence'])).toEqual([names, [...entry, ...evidence]])
  expect(await keysOf(['pricing'])).toEqual([names, [...entry, 'pricing']])
  expect(await keysOf(['register'])).toEqual([names, [...entry, 'register_url', 'registrar']])
  expect(await keysOf(['score'])).toEqual([[...names, 'score'], entry])
  expect(await keysOf(['rationale'])).toEqual([[...names, 'rationale'], entry])
  const all = [
    [...names, 'score', 'rationale'],
    [...entry, ...evidence, 'pricing'],
  ]
  expect(await keysOf(['rationale', 'score', 'pricing', 'evidence'])).toEqual(all)
})

test('register names a registrar for what can be registered, and for nothing else', async () => {
  const candidates = ['Garden', 'Crumbwheel']
  const answer = await ask({ candidates, include: ['register'], tlds: ['com', 'net'], only_available: false })
  const domains = entriesOf(answer)
  expect(new Set(domains.map(({ available }) => available))).toEqual(new Set([true, false]))
  for (const { domain, available, ...rest } of domains) {
    const url = `https://porkbun.com/checkout/search?q=${domain}`
    expect(rest).toEqual({
      price: expect.anything(),
      ...(available ? { register_url: url, registrar: 'Porkbun' } : {}),
    })
  }
})

test('understanding says what the project is about, and which words were of no use', async () => {
  const of = async (description: string, more: object = {}) =>
    (await ask({ description, include: ['understanding'], count: 1, ...more })).json.data.understanding
  expect(await of('sourdough bakery for children, no spelt')).toEqual({
    language: 'en',
    subject: 'bread bakery',
    does: expect.any(Array),
    for_whom: ['for kids'],
    angles: expect.any(Array),
    ignored: ['spelt'],
    sure: true,
  })
  const candidates = ['Crumbfolk']
  expect(await of('xqzt wvutq', { candidates })).toMatchObject({
    subject: null,
    ignored: ['xqzt', 'wvutq'],
    sure: false,
  })
  expect((await ask({ count: 1 })).json.data).not.toHaveProperty('understanding')
})

test('evidence says who said so, and for how long it holds', async () => {
  const before = Date.now()
  const answer = await ask({ include: ['evidence'], tlds: ['com', 'net'], verify: 'full', only_available: false })
  for (const found of answer.json.data.suggestions.flatMap(({ domains }: { domains: object[] }) => domains)) {
    const isTaken = internet.isDelegated(found.domain)
    const isDoubtful = isPremiumProne(found.domain)
    expect(found.status).toBe(isTaken ? 'taken' : isDoubtful ? 'unknown' : 'available')
    expect(found.confidence).toBe(isTaken ? 'definitive' : isDoubtful ? undefined : 'likely')
    expect(found.available).toBe(found.status === 'available')
    expect(found.sources).toEqual(['dns'])
    expect(Date.parse(found.checked_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(found.checked_at)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(found.expires_at)).toBeGreaterThan(Date.parse(found.checked_at))
  }
})

test('pricing is in integer minor units and agrees with the price', async () => {
  const answer = await ask({ include: ['pricing'], tlds: ['com', 'app', 'dev'], count: 2 })
  for (const { price, pricing } of answer.json.data.suggestions[0].domains) {
    const amounts = 'registration_minor renewal_minor transfer_minor due_minor renews_at_minor total_5y_minor'.split(
      ' ',
    )
    const keys =
      'currency registration_minor renewal_minor transfer_minor term_years due_minor renews_at_minor renewal_years ' +
      'total_5y_minor kind registrar as_of'
    expect(Object.keys(pricing)).toEqual(keys.split(' '))
    for (const amount of amounts) expect(Number.isSafeInteger(pricing[amount])).toBe(true)
    expect(pricing.total_5y_minor).toBe(pricing.registration_minor + 4 * pricing.renewal_minor)
    expect(price).toBe(`$${(pricing.due_minor / 100).toFixed(2)}`)
    expect(pricing).toMatchObject({ currency: 'USD', term_years: 1, renewal_years: 1, kind: 'list' })
    expect([pricing.due_minor, pricing.renews_at_minor]).toEqual([pricing.registration_minor, pricing.renewal_minor])
  }
})

test('a list price older than 180 days, and a transfer price that nobody publishes, are marked', async () => {
  const answer = await ask({ include: ['pricing'], tlds: ['co.uk', 'es', 'com'], count: 1, only_available: false })
  const marks = answer.json.data.suggestions[0].domains.map(
    ({ domain, pricing }: { domain: string; pricing: Record<string, unknown> }) => [
      domain.slice(domain.indexOf('.') + 1),
      pricing['outdated'],
      pricing['transfer_estimated'],
    ],
  )
  expect(marks).toEqual([
    ['co.uk', true, undefined],
    ['es', undefined, true],
    ['com', undefined, undefined],
  ])
})

test('score is its parts, each between 0 and 1', async () => {
  for (const { score } of suggestionsOf(await ask({ include: ['score'] }))) {
    expect(Object.keys(score ?? {})).toEqual(['total', 'relevance', 'length'])
    for (const part of Object.values(score ?? {})) {
      expect(part).toBeGreaterThanOrEqual(0)
      expect(part).toBeLessThanOrEqual(1)
    }
  }
})

test('a rationale is one line in the language of the caller', async () => {
  const options = { styles: ['compound'], include_words: ['bread'], include: ['rationale'], count: 3 }
  const body = { description: DESCRIPTION, tlds: ['net'], deadline_ms: 30_000, ...options }
  const german = suggestionsOf(await ask({ ...options, language: 'de' }))
  for (const { rationale } of german) expect(rationale).toMatch(/^\p{L}+ \+ \p{L}+ · Zusammensetzung(?: · |$)/u)
  const headers = { 'accept-language': 'xx, fr;q=0.8, en;q=0.5' }
  const french = await node.call('/v1/generate', { key, body, headers })
  expect(french.headers.get('content-language')).toBe('fr')
  const english = suggestionsOf(await ask(options))
  const lines = [english, suggestionsOf(french), german].map((found) => found[0]?.rationale)
  expect(new Set(lines).size).toBe(3)
  const turkish = await world.makeKey(await world.makeAccount({ language: 'tr' }))
  const answer = await node.call('/v1/generate', { key: turkish.secret, body })
  expect(answer.headers.get('content-language')).toBe('tr')
})
