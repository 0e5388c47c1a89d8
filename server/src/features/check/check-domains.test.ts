/** What a check says where no list has a price, over what a registrar or registry can have said. */
import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'
import { openPrices } from '../../engines/prices/prices.ts'
import { checkedEntry } from './shown.ts'
import { checkDomains } from './check-domains.ts'
import type { CheckContext } from './check-domains.ts'

const prices = await openPrices()
const DOMAIN = 'mayfly.is' as Domain

async function entryOf(verdict: Partial<Verdict>, domain: Domain = DOMAIN) {
  const found: Verdict = {
    domain,
    status: 'unknown',
    confidence: 'definitive',
    sources: ['rdap'],
    checkedAt: 0,
    expiresAt: 1,
    ...verdict,
  }
  const ctx: CheckContext = {
    prices,
    availabilityMode: 'strict',
    availability: {
      check: async () => new Map([[domain, found]]),
      lookupsOf: () => ({
        memory: { asked: 0, answered: 0, lastAnswerAt: undefined },
        shared: { asked: 0, answered: 0, lastAnswerAt: undefined },
      }),
    },
    forSale: { findOffers: async () => new Map() },
    now: () => 0,
  }
  const options = { deadlineMs: 1_000, fresh: false, forSale: false, fairnessKey: '' }
  const [checked] = await checkDomains(ctx, [domain], options, new AbortController().signal)
  return checked && checkedEntry(checked, ['register'])
}

test('a taken domain is taken, with no price', async () => {
  expect(await entryOf({ status: 'taken' })).toMatchObject({ status: 'taken', available: false, price: null })
})

test('what only two lists lack is not available: nobody knows that it has no price of its own', async () => {
  const absent = await entryOf({ status: 'available', confidence: 'likely', premiumProne: true })
  expect(absent).toMatchObject({ status: 'unknown', available: false, price: null })
  expect(absent).not.toHaveProperty('register_url')
})

test('what a registrar confirms is available, and the link leads to that registrar, with a quote or without', async () => {
  const registration = { minor: 4_900, currency: 'USD' } as const
  const price = { registration, years: 1, seller: 'godaddy' }
  expect(await entryOf({ status: 'available', sources: ['godaddy'], price })).toMatchObject({
    available: true,
    price: null,
    registrar: 'GoDaddy',
  })
  expect(await entryOf({ status: 'available', sources: ['dns', 'namecheap'] })).toMatchObject({
    register_url: 'https://www.namecheap.com/domains/registration/results/?domain=mayfly.is',
    registrar: 'Namecheap',
  })
  // Its search is not known to us.
  expect(await entryOf({ status: 'available', sources: ['dns', 'vercel'] })).toMatchObject({
    register_url: 'https://www.iana.org/domains/root/db/is.html',
    registrar: 'IANA',
  })
})
