/** Prices and rates of the day from sources that are right, wrong or silent. What arrives badly is the subject of outbound.test.ts. */
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isSuffix } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import { CURRENCIES, formatPrice, isCurrency } from '../../model/money.ts'
import type { Currency, Money } from '../../model/money.ts'
import { isAffordable, isOutdated, totalOf } from '../../model/offer.ts'
import type { DomainPrice, Status } from '../../model/verdict.ts'
import type { FetchFeed } from './feed.ts'
import { keepFresh } from './keep-fresh.ts'
import { PORKBUN } from './porkbun-list.ts'
import { openPrices } from './prices.ts'
import type { Prices, PricesOptions } from './prices.ts'
import type { PriceReport } from './report.ts'
import { bankRatesText, priceListText } from '../../../test/internet/price-lists.ts'

const DAY = 86_400_000
const [LIST_URL, RATES_URL] = ['https://prices.example/pricing', 'https://bank.example/rates']
const START = Date.parse('2026-11-15T12:00:00Z')
const signal = new AbortController().signal
type Triple = readonly [number, number, number]

/** What is answered from now on; undefined: nothing, until the caller goes. */
type Reply = { readonly status?: number; readonly body: string | Buffer } | undefined
const server = { prices: undefined as Reply, rates: undefined as Reply, asked: [] as string[] }
let folder: string
let clock: number
let reports: PriceReport[]
/** What the shipped catalogue says of what is sold in dollars: the rest is not on offer before there is a rate. */
let shipped: ReadonlyMap<string, Triple>

beforeAll(async () => {
  const prices = await openPrices()
  shipped = new Map(prices.list().map(({ suffix }) => [suffix, tripleOf(prices, suffix)]))
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'namewright-prices-'))
  clock = START
  reports = []
  server.prices = { body: priceListText(shipped) }
  server.rates = { body: bankRatesText('2026-11-13') }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const send: FetchFeed = async ({ method, url, signal: caller }) => {
  server.asked.push(`${method} ${url}`)
  const reply = url === RATES_URL ? server.rates : server.prices
  if (reply !== undefined) return { kind: 'answer', status: 200, ...reply }
  await once(caller, 'abort')
  return { kind: 'failed', reason: 'aborted' }
}
const open = (more: PricesOptions = {}) =>
  openPrices({
    send,
    priceLists: [{ ...PORKBUN, url: LIST_URL }],
    ratesUrl: RATES_URL,
    now: () => clock,
    onReport: (report) => reports.push(report),
    ...more,
  })
const suffixOf = (text: string): Suffix => {
  if (!isSuffix(text)) throw new Error(`${text} is no suffix`)
  return text
}
const currencyOf = (text: string): Currency => {
  if (!isCurrency(text)) throw new Error(`${text} is no currency`)
  return text
}
function tripleOf(prices: Prices, suffix: Suffix): Triple {
  const { registration, renewal, transfer } = prices.listOfferOf(suffix)
  return [registration.minor, renewal.minor, transfer.minor]
}
const priceOf = (prices: Prices, suffix: string) => prices.listOfferOf(suffixOf(suffix)).registration.minor
const inDollars = (prices: Prices) => prices.list().flatMap(({ suffix }) => (shipped.has(suffix) ? [suffix] : []))
const times = (factor: number) =>
  new Map(
    [...shipped].map(([suffix, [a, b, c]]): [string, Triple] => [
      suffix,
      [a, b, c].map((one) => Math.round(one * factor)) as [number, number, number],
    ]),
  )
