import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createBreaker } from './breaker.ts'
import type { ModelOutcome } from './outcome.ts'

const OPEN_MS = 40
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const give = (outcome: ModelOutcome) => async () => ({ outcome })

async function failed(times: number) {
  const breaker = createBreaker(OPEN_MS)
  for (let i = 0; i < times; i++) await breaker.execute(1_000, give('late'))
  return breaker
}

test('after five failures nothing is asked for a while; then one is let through, and nobody waits for it', async () => {
  const breaker = await failed(5)
  expect(await breaker.execute(1_000, give('answered'))).toBeUndefined()
  vi.advanceTimersByTime(OPEN_MS)
  const probe = Promise.withResolvers<{ outcome: ModelOutcome }>()
  const tried = breaker.execute(1_000, () => probe.promise)
  expect(await breaker.execute(1_000, give('answered'))).toBeUndefined()
  probe.resolve({ outcome: 'answered' })
  expect(await tried).toEqual({ outcome: 'answered' })
  expect(await breaker.execute(1_000, give('answered'))).toEqual({ outcome: 'answered' })
})

test('one that fails when it is let through keeps the others out again', async () => {
  const breaker = await failed(5)
  vi.advanceTimersByTime(OPEN_MS)
  expect(await breaker.execute(1_000, give('refused'))).toEqual({ outcome: 'refused' })
  expect(await breaker.execute(1_000, give('answered'))).toBeUndefined()
})

test('a caller who hangs up says nothing about the model, neither good nor bad', async () => {
  const breaker = await failed(4)
  expect(await breaker.execute(1_000, give('hung_up'))).toEqual({ outcome: 'hung_up' })
  expect(await breaker.execute(1_000, give('late'))).toEqual({ outcome: 'late' })
  expect(await breaker.execute(1_000, give('answered'))).toBeUndefined()
})

test.each(['malformed', 'declined', 'no_names'] as const)('%s is no failure of the server', async (outcome) => {
  const breaker = createBreaker(OPEN_MS)
  for (let i = 0; i < 9; i++) expect(await breaker.execute(1_000, give(outcome))).toEqual({ outcome })
})
