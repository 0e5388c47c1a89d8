import { expect, test } from 'vitest'
import { missingIn, namesOfTiers } from './names.ts'

test('a test that is gone is found, also where another of its name is left', () => {
  expect(missingIn(['a', 'b'], ['a', 'b', 'b', 'c'], {})).toEqual(['b', 'c'])
})

test('a renamed test is not gone, unless its new name is', () => {
  expect(missingIn(['new'], ['old'], { old: 'new' })).toEqual([])
  expect(missingIn([], ['old'], { old: 'new' })).toEqual(['old'])
  expect(missingIn(['new'], ['old', 'older'], { old: 'new', older: 'new' })).toEqual([])
})

test('what is in both tiers counts once', () => {
  expect(namesOfTiers(['a', 'of 5'], ['a', 'of 9'])).toEqual(['a', 'of 5', 'of 9'])
})
