import { expect, test } from 'vitest'
import { parityOf } from './parity.ts'
import { makeScale, relevanceOf, specificityOf, type Judged } from './relevance.ts'

// A judge that goes by shared letters at the start: enough to plant what is near and what is not.
const similarity = (a: string, b: string) => (a.slice(0, 3).toLowerCase() === b.slice(0, 3).toLowerCase() ? 0.9 : 0.1)

const judged = (description: string, ...names: string[]): Judged => ({
  description,
  names: names.map((name) => [name]),
})
const founders = [
  judged('bread', 'Breville'),
  judged('tea', 'Teapost'),
  judged('ships', 'Shipyard'),
  judged('maps', 'Mapbox'),
]
const strangers = founders.flatMap(({ names }) => names)
const scale = makeScale(founders, strangers, similarity)

test('the width of the scale is from other companies to the own', () => {
  expect(scale.width).toBeCloseTo(0.8, 10)
})

test('names like strangers have relevance 0, names as near as the own have 1', () => {
  expect(relevanceOf([judged('zinc', 'Quux', 'Xyz')], scale, similarity)).toBeCloseTo(0, 10)
  expect(relevanceOf([judged('zinc', 'Zinco', 'Zinca')], scale, similarity)).toBeCloseTo(1, 10)
  expect(relevanceOf([judged('zinc', 'Zinco', 'Quux')], scale, similarity)).toBeCloseTo(0.5, 10)
})

test('of two readings of a name the nearer one counts', () => {
  const answer = { description: 'zinc', names: [['Azinc', 'Zinc A']] }
  expect(relevanceOf([answer], scale, similarity)).toBeCloseTo(1, 10)
})

test('the same names for every description are not specific, own names are', () => {
  const same = ['bread', 'tea', 'ships'].map((description) => judged(description, 'Breville', 'Quux'))
  expect(specificityOf(same, scale, similarity)).toBeCloseTo(0, 10)
  expect(specificityOf(founders, scale, similarity)).toBeCloseTo(1, 10)
})

test('parity is 1 for equal answers, 0 for strangers and for no names at all', () => {
  const english = [judged('zinc', 'Zinco')]
  expect(parityOf(english, english, scale.strangers, similarity)).toBeCloseTo(1, 10)
  expect(parityOf(english, [judged('zinc', 'Quux')], scale.strangers, similarity)).toBeCloseTo(0, 10)
  expect(parityOf(english, [judged('zinc')], scale.strangers, similarity)).toBe(0)
})
