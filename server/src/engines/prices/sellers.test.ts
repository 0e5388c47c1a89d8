import { expect, test } from 'vitest'
import { readData } from '../../data.ts'
import type { Suffix } from '../../model/domain.ts'
import { registerUrlOf } from '../../model/seller.ts'
import { openPrices } from './prices.ts'
import { createSellers } from './sellers.ts'
import type { SellersOptions } from './sellers.ts'

const shipped = readData('registrars.json')
const PORKBUN = 'Porkbun public price list'
const sellerOf = (suffix: string, sources: readonly string[], options: SellersOptions = {}) =>
  createSellers(shipped, options).sellerOf(suffix as Suffix, sources)

test('whoever quotes a price is preferred to whoever lists one, where we know its search', () => {
  expect(sellerOf('com', ['namecheap', PORKBUN]).name).toBe('Namecheap')
  expect(sellerOf('com', ['vercel', PORKBUN]).name).toBe('Porkbun')
})

test('where no registrar is known to sell the suffix, the page of IANA about it is named', () => {
  const iana = { name: 'IANA', search: 'https://www.iana.org/domains/root/db/jp.html' }
  expect(sellerOf('co.jp', ['Value Domain price list'])).toEqual(iana)
  expect(sellerOf('jp', [])).toEqual(iana)
  expect(sellerOf('jp', ['Porkbunny price list'])).toEqual(iana)
})

test('the registrar of the operator comes before all others', () => {
  const own = 'https://shop.example.com/?q={domain}'
  expect(sellerOf('com', ['namecheap'], { own })).toEqual({ name: 'shop.example.com', search: own })
  expect(sellerOf('jp', [], { own, sandbox: true }).search).toBe(own)
})

test('no registrar is asked for the made-up domains of the sandbox', () => {
  expect(sellerOf('com', [PORKBUN], { sandbox: true })).toEqual({
    name: 'sandbox',
    search: 'https://registrar.example/?domain={domain}',
  })
})

test('every address is https, has a source and a date, and carries the domain and nothing else of ours', () => {
  const rows = JSON.parse(shipped) as { id: string; search: string; source: string; read: string }[]
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  for (const { search, source, read } of rows) {
    const url = registerUrlOf({ name: '', search }, 'xn--bcher-kva.com')
    expect(new URL(url).protocol).toBe('https:')
    expect(url.split('xn--bcher-kva.com')).toHaveLength(2)
    expect(url).not.toMatch(/utm|aff|ref=|source|campaign/i)
    expect(source).not.toBe('')
    expect(read).toMatch(/^2026-\d{2}-\d{2}$/)
  }
  expect(registerUrlOf({ name: '', search: 'https://a.example/?q={domain}' }, 'a&b#.com')).toBe(
    'https://a.example/?q=a%26b%23.com',
  )
})

test('a table with an address that is not https, or has no place for the domain, is refused', () => {
  for (const search of ['http://a.example/?q={domain}', 'https://a.example/'])
    expect(() => createSellers(JSON.stringify([{ id: 'a', name: 'A', search }]), {})).toThrow('data/registrars.json: a')
})

test('an offer says who sells it: the registrar of its quote, or of its list', async () => {
  const prices = await openPrices()
  const com = 'com' as Suffix
  expect(prices.listOfferOf(com).seller.name).toBe('Porkbun')
  const registration = { minor: 999, currency: 'USD' } as const
  const price = { registration, years: 1, seller: 'godaddy' }
  expect(prices.findDomainOffer(com, { status: 'available', price })?.seller.name).toBe('GoDaddy')
})