const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'minor' in value
const refusals = () => reports.filter(({ ok }) => !ok).map(({ what, detail }) => `${what}: ${detail}`)
const file = async (name: string, content: string) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('what is offered', () => {
  test('every suffix on offer has a price, and a suffix without one is not on offer', async () => {
    const prices = await open()
    expect(prices.list().length).toBeGreaterThanOrEqual(300)
    for (const { suffix } of prices.list()) {
      expect(prices.findSuffix(suffix)).toBe(suffix)
      expect(formatPrice(prices.listOfferOf(suffix).registration)).toMatch(/^\p{Sc}\d+\.\d{2}$/u)
      expect(priceOf(prices, suffix)).toBeGreaterThan(0)
    }
    expect(prices.findSuffix('nosuchsuffix')).toBeUndefined()
    expect(() => prices.listOfferOf(suffixOf('nosuchsuffix'))).toThrow('no price')
  })

  test('every language of the app has the suffix of its main country, and its currency', async () => {
    const prices = await open()
    await prices.refresh(signal)
    const main = {
      ar: ['ae', 'AED'],
      de: ['de', 'EUR'],
      en: ['us', 'USD'],
      es: ['es', 'EUR'],
      fr: ['fr', 'EUR'],
      it: ['it', 'EUR'],
      ja: ['jp', 'JPY'],
      ko: ['kr', 'KRW'],
      'pt-BR': ['br', 'BRL'],
      ru: ['ru', 'RUB'],
      tr: ['tr', 'TRY'],
      'zh-Hans': ['cn', 'CNY'],
    } as const
    const messages = new URL('../../../../web/messages', import.meta.url)
    expect(Object.keys(main).toSorted()).toEqual((await readdir(messages)).toSorted())
    for (const [language, [country, currency]] of Object.entries(main)) {
      expect(prices.findPreset(`country:${country}`), language).toHaveLength(1)
      expect(CURRENCIES, language).toContain(currency)
    }
  })

  test('what is sold in another currency costs exactly that there, and is on offer only while there is a rate', async () => {
    const prices = await open()
    expect(prices.findSuffix('jp')).toBeUndefined()
    expect(prices.list().some(({ suffix }) => suffix === 'jp')).toBe(false)
    await prices.refresh(signal)
    const yen = prices.listOfferOf(suffixOf('jp'), currencyOf('JPY'))
    expect(yen).toMatchObject({ registration: { minor: 2_035 }, renewal: { minor: 3_889 }, isTransferEstimated: true })
    // 170.5 yen and 1.25 dollars for a euro.
    expect(priceOf(prices, 'jp')).toBe(Math.round((2_035 / 170.5) * 125))
    clock = Date.parse('2026-11-21T00:00:00Z')
    expect(prices.findSuffix('jp')).toBeUndefined()
    expect(prices.listOfferOf(suffixOf('jp')).registration.currency).toBe('USD')
  })

  test('a list price older than 180 days is outdated, a quote never', () => {
    const day = 24 * 60 * 60 * 1000
    const at = Date.parse('2026-11-17')
    const asOf = (days: number) => new Date(at - days * day).toISOString().slice(0, 10)
    expect(isOutdated({ asOf: asOf(180), isQuote: false }, at)).toBe(false)
    expect(isOutdated({ asOf: asOf(181), isQuote: false }, at)).toBe(true)
    expect(isOutdated({ asOf: '2025-03', isQuote: false }, at)).toBe(true)
    expect(isOutdated({ asOf: '2025-03', isQuote: true }, at)).toBe(false)
  })

  test('every country on offer can be named, and every name of one is on offer', async () => {
    const prices = await open()
    await prices.refresh(signal)
    expect(prices.countryPresets).toContain('country:br')
    for (const name of prices.countryPresets) expect(prices.findPreset(name), name).toHaveLength(1)
  })

  test('every suffix of every preset is on offer', async () => {
    const prices = await open()
    const names = prices.presets.filter((name) => !name.includes(':'))
    for (const name of [...names, 'country:de', 'country:gb']) expect(prices.findPreset(name), name).not.toBeUndefined()
    expect(prices.findPreset('country:gb')).toEqual(['co.uk'])
    expect(prices.findPreset('country:zz')).toBeUndefined()
    expect(prices.findPreset('__proto__')).toBeUndefined()
  })
})

