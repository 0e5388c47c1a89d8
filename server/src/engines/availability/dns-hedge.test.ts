import { expect, test } from 'vitest'
import { createHedge } from './dns-hedge.ts'

function learned(...tookMs: number[]) {
  const hedge = createHedge()
  for (let index = 0; index < 512; index++) hedge.learn(tookMs[index % tookMs.length] ?? 0)
  return hedge
}

test('late is later than 95 of 100 recent answers', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 50 + index)
  expect(learned(...hundred).delayMs()).toBeGreaterThan(140)
  expect(learned(...hundred).delayMs()).toBeLessThan(149)
})

test('never sooner than 20 ms and never later than 300 ms, which is also where it starts', () => {
  expect(createHedge().delayMs()).toBe(300)
  expect(learned(1).delayMs()).toBe(20)
  expect(learned(2000).delayMs()).toBe(300)
})

test('twenty questions earn one more, and a quiet hour earns no crowd', () => {
  const hedge = createHedge()
  expect(hedge.spend()).toBe(false)
  for (let index = 0; index < 21; index++) hedge.earn()
  expect([hedge.spend(), hedge.spend()]).toEqual([true, false])
  for (let index = 0; index < 10_000; index++) hedge.earn()
  let spent = 0
  while (hedge.spend()) spent += 1
  expect(spent).toBe(10)
})
