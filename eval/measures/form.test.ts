import { expect, test } from 'vitest'
import { createRandom } from '../picks.ts'
import { createFluency } from './fluency.ts'
import { createFormReader } from './form-features.ts'
import { formArea } from './form.ts'
import { trainLetters } from './letter-model.ts'

const SYLLABLES = 'ba co di fe ga lo mi na pe ro su ta ve zi lan mor tin sel'.split(' ')

function invent(seed: string, count: number, ending = ''): string[] {
  const random = createRandom(seed)
  const draw = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? ''
  return Array.from({ length: count }, () => draw() + draw() + draw() + ending)
}

const featuresOf = createFormReader(invent('neutral', 200))

test('names made the same way cannot be told apart', () => {
  const area = formArea(invent('one', 200), invent('two', 200), featuresOf)
  expect(area).toBeGreaterThan(0.35)
  expect(area).toBeLessThan(0.65)
})

test('names that all end alike are told apart', () => {
  expect(formArea(invent('one', 200), invent('two', 200, 'ify'), featuresOf)).toBeGreaterThan(0.95)
})

test('what was never seen is less likely than what was', () => {
  const model = trainLetters(['banana', 'bandana', 'cabana'], 3)
  const sum = (word: string) => model.logsOf(word).reduce((total, log) => total + log, 0)
  expect(sum('banana')).toBeGreaterThan(sum('nbaaan'))
  expect(sum('xxxxxx')).toBeGreaterThan(-Infinity)
})

test('the letters after a context are all there is: their probabilities sum to one', () => {
  const model = trainLetters(['banana', 'bandana', 'cabana'], 2)
  const ends = Math.exp(model.logsOf('ban').at(-1) ?? 0)
  const goesOn = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => Math.exp(model.logsOf(`ban${letter}`)[3] ?? 0))
  expect(goesOn.reduce((sum, value) => sum + value, ends)).toBeCloseTo(1, 10)
})

test('fluency is the middle for names like the real ones and the bottom for noise', () => {
  const fluency = createFluency(invent('train', 300), invent('real', 200))
  const alike = fluency.medianOf(invent('ours', 100))
  expect(alike).toBeGreaterThan(35)
  expect(alike).toBeLessThan(65)
  expect(fluency.percentile('xqzkwv')).toBe(0)
})