describe('the price list of the day', () => {
  test('a right one is taken, with its date; no suffix comes or goes', async () => {
    const prices = await open()
    const before = prices.list().map(({ suffix }) => suffix)
    const pricier = times(1.1)
    server.prices = { body: priceListText(new Map([...pricier, ['brandnew', [100, 100, 100] as const]])) }
    expect(await prices.refresh(signal)).toBe(true)
    expect(priceOf(prices, 'com')).toBe(pricier.get('com')?.[0])
    expect(prices.listOfferOf(suffixOf('com')).asOf).toBe('2026-11-15')
    expect(inDollars(prices)).toEqual(before)
    expect(server.asked).toContain(`POST ${LIST_URL}`)
  })

  const wrong: [string, () => Reply][] = [
    ['HTML', () => ({ body: '<!doctype html><h1>Back soon</h1>' })],
    ['a 503', () => ({ status: 503, body: priceListText(shipped) })],
    ['truncated', () => ({ body: priceListText(shipped).slice(0, 9_000) })],
    ['cut in half', () => ({ body: priceListText(new Map([...shipped].slice(0, shipped.size / 2 - 1))) })],
    ['doubled in price', () => ({ body: priceListText(times(2)) })],
    ['huge', () => ({ body: Buffer.alloc(10 * 1024 * 1024, ' ') })],
    ['not UTF-8', () => ({ body: Buffer.from(priceListText(shipped).replace('com', 'c\u00ffm'), 'latin1') })],
    ['deep', () => ({ body: `{"status":"SUCCESS","pricing":${'['.repeat(50_000)}` })],
  ]
  test.each(wrong)('one that is %s is refused and reported, and the last good one stays', async (_what, reply) => {
    const prices = await open()
    const good = times(1.05)
    server.prices = { body: priceListText(good) }
    expect(await prices.refresh(signal)).toBe(true)
    clock += DAY
    server.prices = reply()
    expect(await prices.refresh(signal)).toBe(false)
    expect(refusals()).toEqual([expect.stringMatching(/^price list: /)])
    expect(new Map(inDollars(prices).map((suffix) => [suffix, tripleOf(prices, suffix)]))).toEqual(good)
    expect(prices.listOfferOf(suffixOf('com')).asOf).toBe('2026-11-15')
  })

  test('one suffix that cannot be right is passed over and named, the others are taken', async () => {
    const prices = await open()
    server.prices = { body: priceListText(new Map([...times(1.1), ['io', [100, 100, 100] as const]])) }
    expect(await prices.refresh(signal)).toBe(true)
    expect(tripleOf(prices, suffixOf('io'))).toEqual(shipped.get('io'))
    expect(prices.listOfferOf(suffixOf('io')).asOf).toBe('2026-10-07')
    expect(priceOf(prices, 'com')).toBe(times(1.1).get('com')?.[0])
    expect(reports.find(({ what }) => what === 'price list')?.detail).toContain('ignored: io')
  })

  test('a server that never answers is given up when the node closes', async () => {
    const prices = await open()
    server.prices = undefined
    const stop = new AbortController()
    const before = server.asked.length
    const asking = prices.refresh(stop.signal)
    await expect.poll(() => server.asked.length).toBeGreaterThan(before)
    stop.abort()
    expect(await asking).toBe(false)
    expect(priceOf(prices, 'com')).toBe(shipped.get('com')?.[0])
  })
})

describe('copies on disk', () => {
  test('a node that starts without the internet has the last good prices and rates', async () => {
    const first = await open({ copies: folder })
    server.prices = { body: priceListText(times(1.1)) }
    await first.refresh(signal)
    clock += DAY
    const second = await open({ copies: folder, send: undefined })
    expect(priceOf(second, 'com')).toBe(times(1.1).get('com')?.[0])
    expect(second.listOfferOf(suffixOf('com')).asOf).toBe('2026-11-15')
    expect(second.findCurrency('EUR')).toBe('EUR')
  })

  test.each(['', 'null', '{"at":1,"text":"{}"}', '{"at":"x","text":7}'])(
    'a copy of %j is passed over',
    async (text) => {
      await file('price-list.json', text)
      await file('rates.json', text)
      const prices = await open({ copies: folder, send: undefined })
      expect(priceOf(prices, 'com')).toBe(shipped.get('com')?.[0])
      expect(prices.currencies()).toEqual(['USD'])
    },
  )

  test('a refused list does not replace the copy of a good one', async () => {
    const prices = await open({ copies: folder })
    await prices.refresh(signal)
    const kept = await readFile(join(folder, 'price-list.json'), 'utf8')
    server.prices = { body: '<html>' }
    await prices.refresh(signal)
    expect(await readFile(join(folder, 'price-list.json'), 'utf8')).toBe(kept)
  })

  test('a folder that cannot be written costs the copy and nothing else', async () => {
    const prices = await open({ copies: join(await file('a-file', ''), 'below') })
    expect(await prices.refresh(signal)).toBe(true)
    expect(reports[0]?.detail).toContain('no copy was saved')
  })
})

