import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSuffix } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import { PORKBUN } from './porkbun-list.ts'
import { judgePriceList, ListRefused } from './price-list.ts'
import type { ListPrice } from './price-row.ts'

const listOf = (pricing: Record<string, unknown>) => JSON.stringify({ status: 'SUCCESS', pricing })
const entry = (registration: unknown, renewal: unknown = '10.00', transfer: unknown = '10.00') => ({
  registration,
  renewal,
  transfer,
})

describe('reading the list', () => {
  test('amounts become cents, with and without commas', () => {
    const list = PORKBUN.parse(
      listOf({ com: entry('11.06'), sexy: entry('2,575.16'), uk: entry('5.66', '5.66', '0.00') }),
    )
    expect([...list.values()].map((price) => price.registration)).toEqual([1106, 257_516, 566])
    expect([...list.values()].at(-1)?.transfer).toBe(0)
  })

  test.each([
    ['outside the DNS', { ...entry('11.06'), specialType: 'handshake' }],
    ['free', entry('0.00')],
    ['free to renew', entry('11.06', '0.00')],
    ['absurdly dear', entry('123,456.00')],
    ['negative', entry('-1.00')],
    ['no decimal', entry('11')],
    ['a number', entry(11.06)],
    ['in another notation', entry('1e3')],
    ['wrongly grouped', entry('11,06.00')],
    ['half there', { registration: '11.06' }],
    ['null', null],
    ['a text', '11.06'],
  ])('an entry that is %s is left out', (_why, wrong) => {
    const list = PORKBUN.parse(listOf({ com: wrong, net: entry('12.00') }))
    expect([...list.keys()]).toEqual(['net'])
  })

  test('what is no suffix is left out', () => {
    const names = { 'not a suffix': entry('1.00'), '-x': entry('1.00'), __proto__: entry('1.00'), COM: entry('1.00') }
    expect(PORKBUN.parse(listOf(names)).size).toBe(0)
  })

  test('anything may come, and is read or refused, never more', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => listOf({ com: value })),
        ),
        (text) => {
          try {
            for (const price of PORKBUN.parse(text).values()) expect(price.registration).toBeGreaterThan(0)
          } catch (error) {
            expect(error).toBeInstanceOf(ListRefused)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('judging the list', () => {
  const suffixes = Array.from({ length: 20 }, (_, i) => `s${String.fromCharCode(97 + i)}`).filter(isSuffix)
  const price = (registration: number, renewal = registration): ListPrice => ({
    registration,
    renewal,
    transfer: renewal,
  })
  const all = (of: ListPrice) => new Map<Suffix, ListPrice>(suffixes.map((suffix) => [suffix, of]))
  const known = all(price(1000, 2000))
  const judgeOne = (after: ListPrice, before = price(1000, 2000)) => {
    const [first] = suffixes
    if (!first) throw new Error('there are suffixes')
    return judgePriceList(new Map([...known, [first, before]]), new Map([...known, [first, after]])).skipped.length
  }

  test('a list that has all and moved a little is taken', () => {
    expect(judgePriceList(known, all(price(1100, 2200)))).toMatchObject({ skipped: [] })
  })

  test('a list with fewer than half of the suffixes is refused', () => {
    const few = new Map([...known].slice(0, 9))
    expect(() => judgePriceList(known, few)).toThrow('it has 9 of 20 suffixes')
    expect(judgePriceList(known, new Map([...known].slice(0, 10))).accepted.size).toBe(10)
  })

  test.each([2, 1.31, 0.76, 0.01, 100])('a list with prices times %d is refused', (factor) => {
    expect(() => judgePriceList(known, all(price(1000 * factor, 2000 * factor)))).toThrow(ListRefused)
  })

  test('a suffix whose price moved more than five times is passed over, the others are taken', () => {
    expect(
      [price(1000, 10_001), price(1000, 399), price(10_001, 2000), price(199, 2000)].map((one) => judgeOne(one)),
    ).toEqual([1, 1, 1, 1])
  })

  test('an offer for the first year may end', () => {
    expect(judgeOne(price(5199), price(99, 5199))).toBe(0)
  })

  test('a transfer may become free', () => {
    expect(judgeOne({ ...price(1000, 2000), transfer: 0 })).toBe(0)
  })

  test('suffixes that we do not know are not added', () => {
    const more = new Map([...known, ['zz' as Suffix, price(1)] as const])
    expect(judgePriceList(known, more).accepted.size).toBe(20)
  })
})
