import { expect, test } from 'vitest'
import { createPulse } from './pulse.ts'

function open(rests?: () => string | undefined) {
  let at = 1_000
  const pulse = createPulse({ now: () => at, slowMs: 100, ...(rests ? { rests } : {}) })
  const answer = (times: number, tookMs = 10) => {
    for (let n = 0; n < times; n++) {
      pulse.ask()
      pulse.answered(tookMs)
    }
  }
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) {
      pulse.ask()
      pulse.failed()
    }
  }
  return { pulse, answer, fail, pass: (ms: number) => (at += ms) }
}

test('one that was never asked is well and has answered nothing', () => {
  const { pulse } = open()
  expect(pulse.read()).toEqual({
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
  const { pulse, answer, fail } = open()
  fail(2)
  expect(pulse.read().state).toBe('well')
  answer(10)
  fail(4)
  expect(pulse.read()).toMatchObject({ state: 'well', asked: 16, answered: 10, failed: 6 })
})

test('most of the last questions without an answer is failing, and answers make it well again', () => {
  const { pulse, answer, fail } = open()
  answer(100)
  fail(11)
  expect(pulse.read().state).toBe('failing')
  answer(12)
  expect(pulse.read().state).toBe('well')
})

test('late answers are slow', () => {
  const { pulse, answer } = open()
  answer(20, 150)
  expect(pulse.read().state).toBe('slow')
  answer(20, 50)
  expect(pulse.read().state).toBe('well')
})

test('who asks for fewer questions rests until then', () => {
  const { pulse, answer, pass } = open()
  answer(5)
  pulse.limited(30_000)
  expect(pulse.read()).toMatchObject({ state: 'resting', detail: 'asks for fewer questions', lastAnswerAt: 1_000 })
  pass(30_000)
  expect(pulse.read().state).toBe('well')
})

test('who is left alone rests, however well it was', () => {
  let why: string | undefined = 'does not answer'
  const { pulse, answer } = open(() => why)
  answer(5)
  expect(pulse.read()).toMatchObject({ state: 'resting', detail: 'does not answer' })
  why = undefined
  expect(pulse.read().state).toBe('well')
})

test('a question that was withdrawn was not asked', () => {
  const { pulse } = open()
  pulse.ask()
  pulse.withdrew()
  expect(pulse.read()).toMatchObject({ asked: 0, failed: 0 })
})
