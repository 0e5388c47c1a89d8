import { expect, test } from 'vitest'
import { readData } from '../../data.ts'
import { parseCatalogue } from './catalogue.ts'
import { parseTerms } from './terms.ts'

const rules = new Set(Object.keys((JSON.parse(readData('eligibility.json')) as { rules: object }).rules))
const shipped = readData('suffixes.jsonl')
const terms = parseTerms('terms', readData('suffix-terms.jsonl'))
const parse = (text: string) => parseCatalogue('file', text, rules, terms)
const good = JSON.parse(shipped.split('\n')[0] ?? '') as Record<string, unknown>
const line = (change: Record<string, unknown>) => JSON.stringify({ ...good, ...change })

test('the catalogue has at least 300 suffixes, each with prices, a source and a date', () => {
  const rows = [...parse(shipped).values()]
  expect(rows.length).toBeGreaterThanOrEqual(300)
  for (const row of rows) {
    expect(row.registration, row.suffix).toBeGreaterThan(0)
    expect(row.renewal, row.suffix).toBeGreaterThan(0)
    expect(row.source && row.asOf, row.suffix).toMatch(/^\d{4}-\d{2}/)
  }
})

test('the catalogue knows what is certain: terms, rules, letters and popularity', () => {
  const rows = parse(shipped)
  const of = (suffix: string) => [...rows.values()].find((row) => row.suffix === suffix)
  expect(of('ai')).toMatchObject({ termYears: 2, renewalYears: 2, eligibility: 'open' })
  expect(of('com')).toMatchObject({ termYears: 1, renewalYears: 1, popularity: 1, idn: true, rdap: true })
  expect(of('eu')).toMatchObject({ eligibility: 'eea_presence', rdap: false })
  expect(of('us')).toMatchObject({ eligibility: 'us_nexus' })
  expect(of('co.uk')).toMatchObject({ idn: false, rdap: true, eligibility: 'open' })
})

test.each([
  [{ suffix: 'Com' }, 'suffix'],
  [{ suffix: '-x' }, 'suffix'],
  [{ registration: 0 }, 'registration'],
  [{ registration: 12.99 }, 'registration'],
  [{ registration: '1299' }, 'registration'],
  [{ renewal: -1 }, 'renewal'],
  [{ transfer: -1 }, 'transfer'],
  [{ currency: 'XAU' }, 'currency'],
  [{ currency: null }, 'currency'],
  [{ renewal: 100_000_000 }, 'renewal'],
  [{ eligibility: 'anybody' }, 'eligibility'],
  [{ idn: 'yes' }, 'idn'],
  [{ rdap: null }, 'rdap'],
  [{ popularity: 0 }, 'popularity'],
  [{ source: ' ' }, 'source'],
  [{ as_of: '2026-02-30' }, 'as_of'],
  [{ as_of: 'yesterday' }, 'as_of'],
  [{ price: 1 }, 'price is not a field'],
])('a line with %j is refused by field', (change, problem) => {
  expect(() => parse(line(change))).toThrow(`file: line 1: ${problem}`)
})

test('a missing field, a repeated suffix, broken JSON and an empty file are refused, all of them at once', () => {
  const { renewal: _renewal, ...rest } = good
  const text = [JSON.stringify(rest), line({}), line({}), '{"suffix":', '7'].join('\n')
  for (const problem of ['1: renewal must', '3: abogado is listed twice', '4: is not JSON', '5: must be an object']) {
    expect(() => parse(text)).toThrow(`line ${problem}`)
  }
  expect(() => parse('')).toThrow('has no suffix')
})

test('every suffix that is sold for more than a year has a source and a date, and no other is listed', () => {
  expect(terms.size).toBeGreaterThan(0)
  for (const { termYears } of terms.values()) expect(termYears).toBeGreaterThan(1)
  const term = { suffix: 'ai', term_years: 2, renewal_years: 2, source: 'the registry', as_of: '2026-11-19' }
  const wrong = [{ term_years: 0 }, { renewal_years: 11 }, { source: '' }, { as_of: 'today' }, { years: 2 }]
  for (const change of wrong) {
    expect(() => parseTerms('file', JSON.stringify({ ...term, ...change }))).toThrow(Object.keys(change)[0])
  }
  const twice = `${JSON.stringify(term)}\n${JSON.stringify(term)}`
  expect(() => parseTerms('file', twice)).toThrow('ai is listed twice')
})