describe('the operator’s own prices', () => {
  const own = (suffix: string, registration: number) =>
    JSON.stringify({ suffix, registration, renewal: 1500, transfer: 0, source: 'Example Names', as_of: '2026-11-01' })

  test('they win over the catalogue and over the list of the day', async () => {
    const ownFile = await file('own.jsonl', `${own('com', 4242)}\n{"suffix":"sucks","offered":false}\n`)
    const prices = await open({ ownFile })
    // Withheld, it cannot be checked either; a suffix that nobody prices can.
    expect(['sucks', 'is'].map((text) => prices.findCheckable(text))).toEqual([undefined, 'is'])
    for (const round of ['shipped', 'refreshed']) {
      expect(prices.listOfferOf(suffixOf('com')), round).toMatchObject({ source: 'Example Names', asOf: '2026-11-01' })
      expect(priceOf(prices, 'com')).toBe(4242)
      expect(prices.findSuffix('sucks')).toBeUndefined()
      await prices.refresh(signal)
    }
  })

  test('they win over a registrar’s quote, but not over that of a premium domain', async () => {
    const prices = await open({ ownFile: await file('own.jsonl', own('com', 4242)) })
    const price = { registration: { minor: 99_900, currency: currencyOf('USD') }, years: 1, seller: 'example' }
    const dueOf = (status: Status) => prices.findDomainOffer(suffixOf('com'), { status, price })?.due.minor
    expect([dueOf('available'), dueOf('premium')]).toEqual([4242, 99_900])
  })

  test('a markup follows the list of the day', async () => {
    const ownFile = await file('own.json', '[{"suffix":"*","markup_percent":50,"source":"Example Names"}]')
    const prices = await open({ ownFile })
    const [listed] = shipped.get('com') ?? [0]
    expect(priceOf(prices, 'com')).toBe(Math.round(listed * 1.5))
    server.prices = { body: priceListText(times(1.1)) }
    await prices.refresh(signal)
    expect(priceOf(prices, 'com')).toBe(Math.round((times(1.1).get('com')?.[0] ?? 0) * 1.5))
  })

  test('a wrong or missing file is refused at start, with what is wrong', async () => {
    const ownFile = await file('own.jsonl', `${own('com', 0)}\nnonsense\n`)
    await expect(open({ ownFile })).rejects.toThrow('line 1: registration must be')
    await expect(open({ ownFile })).rejects.toThrow('line 2: is not JSON')
    await expect(open({ ownFile: join(folder, 'none') })).rejects.toThrow('cannot be read')
    await expect(open({ ratesFile: join(folder, 'none') })).rejects.toThrow('cannot be read')
  })

  test('a changed file is taken up; a wrong one is reported once and the last good one stays', async () => {
    const ownFile = await file('own.jsonl', own('com', 4242))
    const prices = await open({ ownFile })
    await file('own.jsonl', own('com', 4343))
    await prices.reload()
    expect(priceOf(prices, 'com')).toBe(4343)
    for (const bad of ['', '{', own('com', -1)]) {
      await file('own.jsonl', bad)
      await prices.reload()
      await prices.reload()
      expect(priceOf(prices, 'com')).toBe(4343)
    }
    await rm(ownFile)
    await prices.reload()
    expect(priceOf(prices, 'com')).toBe(4343)
    expect(refusals()).toHaveLength(4)
  })

  test('a suffix taken off the shelf can still be priced by a request that has it in hand', async () => {
    const ownFile = await file('own.jsonl', own('com', 4242))
    const prices = await open({ ownFile })
    await file('own.jsonl', '{"suffix":"com","offered":false}')
    await prices.reload()
    expect(prices.findSuffix('com')).toBeUndefined()
    expect(priceOf(prices, 'com')).toBe(4242)
  })
})

