import { expect, test } from 'vitest'
import { isNear, openRisks, soundKey } from './risks.ts'

const LISTS: Readonly<Record<string, string>> = {
  risks:
    'de vulgar: mist puff\nde unlucky: gift\nsv unlucky: gift\nfr vulgar: bite\npl vulgar: osram\nit offensive: stronzo',
  'safety.brands': 'nike\nspotify\n=lyft',
}
const list = openRisks({ text: (name) => LISTS[name] ?? '' })

const found = (label: string, { parts = [label], isWord = false } = {}) =>
  list.risksOf(label, parts, isWord).found.map(({ language, kind, word }) => `${language} ${kind} ${word}`)

test('a good word of one language is found in the others where it is none', () => {
  expect(found('gift', { isWord: true })).toEqual(['de unlucky gift', 'sv unlucky gift'])
})

test('it is found as a part of a name, and not inside an innocent word', () => {
  expect(found('mistral', { parts: ['mistral'] })).toEqual([])
  expect(found('mistgrove', { parts: ['mist', 'grove'] })).toEqual(['de vulgar mist'])
})

test('a longer one is found anywhere in a name', () => {
  expect(found('cosramo')).toEqual(['pl vulgar osram'])
})

test('a coined name is found a letter away, a word that people know is not', () => {
  expect(found('stronso')).toEqual(['it offensive stronzo'])
  expect(found('stronso', { isWord: true })).toEqual([])
})

test('famous names are found by a letter and by sound', () => {
  expect(found('spotifi')).toEqual(['null confusable_brand spotify'])
  expect(found('nyke')).toEqual(['null confusable_brand nike'])
  expect(found('lift', { isWord: true })).toEqual(['null confusable_brand lyft'])
  expect(found('nikolas')).toEqual([])
})

test('it says in how many languages was looked', () => {
  expect(list.risksOf('harbour', ['harbour'], true)).toEqual({ checked: 5, found: [] })
})

test('of a name in other letters it says that nowhere was looked', () => {
  expect(list.risksOf('xn--zckzah', ['xn--zckzah'], false)).toEqual({ checked: 0, found: [] })
})

test.each([
  ['verge', 'verga', true],
  ['verg', 'verga', true],
  ['vergal', 'verga', true],
  ['vrega', 'verga', true],
  ['verga', 'verga', false],
  ['berga', 'verga', false],
  ['vargo', 'verga', false],
])('%s is a letter away from %s: %s', (one, other, is) => {
  expect(isNear(one, other)).toBe(is)
  expect(isNear(other, one)).toBe(is)
})

test('spellings that sound alike have one key', () => {
  for (const [one, other] of [
    ['nyke', 'nike'],
    ['fone', 'phone'],
    ['kwik', 'kwick'],
    ['zentrum', 'centrum'],
  ] as const)
    expect(soundKey(one)).toBe(soundKey(other))
})
