import { expect, test } from 'vitest'
import { createRandomWords, keywordSuffix } from '../baselines.ts'
import { createDictionary } from '../dictionary.ts'
import { openPressure } from '../pressure.ts'

const counts = new Map('otter kiln maple ember cedar raven'.split(' ').map((word, at) => [word, 400 + at]))
const dictionary = createDictionary(new Set(counts.keys()), counts)
const pressure = openPressure(dictionary, new Map([['breadify', 1]]), 1)

test('random words are the same for the same description, free, and ten', () => {
  const randomWords = createRandomWords(dictionary, pressure)
  const names = randomWords('bread', 10)
  expect(names).toHaveLength(10)
  expect(randomWords('bread', 10)).toEqual(names)
  expect(randomWords('tea', 10)).not.toEqual(names)
})

test('keyword and suffix gives free names of the words of the description', () => {
  const names = keywordSuffix('We bake bread', pressure, 10).map(({ name }) => name)
  expect(names).toHaveLength(10)
  expect(new Set(names).size).toBe(10)
  expect(names).not.toContain('Breadify')
  for (const name of names) expect(name).toMatch(/^(?:Bake|Bread)/)
})