describe('currencies', () => {
  test('without rates only the dollar is offered', async () => {
    const prices = await open()
    expect(prices.currencies()).toEqual(['USD'])
    expect(prices.findCurrency('EUR')).toBeUndefined()
    expect(prices.findCurrency('toString')).toBeUndefined()
  })

  test('the bank’s rates open its currencies, as text with a symbol', async () => {
    const prices = await open()
    await prices.refresh(signal)
    expect(prices.currencies()).toEqual(expect.arrayContaining(['USD', 'EUR', 'GBP', 'JPY', 'INR', 'KRW']))
    expect(prices.currencies()).toContain('CHF')
    for (const currency of prices.currencies()) {
      for (const { suffix } of prices.list()) {
        const { registration, renewal, transfer } = prices.listOfferOf(suffix, currency)
        for (const money of [registration, renewal, transfer]) {
          expect(formatPrice(money)).toMatch(/^(?:R?\p{Sc}|[A-Z]{3})\d+\.\d{2}$/u)
          expect(money.currency).toBe(currency)
        }
      }
    }
    const euro = currencyOf('EUR')
    const [dollars] = shipped.get('com') ?? [0]
    expect(formatPrice(prices.listOfferOf(suffixOf('com'), euro).registration)).toBe(
      `€${(Math.round(dollars / 1.25) / 100).toFixed(2)}`,
    )
    expect(prices.convert({ minor: 8_000, currency: euro }, 'USD')).toEqual({ minor: 10_000, currency: 'USD' })
  })

  test('rates are offered for seven days and then no more, unless they are renewed', async () => {
    const prices = await open()
    await prices.refresh(signal)
    const euro = currencyOf('EUR')
    server.rates = { body: '<html>' }
    clock = Date.parse('2026-11-20T23:59:59Z')
    expect(await prices.refresh(signal)).toBe(false)
    expect(prices.findCurrency('EUR')).toBe('EUR')
    clock = Date.parse('2026-11-21T00:00:00Z')
    expect(prices.currencies()).toEqual(['USD'])
    expect(prices.convert({ minor: 1, currency: 'USD' }, euro)).toBeUndefined()
    expect(prices.listOfferOf(suffixOf('com'), euro).registration.currency).toBe('EUR')
    server.rates = { body: bankRatesText('2026-11-20') }
    expect(await prices.refresh(signal)).toBe(true)
    expect(prices.findCurrency('EUR')).toBe('EUR')
  })

  test('the operator’s own rates win while they are fresh, and may be wrong without harm later', async () => {
    const rates = (eur: string) =>
      JSON.stringify({ as_of: '2026-11-14', source: 'House bank', rates: { EUR: eur, VND: 25_000 } })
    const prices = await open({ ratesFile: await file('rates-own.json', rates('2')) })
    await prices.refresh(signal)
    const euro = currencyOf('EUR')
    const hundred = { minor: 10_000, currency: 'USD' as const }
    expect(prices.convert(hundred, euro)?.minor).toBe(20_000)
    expect(prices.findCurrency('VND')).toBe('VND')
    await file('rates-own.json', rates('0'))
    await prices.reload()
    expect(prices.convert(hundred, euro)?.minor).toBe(20_000)
    expect(refusals()).toEqual([expect.stringContaining('own rates: ')])
    clock = Date.parse('2026-11-22')
    server.rates = { body: bankRatesText('2026-11-21') }
    await prices.refresh(signal)
    expect(prices.convert(hundred, euro)?.minor).toBe(8_000)
    expect(prices.findCurrency('VND')).toBeUndefined()
  })
})

