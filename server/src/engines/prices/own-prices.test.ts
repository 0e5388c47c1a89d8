import { expect, test } from 'vitest'
import { isSuffix } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import { applyOwnPrices, parseOwnPrices } from './own-prices.ts'
import { ONE_YEAR } from './price-row.ts'
import type { PriceRow } from './price-row.ts'

const rules = new Set(['open', 'us_nexus'])
const parse = (text: string) => parseOwnPrices('own', text, rules)
const suffix = (text: string): Suffix => {
  if (!isSuffix(text)) throw new Error(`${text} is no suffix`)
  return text
}
const row = (name: string, registration: number, transfer = 1000): [Suffix, PriceRow] => {
  const facts = { suffix: suffix(name), ...ONE_YEAR, eligibility: 'open', idn: null, rdap: true, popularity: 1 }
  return [
    suffix(name),
    { ...facts, registration, renewal: 1000, transfer, currency: 'USD', source: 'list', asOf: '2026-01' },
  ]
}
const terms = new Map([[suffix('two.example'), { termYears: 2, renewalYears: 2 }]])
const listed = new Map([row('com', 1000), row('net', 1010), row('uk', 500, 0)])
const apply = (...rows: object[]) =>
  applyOwnPrices(listed, parse(rows.map((one) => JSON.stringify(one)).join('\n')), terms)

const retail = {
  suffix: 'com',
  registration: 1299,
  renewal: 1499,
  transfer: 0,
  source: 'Example Names',
  as_of: '2026-11-01',
}

test('own prices win over the list, with their own source and date', () => {
  const offered = apply(retail)
  expect(offered.get(suffix('com'))).toMatchObject({
    registration: 1299,
    renewal: 1499,
    transfer: 0,
    source: 'Example Names',
    asOf: '2026-11-01',
    popularity: 1,
  })
  expect(offered.get(suffix('net'))).toBe(listed.get(suffix('net')))
})

test('a markup raises what the list says, rounded half up, and leaves free transfers free', () => {
  const offered = apply({ suffix: '*', markup_percent: 12.5, source: 'Example Names' }, retail)
  expect(offered.get(suffix('net'))).toMatchObject({ registration: 1136, renewal: 1125, source: 'Example Names' })
  expect(offered.get(suffix('uk'))).toMatchObject({ registration: 563, transfer: 0, asOf: '2026-01' })
  expect(offered.get(suffix('com'))).toMatchObject({ registration: 1299 })
})

test('a suffix can be taken off the shelf, and everything but the named ones too', () => {
  expect([...apply({ suffix: 'net', offered: false }).keys()]).toEqual(['com', 'uk'])
  expect([...apply({ suffix: '*', offered: false }, retail).keys()]).toEqual(['com'])
})

test('own prices can add a suffix that no list has', () => {
  const added = apply({ ...retail, suffix: 'co.example', years: 2, eligibility: 'us_nexus' }).get(suffix('co.example'))
  expect(added).toMatchObject({ registration: 1299, eligibility: 'us_nexus', popularity: null, idn: null })
  // Nobody says how long a renewal is: the higher bill.
  expect(added).toMatchObject({ termYears: 2, renewalYears: 2 })
})

test('a suffix that the operator adds is sold for no shorter term than is known of it', () => {
  const [two, one] = ['two.example', 'one.example'].map((name) => apply({ ...retail, suffix: name }).get(suffix(name)))
  expect(two).toMatchObject({ registration: 1299, termYears: 2, renewalYears: 2 })
  expect(one).toMatchObject({ registration: 1299, termYears: 1, renewalYears: 1 })
})

test('the same rows can be one JSON array', () => {
  expect(parse(JSON.stringify([retail]))).toEqual(parse(JSON.stringify(retail)))
})

test.each([
  ['', 'has no price'],
  ['[]', 'has no price'],
  ['{', 'line 1: is not JSON'],
  ['[{', 'the file: is not JSON'],
  ['"com"', 'must be an object'],
  [{ ...retail, registration: 0 }, 'registration must be'],
  [{ ...retail, registration: 12.99 }, 'registration must be US cents'],
  [{ ...retail, renewal: undefined }, 'renewal must be'],
  [{ ...retail, suffix: '*' }, 'suffix must be'],
  [{ ...retail, as_of: undefined }, 'as_of must be'],
  [{ ...retail, curency: 'USD' }, 'curency is not a field'],
  [{ suffix: 'com', markup_percent: 1000, source: 'x' }, 'markup_percent must be'],
  [{ suffix: 'com', markup_percent: 0.001, source: 'x' }, 'markup_percent must be'],
  [{ suffix: 'com', markup_percent: '10', source: 'x' }, 'markup_percent must be'],
  [{ suffix: 'com', markup_percent: 10 }, 'source must be'],
  [{ suffix: 'com', offered: true }, 'offered must be false'],
])('a file with %j is refused', (content, problem) => {
  expect(() => parse(typeof content === 'string' ? content : JSON.stringify(content))).toThrow(problem)
})

test('a suffix named twice is refused', () => {
  expect(() => apply(retail, { suffix: 'com', offered: false })).toThrow('line 2: com is listed twice')
})
