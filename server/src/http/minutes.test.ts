import { expect, test } from 'vitest'
import { createMinutes } from './minutes.ts'

function open() {
  let at = 1_000 * 60_000
  const minutes = createMinutes(() => at)
  return {
    minutes,
    pass: (count: number) => (at += count * 60_000),
    call: (times: number, failed = 0) => {
      for (let i = 0; i < times; i++) minutes.note(i < failed)
    },
  }
}

test('without a call there is nothing to count', () => {
  const { minutes, pass } = open()
  pass(30)
  expect(minutes.read()).toEqual({ counted: 0, down: 0 })
})

test('one in twenty is still up, and one more is down', () => {
  const { minutes, call, pass } = open()
  call(20, 1)
  pass(1)
  call(20, 2)
  expect(minutes.read()).toEqual({ counted: 2, down: 1 })
})

test('what is an hour ago is forgotten, and its place is used again', () => {
  const { minutes, call, pass } = open()
  call(1, 1)
  pass(59)
  expect(minutes.read()).toEqual({ counted: 1, down: 1 })
  pass(1)
  expect(minutes.read()).toEqual({ counted: 0, down: 0 })
  call(3)
  expect(minutes.read()).toEqual({ counted: 1, down: 0 })
})