test('a running node asks for both lists at once, and stops when it is closed', async () => {
  const prices = await open()
  const fresh = keepFresh(prices)
  await expect.poll(() => reports.length).toBe(2)
  expect(reports.every(({ ok }) => ok)).toBe(true)
  await fresh.close()
})

describe('what is due', () => {
  const usd = (minor: number) => ({ minor, currency: 'USD' as const })
  const quoteOf = async (suffix: string, price: Omit<DomainPrice, 'seller'>, currency?: Currency) => {
    const prices = await open()
    if (currency) await prices.refresh(signal)
    const verdict = { status: 'premium' as const, price: { ...price, seller: 'example' } }
    return prices.findDomainOffer(suffixOf(suffix), verdict, currency)
  }

  test('a list says what a year costs, and what is due is for the shortest term', async () => {
    const ai = (await open()).listOfferOf(suffixOf('ai'))
    expect(ai).toMatchObject({ registration: usd(8_270), termYears: 2, due: usd(16_540) })
    expect(ai).toMatchObject({ renewal: usd(8_270), renewalYears: 2, renewsAt: usd(16_540) })
    // Three terms: there is no way to have it for five years.
    expect(totalOf(ai)).toEqual(usd(3 * 16_540))
    const com = (await open()).listOfferOf(suffixOf('com'))
    expect(com).toMatchObject({ termYears: 1, due: com.registration, renewalYears: 1, renewsAt: com.renewal })
    expect(totalOf(com).minor).toBe(com.due.minor + 4 * com.renewal.minor)
  })

  test.each([
    [
      'a year each',
      { years: 1 },
      { registration: 10_001, termYears: 2, due: 20_002, renewal: 5_001, renewsAt: 10_002 },
    ],
    ['the term', { years: 2, renewalYears: 2 }, { registration: 5_001, due: 10_001, renewal: 2_501, renewsAt: 5_001 }],
    [
      'the shortest term',
      { years: 'shortest' },
      { registration: 5_001, due: 10_001, renewal: 5_001, renewsAt: 10_002 },
    ],
    [
      'the shortest term of both',
      { years: 'shortest', renewalYears: 'shortest' },
      { registration: 5_001, due: 10_001, renewal: 2_501, renewsAt: 5_001 },
    ],
    ['three years', { years: 3 }, { registration: 3_334, termYears: 3, due: 10_001, renewalYears: 2 }],
  ] as const)('a quote for %s of what is sold for two years', async (_what, covers, wanted) => {
    const offer = await quoteOf('ai', { registration: usd(10_001), renewal: usd(5_001), ...covers })
    const found = Object.entries(offer ?? {}).map(([name, value]) => [name, isMoney(value) ? value.minor : value])
    expect(Object.fromEntries(found)).toMatchObject(wanted)
  })

  test('without a renewal in the quote the list says what that costs, and each amount is rounded once', async () => {
    const yen = currencyOf('JPY')
    const offer = await quoteOf('ai', { registration: usd(10_001), years: 1 }, yen)
    // 170.5 yen and 1.25 dollars for a euro.
    expect(offer?.due.minor).toBe(Math.round((200.02 / 1.25) * 170.5))
    expect(offer?.renewsAt.minor).toBe(Math.round((165.4 / 1.25) * 170.5))
  })

  test('whatever a quote covers, what is due is never less than a year of it for each year', async () => {
    const prices = await open()
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 10 }), (minor, years) => {
        const verdict = { status: 'premium' as const, price: { registration: usd(minor), years, seller: 'example' } }
        const offer = prices.findDomainOffer(suffixOf('ai'), verdict)
        if (!offer) throw new Error('dollars need no rate')
        expect(offer.termYears).toBe(Math.max(2, years))
        expect(offer.due.minor).toBeGreaterThanOrEqual(minor)
        expect(offer.registration.minor * offer.termYears).toBeGreaterThanOrEqual(offer.due.minor)
        expect(isAffordable(offer, { due: offer.due.minor - 1, fiveYears: undefined })).toBe(false)
      }),
    )
  })
})
