/** The number of decimals of each currency (ISO 4217), and amounts as exact decimal text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountText } from '../src/element/money.ts'
import { minorDigits, minorToDecimal } from '../src/minor-units.ts'

const BY_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: 'USD EUR GBP CHF CNY INR BRL HUF TWD IDR COP MGA MRU',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

describe('minorDigits', () => {
  test.for(Object.entries(BY_DIGITS))('is %s for %s', ([digits, codes]) => {
    for (const code of codes.split(' ')) expect(minorDigits(code), code).toBe(Number(digits))
  })

  test('is 2 for a code that it does not know', () => {
    expect(minorDigits('XXX')).toBe(2)
    expect(minorDigits('')).toBe(2)
    expect(minorDigits('constructor')).toBe(2)
  })
})

describe('minorToDecimal', () => {
  test.for([
    [1299, 'USD', '12.99'],
    [5, 'USD', '0.05'],
    [0, 'USD', '0.00'],
    [-1299, 'USD', '-12.99'],
    [-5, 'EUR', '-0.05'],
    [1650, 'JPY', '1650'],
    [0, 'JPY', '0'],
    [-1, 'KRW', '-1'],
    [1234, 'KWD', '1.234'],
    [7, 'TND', '0.007'],
    [12_345, 'CLF', '1.2345'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
  ] as const)('of %i %s is %s', ([minor, currency, text]) => {
    expect(minorToDecimal(minor, currency)).toBe(text)
  })

  test('has the digits of the currency, and no digit is lost', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF')
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (minor, code) => {
        const text = minorToDecimal(minor, code)
        expect(text.split('.')[1]?.length ?? 0).toBe(minorDigits(code))
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(minor))
      }),
    )
  })

  test.for([1.5, Number.NaN, Infinity, 2 ** 53])('refuses %d', (minor) => {
    expect(() => minorToDecimal(minor, 'USD')).toThrow(RangeError)
  })
})

test('the element shows an amount by the digits of ISO 4217', () => {
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')
  expect(plain(amountText(1299, 'USD', 'en'))).toBe('$12.99')
  expect(plain(amountText(1299, 'EUR', 'de'))).toBe('12,99 €')
  expect(plain(amountText(1650, 'JPY', 'en'))).toBe('¥1,650')
  expect(plain(amountText(1234, 'KWD', 'en'))).toBe('KWD 1.234')
  // CLDR shows the forint and the Iraqi dinar without decimals; the amount is the same.
  expect(plain(amountText(250_000, 'IQD', 'en'))).toBe('IQD 250')
})
