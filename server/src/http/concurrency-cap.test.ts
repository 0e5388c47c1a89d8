import { expect, test } from 'vitest'
import { createConcurrencyCap } from './concurrency-cap.ts'

test('a subject holds as many as it may, others are not affected, and what is released can be taken again', () => {
  const cap = createConcurrencyCap(2)
  const first = cap.take('one')
  expect(cap.take('one')).toBeDefined()
  expect(cap.take('one')).toBeUndefined()
  expect(cap.take('other')).toBeDefined()
  first?.()
  expect(cap.take('one')).toBeDefined()
})

test('releasing twice gives back one', () => {
  const cap = createConcurrencyCap(1)
  const release = cap.take('one')
  release?.()
  release?.()
  expect(cap.take('one')).toBeDefined()
  expect(cap.take('one')).toBeUndefined()
})
