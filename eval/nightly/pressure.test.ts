import { expect, test } from 'vitest'
import { createDictionary } from '../dictionary.ts'
import { labelOf } from '../popular.ts'
import { countPairs, findThreshold, openPressure } from '../pressure.ts'

const counts = new Map([
  ['sand', 100],
  ['castle', 80],
  ['moth', 2],
  ['zephyr', 1],
])
const dictionary = createDictionary(new Set(counts.keys()), counts)
const popular = new Set(['googol'])
// The four likeliest ordered pairs are those of sand and castle with themselves and each other.
const pressure = openPressure(dictionary, popular, 4)

test('a dictionary word is taken', () => {
  expect(pressure.isTaken('zephyr')).toBe(true)
})

test('the label of a popular domain is taken', () => {
  expect(pressure.isTaken('googol')).toBe(true)
})

test('a likely compound is taken, an unlikely one is free', () => {
  expect(pressure.isTaken('sandcastle')).toBe(true)
  expect(pressure.isTaken('castlesand')).toBe(true)
  expect(pressure.isTaken('sandmoth')).toBe(false)
  expect(pressure.isTaken('zephyrmoth')).toBe(false)
})

test('a coined name is free', () => {
  expect(pressure.isTaken('normata')).toBe(false)
  expect(pressure.isTaken('sandcastl')).toBe(false)
})

test('exactly as many pairs are taken as were asked for', () => {
  expect(pressure.pairs).toBe(4)
  expect(openPressure(dictionary, popular, 1).pairs).toBe(1)
})

test('counting pairs agrees with listing them', () => {
  const ascending = Float64Array.from([1, 2, 3, 5, 8, 13])
  for (const threshold of [1, 4, 15, 16, 39, 170]) {
    const listed = [...ascending].flatMap((a) => [...ascending].filter((b) => a * b >= threshold)).length
    expect(countPairs(ascending, threshold)).toBe(listed)
  }
  expect(countPairs(ascending, findThreshold(ascending, 10))).toBeLessThanOrEqual(10)
})

test('the label of a domain stands before its suffix', () => {
  expect(labelOf('google.co.in')).toBe('google')
  expect(labelOf('yandex.ru')).toBe('yandex')
  expect(labelOf('t.co')).toBe('t')
})
