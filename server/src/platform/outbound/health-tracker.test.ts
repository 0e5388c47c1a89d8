import { expect, test } from 'vitest'
import { createHealthTracker } from './health-tracker.ts'

function open(circuitReason?: () => string | undefined) {
  let at = 1_000
  const health = createHealthTracker({ now: () => at, slowMs: 100, ...(circuitReason ? { circuitReason } : {}) })
  const answer = (times: number, tookMs = 10) => {
    for (let n = 0; n < times; n++) {
      health.ask()
      health.answered(tookMs)
    }
  }
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) {
      health.ask()
      health.failed()
    }
  }
  return { pulse: health, answer, fail, pass: (ms: number) => (at += ms) }
}

test('one that was never asked is well and has answered nothing', () => {
  const { pulse: health } = open()
  expect(health.read()).toEqual({
    state: 'well',
    asked: 0,
    answered: 0,
    failed: 0,
    answeredMs: 0,
    lastAnswerAt: undefined,
    detail: undefined,
  })
})

test('a failure or two among answers is nothing', () => {
  const { pulse: health, answer, fail } = open()
  fail(2)
  expect(health.read().state).toBe('well')
  answer(14)
  fail(1)
  expect(health.read()).toMatchObject({ state: 'well', asked: 17, answered: 14, failed: 3 })
})

test('a fifth of the last questions without an answer is unreliable', () => {
  const { pulse: health, answer, fail } = open()
  answer(16)
  fail(3)
  expect(health.read().state).toBe('well')
  fail(1)
  expect(health.read().state).toBe('unreliable')
  answer(17)
  expect(health.read().state).toBe('well')
})

test('most of the last questions without an answer is failing, and answers make it well again', () => {
  const { pulse: health, answer, fail } = open()
  answer(100)
  fail(11)
  expect(health.read().state).toBe('failing')
  answer(10)
  expect(health.read().state).toBe('unreliable')
  answer(10)
  expect(health.read().state).toBe('well')
})

test('late answers are slow', () => {
  const { pulse: health, answer } = open()
  answer(20, 150)
  expect(health.read().state).toBe('slow')
  answer(20, 50)
  expect(health.read().state).toBe('well')
})

test('who asks for fewer questions rests until then', () => {
  const { pulse: health, answer, pass } = open()
  answer(5)
  health.limited(30_000)
  expect(health.read()).toMatchObject({ state: 'resting', detail: 'rate limited', lastAnswerAt: 1_000 })
  pass(30_000)
  expect(health.read().state).toBe('well')
})

test('who is left alone rests, however well it was', () => {
  let why: string | undefined = 'does not answer'
  const { pulse: health, answer } = open(() => why)
  answer(5)
  expect(health.read()).toMatchObject({ state: 'resting', detail: 'does not answer' })
  why = undefined
  expect(health.read().state).toBe('well')
})

test('a question that was withdrawn was not asked', () => {
  const { pulse: health } = open()
  health.ask()
  health.withdrew()
  expect(health.read()).toMatchObject({ asked: 0, failed: 0 })
})
