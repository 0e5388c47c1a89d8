/**
 * Makes `sounds.txt` in `server/data/names/`: how each word of the vocabulary is said, as the CMU dictionary has it.
 *
 *   node scripts/names/say.ts
 *
 * The file is committed, so the build does not need the dictionary. Run it again after many new words were written; until
 * then a new word is read by rule.
 */
import { writeFileSync } from 'node:fs'
import { dictionary } from 'cmu-pronouncing-dictionary'
import { FOLDER, readLines } from './sources.ts'

const HEAD = `# How words are said: phonemes of the CMU Pronouncing Dictionary, 1 behind the vowel with the main stress. Made by scripts/names/say.ts.
# Copyright (C) 1993-2015 Carnegie Mellon University; the notice is in README.md.
`

const lines = readLines(FOLDER, 'vocabulary.txt').flatMap(({ text }) => {
  const [word = ''] = text.split(' ')
  const found = dictionary[word]
  // Some entries end in a remark.
  return found === undefined ? [] : [`${word} ${found.replace(/ #.*$/, '').replaceAll(/[02]/g, '')}`]
})
writeFileSync(new URL('sounds.txt', FOLDER), `${HEAD}${lines.join('\n')}\n`)
