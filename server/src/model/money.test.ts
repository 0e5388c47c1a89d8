import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, exchange, formatPrice, isCurrency, markUp, minorDigits, minorWithin, USD_RATE } from './money.ts'
import type { Currency } from './money.ts'

const amounts = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 1, 9, 10, 99, 100, 101))
const currencies = fc.constantFrom(...CURRENCIES)
const currencyOf = (code: string): Currency => {
  if (!isCurrency(code)) throw new Error(`${code} has a symbol`)
  return code
}
const euro = () => currencyOf('EUR')

describe('the text of a price', () => {
  test('every currency has one symbol: a currency sign, or the letters that English texts write', () => {
    expect(CURRENCIES.length).toBeGreaterThanOrEqual(15)
    expect(CURRENCIES[0]).toBe('USD')
    for (const currency of CURRENCIES)
      expect(formatPrice({ minor: 0, currency })).toMatch(/^(?:R?\p{Sc}|[A-Z]{3})0\.00$/u)
  })

  test('a price is a symbol, digits and two decimals, whatever the currency and amount', () => {
    fc.assert(
      fc.property(amounts, currencies, (minor, currency) => {
        const text = formatPrice({ minor, currency })
        expect(text).toMatch(/^(?:R?\p{Sc}|[A-Z]{3})(?:0|[1-9]\d*)\.\d{2}$/u)
        const hundredths = BigInt(text.replace(/[^\d]/g, ''))
        expect(hundredths).toBe(BigInt(minor) * 10n ** BigInt(2 - minorDigits(currency)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a price has two decimals also where the minor unit has none', () => {
    expect(formatPrice({ minor: 1234, currency: currencyOf('JPY') })).toBe('¥1234.00')
  })

  test.each([Number.NaN, Infinity, -1, 1.5, 2 ** 53])('%s is no price', (minor) => {
    expect(() => formatPrice({ minor, currency: 'USD' })).toThrow(RangeError)
  })

  test.each(['XAU', 'XYZ', 'usd', 'constructor', '__proto__', ''])('%s is no currency of ours', (code) => {
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

  test('an amount keeps its value between currencies with different minor units', () => {
    const [yen, perDollar] = [currencyOf('JPY'), { numerator: 150n, denominator: 1n }]
    expect(exchange({ minor: 1000, currency: 'USD' }, USD_RATE, yen, perDollar)).toEqual({ minor: 1500, currency: yen })
    expect(exchange({ minor: 1500, currency: yen }, perDollar, 'USD', USD_RATE).minor).toBe(1000)
  })

  test('a markup is exact and rounds half up', () => {
    expect([markUp(1000, 1250), markUp(999, 0), markUp(1, 5000), markUp(1000, -9000)]).toEqual([1125, 999, 2, 100])
  })
})

describe('minor units', () => {
  test.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
    [2, 'USD EUR GBP CNY INR TRY AMD LAK MGA COP TWD'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
    [4, 'CLF UYW'],
  ])('%i decimals: %s', (digits, codes) => {
    for (const code of codes.split(' ')) expect(minorDigits(code), code).toBe(digits)
  })

  test('a limit never lets a higher price through', () => {
    expect(minorWithin(12.99, 'USD')).toBe(1299)
    expect(minorWithin(0.29, 'USD')).toBe(29)
    expect(minorWithin(12.999, 'USD')).toBe(1299)
    expect(minorWithin(1500.5, currencyOf('JPY'))).toBe(1500)
  })
})
