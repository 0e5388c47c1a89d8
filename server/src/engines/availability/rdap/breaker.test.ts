import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { RdapFinding } from './answer.ts'
import { createBreaker } from './breaker.ts'

const OPEN_MS = 100
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const open = () => createBreaker({ failures: 3, now: Date.now, openMs: OPEN_MS })
const find = (finding: RdapFinding) => async () => finding

test('three failures in a row open it, and nothing is let through', async () => {
  const breaker = open()
  for (let i = 0; i < 3; i++) expect(await breaker.execute(find('broken'))).toBe('broken')
  expect(breaker.isOpen()).toBe(true)
  await expect(breaker.execute(find('absent'))).rejects.toThrow()
})

test('an answer of any kind in between starts the count again', async () => {
  const breaker = open()
  for (const finding of ['broken', 'broken', 'malformed', 'broken', 'limited', 'broken', 'broken'] as const) {
    await breaker.execute(find(finding))
  }
  expect(breaker.isOpen()).toBe(false)
})

test('after a while one question decides whether it closes or stays open', async () => {
  const breaker = open()
  for (let i = 0; i < 3; i++) await breaker.execute(find('broken'))
  vi.advanceTimersByTime(OPEN_MS)
  expect(breaker.isOpen()).toBe(false)
  expect(await breaker.execute(find('broken'))).toBe('broken')
  expect(breaker.isOpen()).toBe(true)
  vi.advanceTimersByTime(OPEN_MS)
  expect(await breaker.execute(find('absent'))).toBe('absent')
  expect(breaker.isOpen()).toBe(false)
})
