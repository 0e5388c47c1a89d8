import { expect, test } from 'vitest'
import { LATIN_LANGUAGES, OTHER_LANGUAGES } from '../aims.ts'
import { readAbstract, readDescriptions, readParallel } from '../descriptions.ts'

test('our descriptions are many, in many languages, and the judge can read each', () => {
  const described = readDescriptions()
  expect(described.length).toBeGreaterThanOrEqual(70)
  expect(new Set(described.map(({ id }) => id)).size).toBe(described.length)
  expect(new Set(described.map(({ text }) => text)).size).toBe(described.length)
  expect(new Set(described.map(({ language }) => language)).size).toBeGreaterThanOrEqual(22)
  for (const { language, english } of described) expect(english === undefined).toBe(language === 'en')
})

test('every parallel description stands in every language of the parity figures', () => {
  const parallel = readParallel()
  expect(parallel).toHaveLength(24)
  const wanted = ['en', ...LATIN_LANGUAGES, ...OTHER_LANGUAGES].toSorted()
  for (const { id, texts } of parallel) {
    expect(Object.keys(texts).toSorted(), id).toEqual(wanted)
    expect(new Set(Object.values(texts)).size, id).toBe(wanted.length)
  }
})

test('there are ten abstract descriptions', () => {
  expect(readAbstract()).toHaveLength(10)
})
