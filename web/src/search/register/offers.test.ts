import type { DomainEntry } from '@namewright/client'
import { expect, test } from 'vitest'
import { linkOf, offersOf } from './offers.ts'

const pricing = (registrar: string, kind: 'list' | 'quote' = 'list') => ({
  currency: 'USD',
  registration_minor: 1108,
  renewal_minor: 1108,
  transfer_minor: 1108,
  term_years: 1,
  due_minor: 1108,
  renews_at_minor: 1108,
  renewal_years: 1,
  total_5y_minor: 5540,
  kind,
  registrar,
  as_of: '2026-10-07',
})
const registrars = [
  { id: 'porkbun', name: 'Porkbun', search: 'https://porkbun.com/checkout/search?q={domain}' },
  { id: 'gandi', name: 'Gandi', search: 'https://shop.gandi.net/en/domain/suggest?search={domain}' },
]
const LISTED = pricing('Porkbun public price list')
const entry = (more: Partial<DomainEntry> = {}): DomainEntry => ({
  domain: 'mayfly.com',
  available: true,
  price: '$11.08',
  status: 'available',
  ...more,
})

test('a registrar sells a suffix only where a dated price of its own says so', () => {
  const { sold, searches } = offersOf(entry({ pricing: pricing('vercel', 'quote') }), LISTED, registrars)
  expect(sold.map(({ registrar, pricing: known }) => [registrar, known])).toEqual([['Porkbun', LISTED]])
  expect(searches).toHaveLength(registrars.length - 1)
  expect(searches.some((offer) => 'pricing' in offer)).toBe(false)
})

test('without a price nobody is said to sell it', () => {
  const { sold, searches } = offersOf(entry(), undefined, registrars)
  expect(sold).toEqual([])
  expect(searches.map(({ registrar }) => registrar)).toEqual(registrars.map(({ name }) => name))
})

test('a registrar whose name only begins like another is not that one', () => {
  expect(offersOf(entry(), pricing('Porkbunny price list'), registrars).sold).toEqual([])
})

test('the list price of a suffix is not the price of a premium domain, and the quote of its registrar is', () => {
  const premium = entry({ status: 'premium' })
  expect(offersOf(premium, LISTED, registrars).sold).toEqual([
    { id: 'porkbun', registrar: 'Porkbun', url: 'https://porkbun.com/checkout/search?q=mayfly.com' },
  ])
  const quote = pricing('porkbun', 'quote')
  expect(offersOf({ ...premium, pricing: quote }, LISTED, registrars).sold[0]?.pricing).toEqual(quote)
})

test('a link carries the domain, encoded', () => {
  expect(linkOf('https://a.example/?q={domain}', 'a&b#.com')).toBe('https://a.example/?q=a%26b%23.com')
})
