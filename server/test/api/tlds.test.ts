/** GET /v1/tlds, and the currencies that it and POST /v1/generate can answer in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../readings.ts'
import { startApp } from '../start-app.ts'
import type { Answer, Node, World } from '../world.ts'

interface Tld {
  readonly suffix: string
  readonly price: string
  readonly pricing: Record<string, string | number>
  readonly term_years: number
  readonly eligibility: string
  readonly idn: boolean | null
  readonly popularity: number | null
}

const folder = mkdtempSync(join(tmpdir(), 'namewright-tlds-'))
const write = (name: string, content: unknown) => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}
const today = new Date().toISOString().slice(0, 10)

let world: World
/** As it comes, without rates. */
let plain: Node
/** With rates and prices of the operator's own. */
let own: Node
let key: string
beforeAll(async () => {
  world = await startApp({ own: true, settings: { NAMEWRIGHT_PRICE_REFRESH: 'off' } })
  plain = await world.startNode()
  own = await world.startNode({
    NAMEWRIGHT_RATES_FILE: write('rates.json', { as_of: today, source: 'House bank', rates: { EUR: '0.5', JPY: 150 } }),
    NAMEWRIGHT_PRICE_FILE: write('prices.json', [
      { suffix: 'com', registration: 2000, renewal: 3000, transfer: 0, source: 'Example Names', as_of: today },
      { suffix: 'sucks', offered: false },
    ]),
  })
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const get = (query = '', node = plain) => node.call(`/v1/tlds${query}`, { key })
const tldsOf = (answer: Answer) => answer.json.data.tlds as Tld[]
const suffixes = (answer: Answer) => tldsOf(answer).map(({ suffix }) => suffix)

test('the catalogue has at least 300 suffixes, each with a price, most popular first', async () => {
  const answer = await get()
  expect(answer.status).toBe(200)
  const tlds = tldsOf(answer)
  expect(tlds.length).toBeGreaterThanOrEqual(300)
  expect(new Set(suffixes(answer)).size).toBe(tlds.length)
  expect(tlds[0]?.suffix).toBe('com')
  const ranks = tlds.map(({ popularity }) => popularity ?? Infinity)
  expect(ranks).toEqual(ranks.toSorted((a, b) => (a === b ? 0 : a - b)))
  for (const { suffix, price, pricing, term_years } of tlds) {
    expect(price, suffix).toMatch(/^\$\d+\.\d{2}$/)
    const { registration_minor: year, renewal_minor: again, term_years: term, renewal_years: renewal } = pricing
    expect(term_years, suffix).toBe(term)
    expect(pricing.due_minor, suffix).toBe(Number(year) * Number(term))
    expect(Number(price.slice(1)), suffix).toBeCloseTo(Number(pricing.due_minor) / 100, 5)
    expect(pricing.renews_at_minor, suffix).toBe(Number(again) * Number(renewal))
    const renewals = Math.ceil((5 - Number(term)) / Number(renewal))
    const total = Number(pricing.due_minor) + renewals * Number(pricing.renews_at_minor)
    expect(pricing.total_5y_minor, suffix).toBe(total)
  }
  expect(answer.json.data.currencies).toEqual(['USD'])
})

test('a suffix shows its price, term, rules, letters and popularity', async () => {
  const [ai] = tldsOf(await get('?q=ai&limit=1'))
  expect(ai).toMatchObject({ suffix: 'ai', term_years: 2, eligibility: 'open', idn: false, popularity: 2 })
  expect(ai?.pricing).toMatchObject({ currency: 'USD', term_years: 2, renewal_years: 2, kind: 'list' })
  expect(ai?.pricing.registrar).toEqual(expect.any(String))
  expect(ai?.pricing.as_of).toMatch(/^\d{4}-\d{2}/)
  const [eu] = tldsOf(await get('?q=eu')).filter(({ suffix }) => suffix === 'eu')
  expect(eu).toMatchObject({ eligibility: 'eea_presence', eligible_countries: expect.arrayContaining(['DE', 'IS']) })
  expect(ai).not.toHaveProperty('eligible_countries')
})

test('every suffix of the catalogue can be asked for, and no other', async () => {
  const last = suffixes(await get()).at(-1) ?? ''
  const body = { description: 'a bakery on wheels', count: 1, tlds: [last], only_available: false }
  expect((await plain.call('/v1/generate', { key, body })).status).toBe(200)
  const refused = await plain.call('/v1/generate', { key, body: { ...body, tlds: ['nosuchsuffix'] } })
  expect(faultsOf(refused)).toEqual(['/tlds/0 unknown_suffix'])
})

describe('filters', () => {
  test('q finds part of a suffix, with or without a dot, in any case and in its own letters', async () => {
    expect(suffixes(await get('?q=.CO.UK'))).toEqual(['co.uk'])
    expect(suffixes(await get('?q=uk')).every((suffix) => suffix.includes('uk'))).toBe(true)
    expect(suffixes(await get(`?q=${encodeURIComponent('みんな')}`))).toEqual(['xn--q9jyb4c'])
    expect(suffixes(await get('?q=nosuchsuffix'))).toEqual([])
  })

  test('limit cuts the list', async () => {
    expect(suffixes(await get('?limit=3'))).toEqual(suffixes(await get()).slice(0, 3))
  })

  test.each([
    ['?limit=0', '?limit too_small'],
    ['?limit=1001', '?limit too_large'],
    ['?limit=all', '?limit wrong_type'],
    ['?q=', '?q too_short'],
    ['?currency=EURO', '?currency not_allowed'],
    ['?currency=eur', '?currency not_allowed'],
    ['?currency=CHF', '?currency not_allowed'],
    ['?curency=USD', '?curency unknown_field'],
  ])('%s is refused by name', async (query, fault) => {
    const answer = await get(query, own)
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual([fault])
  })
})

describe('currencies', () => {
  test('a currency without a rate is refused with what is offered', async () => {
    const answer = await get('?currency=EUR')
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual(['?currency not_allowed'])
    expect(answer.json.error.errors[0].message).toContain('USD')
  })

  test('with rates the catalogue is in the currency asked for, symbol first', async () => {
    const answer = await get('?currency=EUR&q=net', own)
    expect(answer.json.data.currencies).toEqual(['USD', 'EUR', 'JPY'])
    const dollars = new Map(tldsOf(await get('?q=net')).map((tld) => [tld.suffix, tld.pricing]))
    for (const { suffix, price, pricing } of tldsOf(answer)) {
      expect(price, suffix).toMatch(/^€\d+\.\d{2}$/)
      expect(pricing.currency).toBe('EUR')
      expect(pricing.registration_minor).toBe(Math.round(Number(dollars.get(suffix)?.registration_minor) / 2))
    }
    expect(tldsOf(await get('?currency=JPY&q=com&limit=1', own))[0]?.price).toBe('¥3000.00')
  })

  test('names are priced in the currency asked for, and max_price is in it too', async () => {
    const body = { description: 'a bakery on wheels', count: 2, tlds: ['com'], only_available: false, currency: 'EUR' }
    const ask = (more: object) => own.call('/v1/generate', { key, body: { ...body, ...more } })
    const { suggestions } = (await ask({ include: ['pricing'] })).json.data
    expect(suggestions[0].domains[0]).toMatchObject({
      price: '€10.00',
      pricing: { currency: 'EUR', registration_minor: 1000, renewal_minor: 1500, registrar: 'Example Names' },
    })
    expect((await ask({ max_price: 10 })).json.data.suggestions).toHaveLength(2)
    expect((await ask({ max_price: 9.99 })).json.data.shortfall).toMatchObject({ returned: 0, reason: 'max_price' })
  })
})

test('the operator’s own prices win, and what they do not sell is gone', async () => {
  const [com] = tldsOf(await get('?q=com&limit=1', own))
  expect(com).toMatchObject({ suffix: 'com', price: '$20.00' })
  expect(com?.pricing).toMatchObject({
    renewal_minor: 3000,
    transfer_minor: 0,
    registrar: 'Example Names',
    as_of: today,
  })
  expect(suffixes(await get('?q=sucks', own))).toEqual([])
  expect(suffixes(await get('?q=sucks'))).toEqual(['sucks'])
})

test('a node does not start with a wrong price file, and says what is wrong with it', async () => {
  const file = write('wrong.json', [{ suffix: 'com', registration: 12.99 }])
  await expect(world.startNode({ NAMEWRIGHT_PRICE_FILE: file })).rejects.toThrow(/registration must be US cents/)
})

test('the catalogue needs a token with the scope domains:check', async () => {
  expect((await plain.call('/v1/tlds')).status).toBe(401)
  const { secret } = await world.makeKey(await world.makeAccount(), { scopes: ['generate'] })
  expect((await plain.call('/v1/tlds', { key: secret })).status).toBe(403)
})
