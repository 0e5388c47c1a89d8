/** Offers for taken domains: the owner's price, and what aftermarket vendors ask, read strictly. */
import { expect, test } from 'vitest'
import type { SaleOffer } from './dns-for-sale.ts'
import type { Evidence } from './evidence.ts'
import { createFastlyOffers } from './registrars/fastly.ts'
import { Limited } from './registrars/registrar.ts'
import { createSaleOffers } from './sale-offers.ts'
import type { Domain } from '../../model/domain.ts'
import { parseSalePrice } from '../../model/sale.ts'
import { Secret } from '../../model/secret.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'

const DOMAIN = 'storkloom.com' as Domain

const sent: OutboundRequest[] = []

function ask(body: string, status = 200): Promise<readonly Evidence[]> {
  const send = (request: OutboundRequest) => {
    sent.push(request)
    return Promise.resolve({ kind: 'answer', status, headers: {}, body: Buffer.from(body) } as const)
  }
  const fastly = createFastlyOffers({ send, token: new Secret('token'), now: () => 7 })
  return fastly.check([DOMAIN], AbortSignal.timeout(10_000))
}

const statusOf = (offers: unknown, more: object = {}) =>
  JSON.stringify({ domain: DOMAIN, zone: 'com', status: 'active marketed priced', scope: 'estimate', offers, ...more })
const OFFER = { vendor: 'afternic.com', price: '2500.00', currency: 'USD' }

test('Fastly is asked for aftermarket offers only, and its offers have a vendor and a price', async () => {
  expect(await ask(statusOf([OFFER]))).toEqual([
    {
      domain: DOMAIN,
      source: 'fastly',
      says: 'for_sale',
      at: 7,
      ttlMs: 0,
      offers: [{ vendor: 'afternic.com', price: { minor: 250_000, currency: 'USD' } }],
    },
  ])
  expect(sent.at(-1)).toMatchObject({
    url: `https://api.fastly.com/domain-management/v1/tools/status?domain=${DOMAIN}&scope=estimate`,
    headers: { 'fastly-key': 'token' },
  })
})

test.for<[what: string, offers: unknown, more?: object]>([
  ['no offers', []],
  ['no list', 'afternic.com 2500'],
  ['a price that is no number', [{ ...OFFER, price: '2,500' }]],
  ['a price of nothing', [{ ...OFFER, price: '0' }]],
  ['an unknown currency', [{ ...OFFER, currency: 'XYZ' }]],
  ['a vendor with markup', [{ ...OFFER, vendor: '<a href=x>' }]],
  ['another domain', [OFFER], { domain: 'other.com' }],
])('%s is no offer', async ([, offers, more]) => {
  expect(await ask(statusOf(offers, more))).toEqual([])
})

test('a refusal is a rate limit, and any other failure is no offer', async () => {
  await expect(ask('{}', 429)).rejects.toBeInstanceOf(Limited)
  expect(await ask(statusOf([OFFER]), 500)).toEqual([])
  expect(await ask('<html>')).toEqual([])
})

test.for<[currency: string, amount: string, minor: number | undefined]>([
  ['USD', '750', 75_000],
  ['USD', '750.5', 75_050],
  ['USD', '750.50000', 75_050],
  ['USD', '750.505', undefined],
  ['JPY', '750000', 750_000],
  ['JPY', '750000.5', undefined],
  ['BTC', '0.5', undefined],
  ['USD', '0', undefined],
  ['USD', '', undefined],
])('%s %s is %s minor units', ([currency, amount, minor]) => {
  expect(parseSalePrice(currency, amount)?.minor).toBe(minor)
})

test('the price of the owner and those of vendors are one list, cheapest first', async () => {
  const owner: SaleOffer = { value: 'USD750' }
  const turn = { fairnessKey: '', giveUpAt: 0 }
  const listed: Evidence = {
    domain: DOMAIN,
    source: 'fastly',
    says: 'for_sale',
    at: 0,
    ttlMs: 0,
    offers: [
      { vendor: 'b.example', price: { minor: 90_000, currency: 'USD' } },
      { vendor: 'a.example', price: { minor: 70_000, currency: 'USD' } },
    ],
  }
  const sales = createSaleOffers({
    dns: { findOffers: async () => new Map([[DOMAIN, owner]]) },
    registrars: { name: 'registrars', ask: async () => new Map([[DOMAIN, listed]]) },
  })
  const found = (await sales.findOffers([DOMAIN, 'other.com' as Domain], AbortSignal.timeout(1_000), turn)).get(DOMAIN)
  expect(found?.prices.map(({ source, vendor, price }) => [source, vendor, price.minor])).toEqual([
    ['fastly', 'a.example', 70_000],
    ['dns', undefined, 75_000],
    ['fastly', 'b.example', 90_000],
  ])
  expect(found?.sources).toEqual(['dns', 'fastly'])
})
