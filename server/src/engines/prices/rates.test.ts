import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCurrency } from '../../model/money.ts'
import type { Currency } from '../../model/money.ts'
import { bankRatesText } from '../../../test/internet/price-lists.ts'
import { DataError } from './fields.ts'
import { ListRefused } from './price-list.ts'
import { isFresh, mergeRates, parseBankRates, parseOwnRates } from './rates.ts'
import type { Rates } from './rates.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-15T12:00:00Z')
const good = bankRatesText('2026-11-13')
const parse = (text: string) => parseBankRates(text, NOW)
const of = (rates: Rates, code: string) => {
  const rate = isCurrency(code) ? rates.get(code) : undefined
  return rate && Number(rate.numerator) / Number(rate.denominator)
}

describe('the bank', () => {
  test('rates for one euro become rates for one dollar, exactly', () => {
    const rates = parse(good)
    expect(of(rates, 'EUR')).toBeCloseTo(1 / 1.25, 12)
    expect(of(rates, 'JPY')).toBeCloseTo(170.5 / 1.25, 10)
    expect([...rates.values()].every(({ asOf }) => asOf === '2026-11-13')).toBe(true)
  })

  test('the dollar itself is not among them', () => {
    expect([...parse(good).keys()]).toEqual(expect.arrayContaining(['CHF']))
    expect([...parse(good).keys()]).not.toEqual(expect.arrayContaining(['USD']))
  })

  test.each([
    ['empty', ''],
    ['HTML', '<!doctype html><title>Maintenance</title>'],
    ['JSON', '{"rates":{"USD":1.1}}'],
    ['cut off', good.slice(0, -30)],
    ['doubled', good + good],
    ['of a day that is none', good.replace('2026-11-13', '2026-02-30')],
    ['of the future', good.replace('2026-11-13', '2026-12-24')],
    ['without the dollar', good.replace(/<Cube currency='USD'[^>]*>/, '')],
    ['with a currency twice', good.replace("'JPY'", "'GBP'")],
    ['with a rate of zero', good.replace('170.5', '0')],
    ['with a negative rate', good.replace('170.5', '-170.5')],
    ['with a rate that is none', good.replace('170.5', 'N/A')],
    ['with an exponent', good.replace('170.5', '1.7e2')],
    ['with an endless rate', good.replace('170.5', `1.${'0'.repeat(5_000)}`)],
    ['with two days', good.replace('</Cube>\n  </Cube>', "</Cube><Cube time='2026-11-12'></Cube></Cube>")],
    ['nearly empty', good.replace(/<Cube currency='(?!USD|JPY)[^>]*>/g, '')],
    ['with an entity', good.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>')],
  ])('a list that is %s is refused', (_what, text) => {
    expect(() => parse(text)).toThrow(ListRefused)
  })

  test('anything may come, and is read or refused, quickly', () => {
    const pieces = fc.constantFrom(
      '<Cube>',
      "<Cube time='2026-11-13'>",
      "<Cube currency='USD' rate='1'/>",
      '</Cube>',
      ' ',
      good,
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 200 }).map((all) => all.join('')),
        ),
        (text) => {
          try {
            parse(text)
          } catch (error) {
            expect(error).toBeInstanceOf(ListRefused)
          }
        },
      ),
    )
  })
})

describe('the operator’s own file', () => {
  const file = { as_of: '2026-11-14', source: 'House bank', rates: { EUR: '0.9213', VND: 25_410, GBP: 0.78 } }
  const own = (change: object) => parseOwnRates('rates', JSON.stringify({ ...file, ...change }), NOW)

  test('it is read exactly, from texts and numbers', () => {
    expect(own({})).toEqual(
      new Map([
        ['EUR', { numerator: 9213n, denominator: 10_000n, asOf: '2026-11-14', source: 'House bank' }],
        ['VND', { numerator: 25_410n, denominator: 1n, asOf: '2026-11-14', source: 'House bank' }],
        ['GBP', { numerator: 78n, denominator: 100n, asOf: '2026-11-14', source: 'House bank' }],
      ]),
    )
  })

  test.each([
    [{ as_of: undefined }, 'as_of'],
    [{ as_of: '2027-01-01' }, 'as_of'],
    [{ source: '' }, 'source'],
    [{ rates: {} }, 'rates'],
    [{ rates: [] }, 'rates'],
    [{ rates: { XAU: '0.9' } }, 'XAU is not one of EUR'],
    [{ rates: { USD: '1' } }, 'USD is not one of'],
    [{ rates: { EUR: 0 } }, 'EUR must be'],
    [{ rates: { EUR: '-1' } }, 'EUR must be'],
    [{ rates: { EUR: '1e-3' } }, 'EUR must be'],
    [{ rates: { EUR: null } }, 'EUR must be'],
    [{ base: 'EUR' }, 'base is not a field'],
  ])('a file with %j is refused', (change, problem) => {
    expect(() => own(change)).toThrow(DataError)
    expect(() => own(change)).toThrow(problem)
  })

  test.each(['', '[]', 'null', '{'])('%j is no file of rates', (text) => {
    expect(() => parseOwnRates('rates', text, NOW)).toThrow('must be one JSON object')
  })
})

describe('age and movement', () => {
  const ratesOf = (asOf: string, rate: bigint): Rates =>
    new Map([['EUR' as Currency, { numerator: rate, denominator: 100n, asOf, source: 'x' }]])

  test('a rate lasts seven days after its own, and no longer', () => {
    const [rate] = ratesOf('2026-11-13', 92n).values()
    if (!rate) throw new Error('there is one')
    expect(isFresh(rate, Date.parse('2026-11-13') + 8 * DAY - 1)).toBe(true)
    expect(isFresh(rate, Date.parse('2026-11-13') + 8 * DAY)).toBe(false)
  })

  test('a rate that jumps is not believed while the one before is fresh', () => {
    const before = ratesOf('2026-11-13', 92n)
    expect(mergeRates(before, ratesOf('2026-11-14', 920n), NOW).skipped).toEqual(['EUR'])
    expect(of(mergeRates(before, ratesOf('2026-11-14', 920n), NOW).rates, 'EUR')).toBe(0.92)
    expect(mergeRates(before, ratesOf('2026-11-14', 95n), NOW).skipped).toEqual([])
    expect(of(mergeRates(before, ratesOf('2026-11-25', 920n), NOW + 10 * DAY).rates, 'EUR')).toBe(9.2)
  })
})
