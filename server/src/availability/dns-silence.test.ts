import { expect, test } from 'vitest'
import { createSilences } from './dns-silence.ts'

const late = { suffix: 'com', at: -1 }
const questions = Array.from({ length: 20 }, (_, at) => ({ suffix: 'com', at }))

function silent() {
  const silences = createSilences<typeof late>()
  silences.begin(late)
  return silences
}

test('who answers is not held up, nor is anybody else', () => {
  const silences = createSilences()
  for (const question of questions) expect(silences.hold(question)).toBe(false)
  silences.begin({ suffix: 'net' })
  for (const question of questions) expect(silences.hold(question)).toBe(false)
})

test('of a silent suffix a few are sent, and one more for each that ends', () => {
  const silences = silent()
  expect(questions.map((question) => silences.hold(question)).filter((isHeld) => !isHeld)).toHaveLength(7)
  expect(silences.leave(questions[19]!)).toBeUndefined()
  expect(silences.leave(late)).toBe(questions[7])
  silences.hold(questions[7]!)
  expect(silences.leave(questions[1]!)).toBe(questions[8])
})

test('with the first answer all may go', () => {
  const silences = silent()
  for (const question of questions) silences.hold(question)
  expect([...silences.end('com')]).toEqual(questions.slice(7))
  expect(silences.hold(questions[0]!)).toBe(false)
})

test('a silence nobody waits in is forgotten', () => {
  const silences = silent()
  for (const question of questions.slice(0, 3)) silences.hold(question)
  for (const question of [late, ...questions.slice(0, 3)]) silences.leave(question)
  for (const question of questions) expect(silences.hold(question)).toBe(false)
})
