import { expect, test } from 'vitest'
import { partsOf } from './name-parts.ts'

test('a name of several words has those words', () => {
  expect(partsOf('Penny Farthing', 'The phrase “penny farthing”.')).toEqual(['penny', 'farthing'])
  expect(partsOf('DutchBike')).toEqual(['dutch', 'bike'])
})

test('a word of the rationale that is in the name is a part of it', () => {
  expect(partsOf('Fulcrumb', 'fulcrum + crumb · from “bakery”')).toEqual(['fulcrum', 'crumb'])
  expect(partsOf('Ovenbird', '“ovenbird”: bird with a clay oven nest')).toEqual(['oven', 'bird'])
})

test('a name that is one word is its own part', () => {
  expect(partsOf('Levain', '“levain”, a word from another language.')).toEqual(['levain'])
  expect(partsOf('Io')).toEqual([])
})
