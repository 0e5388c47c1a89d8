/** The written knowledge is well formed, as large as the pages say, and every cross-reference in it leads somewhere. */
import { expect, it } from 'vitest'
import { readConcept, readIntent } from '../../server/src/names/knowledge/patterns.ts'
import { FOLDER, readAspects, readFolder, readLines } from './sources.ts'

const { aspects, mistakes } = readAspects(FOLDER)
const heads = new Set(aspects.map(({ head }) => head))
const perLanguage = (folder: string) =>
  [...Map.groupBy(readFolder(FOLDER, folder), ({ file }) => file)]
    .map(([, lines]) => lines.filter(({ text }) => !text.startsWith('@')).length)
    .filter((count) => count > 0)

it('no line is malformed and no aspect stands twice', () => {
  expect(mistakes).toEqual([])
})

it('there are six thousand aspects with twenty associations each, no association twice in one', () => {
  expect(aspects.length).toBeGreaterThanOrEqual(6000)
  expect(aspects.filter(({ entries }) => entries.length < 20).map(({ head }) => head)).toEqual([])
})

it('headwords are known in twenty other languages, and fifteen have names of their own', () => {
  expect(perLanguage('languages').filter((count) => count >= 850).length).toBeGreaterThanOrEqual(20)
  expect(perLanguage('native').filter((count) => count >= 300).length).toBeGreaterThanOrEqual(15)
})

it('there are 400 concepts and 60 intents, and every concept leads to aspects that exist', () => {
  const concepts = readLines(FOLDER, 'concepts.txt').map(({ text }) => readConcept(text))
  expect(concepts.length).toBeGreaterThanOrEqual(400)
  expect(concepts.filter(({ triggers, aspects: led }) => triggers.length === 0 || led.length < 2)).toEqual([])
  const lost = concepts.flatMap(({ name, aspects: led }) =>
    led.filter((head) => !heads.has(head)).map((head) => `${name}: ${head}`),
  )
  expect(lost).toEqual([])
  const intents = readLines(FOLDER, 'intents.txt').map(({ text }) => readIntent(text))
  expect(intents.length).toBeGreaterThanOrEqual(60)
  expect(intents.filter(({ triggers, tails }) => triggers.length === 0 || tails.length < 5)).toEqual([])
})

it('every word of another language belongs to an aspect', () => {
  for (const folder of ['languages', 'native']) {
    const lines = readFolder(FOLDER, folder).filter(({ text }) => !text.startsWith('@'))
    expect(lines.filter(({ text }) => !heads.has(text.slice(0, text.indexOf(': ')))).map(({ where }) => where)).toEqual(
      [],
    )
  }
})
