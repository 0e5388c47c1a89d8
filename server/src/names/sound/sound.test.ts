import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readKnowledge } from '../names.ts'
import { guessSounds } from './letters.ts'
import { respell } from './respell.ts'
import { soundOf } from './sound.ts'

const knowledge = await readKnowledge()

function heard(text: string, more: { native?: string; whole?: string } = {}) {
  const parts = text.split(/[ +]/)
  return soundOf(knowledge, { label: parts.join(''), parts, apart: text.includes(' '), style: 'compound', ...more })
}

test.each([
  ['bread+wheel', 2, 'BRED-weel'],
  ['rolling pin', 3, 'ROH-ling PIN'],
  ['mayfly', 2, 'MAY-fly'],
  ['breadcast', 2, 'BRED-kast'],
  ['iceberg', 2, 'EYESS-berg'],
  ['dutch bike', 2, 'DUHCH BYKE'],
  ['thistle', 2, 'THISS-uhl'],
])('%s is said as the dictionary says its words', (text, syllables, said) => {
  expect(heard(text)).toMatchObject({ syllables, said })
})

test.each([
  ['lumeno', 3, 'loo-MEN-oh'],
  ['verdanta', 3, 'ver-DAN-tuh'],
  ['zyphora', 3, 'zy-FOH-ruh'],
  ['quillow', 2, 'KWIL-oh'],
  ['kombrio', 3, 'KAHM-bree-oh'],
])('%s is in no dictionary and is read by rule', (text, syllables, said) => {
  expect(heard(text)).toMatchObject({ syllables, said })
})

test.each([
  ['paper+dozer', true],
  ['lumeno', true],
  ['kneadful', false],
  ['phlox', false],
  ['fulcrumb', false],
  ['craftello', null],
])('%s: would who hears it write it so? %s', (text, spelledAsHeard) => {
  expect(heard(text)?.spelledAsHeard).toBe(spelledAsHeard)
})

test('a word that a suffix completes is said whole', () => {
  expect(heard('bivou', { whole: 'bivouac' })?.said).toBe('BIV-wak')
})

test('of a name in another script, or of another language, nothing is said', () => {
  for (const text of ['茶', 'über', 'кофе', 'tea4two', 'may-fly']) expect(heard(text)).toBeNull()
  expect(heard('cha', { native: '茶' })).toBeNull()
})

test('whatever letters there are, sounds and syllables come out, one stressed at most', () => {
  const word = fc.string({
    unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(word, (text) => {
      const sounds = guessSounds(text)
      expect(sounds.filter((sound) => sound.endsWith('1')).length).toBeLessThanOrEqual(1)
      expect(respell(sounds)).toMatch(/^(?:[a-z]+|[A-Z]+)?(?:-(?:[a-z]+|[A-Z]+))*$/)
    }),
  )
})
