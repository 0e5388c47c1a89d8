import { expect, it } from 'vitest'
import { align, soundsOf, syllablesOf } from './sounds.ts'

const split = (word: string) => {
  const cuts = align(word, soundsOf(word)!)
  return cuts.slice(1).map((end, at) => word.slice(cuts[at], end))
}

it.each([
  ['placement', 'p l a ce m e n t'],
  ['beacon', 'b ea c o n'],
  ['serenade', 's e r e n a de'],
  ['causeway', 'c au se w ay'],
  ['lightning', 'l igh t n i ng'],
] as const)('the letters of %s fall to its phonemes', (word, expected) => {
  expect(split(word).join(' ')).toBe(expected)
})

it('every letter falls to one phoneme, whatever the spelling', () => {
  for (const word of ['knight', 'colonel', 'rendezvous', 'queue', 'boxing', 'choir'])
    expect(split(word).join('')).toBe(word)
})

it('syllables take the consonants that can begin a word', () => {
  expect(syllablesOf(soundsOf('beacon')!)).toEqual([0, 2])
  expect(syllablesOf(soundsOf('extra')!)).toEqual([0, 2])
})

it('a phrase sounds like its words, and an unknown word like nothing', () => {
  expect(soundsOf('roll call')).toEqual(['R', 'OW', 'L', 'K', 'AA', 'L'])
  expect(soundsOf('placemint')).toBeUndefined()
})
