import type { DomainEntry } from 'namewright'
import { expect, test } from 'vitest'
import { linkOf, offersOf } from './offers.ts'
import registrars from './registrars.json' with { type: 'json' }

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
const LISTED = pricing('Porkbun public price list')
const entry = (more: Partial<DomainEntry> = {}): DomainEntry => ({
  domain: 'mayfly.com',
  available: true,
  price: '$11.08',
  status: 'available',
  ...more,
})

test('a registrar sells a suffix only where a dated price of its own says so', () => {
  const { sold, searches } = offersOf(entry({ pricing: pricing('vercel', 'quote') }), LISTED)
  expect(sold.map(({ registrar, pricing: known }) => [registrar, known])).toEqual([['Porkbun', LISTED]])
  expect(searches).toHaveLength(registrars.length - 1)
  expect(searches.some((offer) => 'pricing' in offer)).toBe(false)
})

test('without a price nobody is said to sell it', () => {
  const { sold, searches } = offersOf(entry(), undefined)
  expect(sold).toEqual([])
  expect(searches.map(({ registrar }) => registrar)).toEqual(registrars.map(({ name }) => name))
})

test('a registrar whose name only begins like another is not that one', () => {
  expect(offersOf(entry(), pricing('Porkbunny price list')).sold).toEqual([])
})

test('the list price of a suffix is not the price of a premium domain, and the quote of its registrar is', () => {
  const premium = entry({ status: 'premium' })
  expect(offersOf(premium, LISTED).sold).toEqual([
    { id: 'porkbun', registrar: 'Porkbun', url: 'https://porkbun.com/checkout/search?q=mayfly.com' },
  ])
  const quote = pricing('porkbun', 'quote')
  expect(offersOf({ ...premium, pricing: quote }, LISTED).sold[0]?.pricing).toEqual(quote)
})

test('every link is https, has a source and a date, and carries the domain and nothing else of ours', () => {
  for (const { search, source, read } of registrars) {
    const url = new URL(linkOf(search, 'xn--bcher-kva.com'))
    expect(url.protocol).toBe('https:')
    expect(url.href.split('xn--bcher-kva.com')).toHaveLength(2)
    expect(url.href).not.toMatch(/utm|aff|ref=|source|campaign/i)
    expect(source).not.toBe('')
    expect(read).toMatch(/^2026-\d{2}-\d{2}$/)
  }
  expect(linkOf('https://a.example/?q={domain}', 'a&b#.com')).toBe('https://a.example/?q=a%26b%23.com')
})
