/** The table of the root zone against the lists that it speaks of, and what it opens to checks. */
import { expect, test } from 'vitest'
import { readData } from '../../data.ts'
import { openPrices } from './prices.ts'

test('the table says of each suffix which sources know its domains', async () => {
  const { suffixes } = JSON.parse(readData('root-zone.json')) as { suffixes: Record<string, string> }
  const rows = Object.entries(suffixes).flatMap(([sources, some]) => some.split(' ').map((one) => [one, sources]))
  const rdap = JSON.parse(readData('rdap.json')) as { servers: object; unlisted: { servers: object } }
  const served = [rdap.servers, rdap.unlisted.servers].flatMap((some) => Object.values(some).join(' ').split(' '))
  const isServed = new Set(served)
  const listed = readData('suffixes.jsonl').trim().split('\n')
  const isPriced = new Set(listed.map((line) => (JSON.parse(line) as { suffix: string }).suffix))
  const expected = rows.map(([suffix = '']) => {
    const sources = [isPriced.has(suffix) && 'list price', isServed.has(suffix) && 'RDAP', 'DNS']
    return [suffix, sources.filter(Boolean).join(', ')]
  })
  expect(rows).toEqual(expected)
  expect(new Set(rows.map(([suffix]) => suffix)).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(1_400)
})

test('every suffix of the root zone can be checked, with or without a price, and nothing else can', async () => {
  const prices = await openPrices()
  expect(['is', 'kz', 'google', 'com', 'co.uk'].map((text) => prices.findCheckable(text))).toEqual([
    'is',
    'kz',
    'google',
    'com',
    'co.uk',
  ])
  expect(['cmo', 'mayfly.is', '', 'constructor'].map((text) => prices.findCheckable(text))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
  expect(prices.findSuffix('is')).toBeUndefined()
})
