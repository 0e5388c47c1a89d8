import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, exchange, formatPrice, isCurrency, markUp, USD_RATE } from './money.ts'
import type { Currency } from './money.ts'

const amounts = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 1, 9, 10, 99, 100, 101))
const currencies = fc.constantFrom(...CURRENCIES)
const euro = (code = 'EUR'): Currency => {
  if (!isCurrency(code)) throw new Error('EUR has a symbol')
  return code
}

describe('the text of a price', () => {
  test('every currency has one symbol, and it is a currency symbol to Unicode', () => {
    expect(CURRENCIES.length).toBeGreaterThanOrEqual(15)
    expect(CURRENCIES[0]).toBe('USD')
    for (const currency of CURRENCIES) expect(formatPrice({ minor: 0, currency })).toMatch(/^\p{Sc}0\.00$/u)
  })

  test('a price is a symbol, digits and two decimals, whatever the currency and amount', () => {
    fc.assert(
      fc.property(amounts, currencies, (minor, currency) => {
        const text = formatPrice({ minor, currency })
        expect(text).toMatch(/^\p{Sc}\d+\.\d{2}$/u)
        expect(text).not.toMatch(/^\p{Sc}0\d/u)
        expect(BigInt(text.replace(/[^\d]/g, ''))).toBe(BigInt(minor))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a price has hundredths also where coins have none', () => {
    const yen = 'JPY'
    if (!isCurrency(yen)) throw new Error('JPY has a symbol')
    expect(formatPrice({ minor: 123_400, currency: yen })).toBe('¥1234.00')
  })

  test.each([Number.NaN, Infinity, -1, 1.5, 2 ** 53])('%s is no price', (minor) => {
    expect(() => formatPrice({ minor, currency: 'USD' })).toThrow(RangeError)
  })

  test.each(['CHF', 'BRL', 'PLN', 'usd', 'constructor', '__proto__', ''])('%s is no currency of ours', (code) => {
    expect(isCurrency(code)).toBe(false)
  })
})

describe('exchange', () => {
  test('halves are rounded up, and nothing is lost before', () => {
    const rate = { numerator: 5n, denominator: 1_000n }
    const cents = (minor: number) => exchange({ minor, currency: 'USD' }, USD_RATE, euro(), rate).minor
    expect([99, 100, 101, 299, 300].map(cents)).toEqual([0, 1, 1, 1, 2])
  })

  test('the result is never further than half a hundredth from the truth', () => {
    const parts = fc.bigInt(1n, 10n ** 12n)
    fc.assert(
      fc.property(fc.nat(1_000_000), parts, parts, parts, parts, (minor, a, b, c, d) => {
        const [from, to] = [
          { numerator: a, denominator: b },
          { numerator: c, denominator: d },
        ]
        const { minor: found } = exchange({ minor, currency: 'USD' }, from, euro(), to)
        fc.pre(Number.isSafeInteger(found))
        const [exact, unit] = [BigInt(minor) * b * c, a * d]
        const off = 2n * (BigInt(found) * unit - exact)
        expect(off > -unit && off <= unit).toBe(true)
      }),
    )
  })

  test('a markup is exact and rounds half up', () => {
    expect([markUp(1000, 1250), markUp(999, 0), markUp(1, 5000), markUp(1000, -9000)]).toEqual([1125, 999, 2, 100])
  })
})
