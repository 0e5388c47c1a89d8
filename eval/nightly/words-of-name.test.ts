import { expect, test } from 'vitest'
import { createDictionary } from '../dictionary.ts'
import { createReader, lettersOf } from '../words-of-name.ts'

const counts = new Map([
  ['lend', 900],
  ['table', 5000],
  ['pay', 9000],
  ['dove', 400],
  ['sunrise', 800],
  ['sun', 9000],
  ['rise', 3000],
  ['ail', 3],
])
const wordsOf = createReader(createDictionary(new Set(counts.keys()), counts))

test('parts count as words when they spell the name', () => {
  expect(wordsOf({ name: 'Mansadove', parts: ['mansa', 'dove'] })).toEqual(['mansa', 'dove'])
})

test('the source words of a blend are not seen by a reader', () => {
  expect(wordsOf({ name: 'Placemint', parts: ['placement', 'mint'] })).toEqual(['placemint'])
})

test('written breaks are kept', () => {
  expect(wordsOf({ name: 'Miyagi Labs' })).toEqual(['miyagi', 'labs'])
  expect(wordsOf({ name: 'OpenInvest' })).toEqual(['open', 'invest'])
  expect(wordsOf({ name: 'AIBrain' })).toEqual(['ai', 'brain'])
})

test('one word of two common words is read as two, whoever made it', () => {
  expect(wordsOf({ name: 'Lendtable' })).toEqual(['lend', 'table'])
  expect(wordsOf({ name: 'Paydove', parts: ['pay', 'dove'] })).toEqual(wordsOf({ name: 'Paydove' }))
})

test('a dictionary word and a rare split stay whole', () => {
  expect(wordsOf({ name: 'Sunrise' })).toEqual(['sunrise'])
  expect(wordsOf({ name: 'Payail' })).toEqual(['payail'])
})

test('letters are plain', () => {
  expect(lettersOf('Portão 3')).toBe('portao3')
})
