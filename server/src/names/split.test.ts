import { expect, it } from 'vitest'
import { makePart } from './part.ts'
import { splitName } from './split.ts'

const lexicon = new Map(['paper', 'dozer', 'crumb', 'sand', 'castle'].map((word) => [word, makePart([word], 'c')]))

it('a name is broken where both halves are words', () => {
  expect(splitName('paperdozer', lexicon)).toEqual(['paper', 'dozer'])
  expect(splitName('crumb', lexicon)).toEqual(['crumb'])
})

it('one known half is better than none', () => {
  expect(splitName('crumbetta', lexicon)).toEqual(['crumb'])
  expect(splitName('oxcastle', lexicon)).toEqual(['castle'])
  expect(splitName('zzzz', lexicon)).toEqual([])
})
