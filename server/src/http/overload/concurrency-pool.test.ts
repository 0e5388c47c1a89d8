import { expect, test } from 'vitest'
import { createConcurrencyPool } from './concurrency-pool.ts'
import type { ConcurrencyPool, Priority } from './concurrency-pool.ts'

function poolOf(limit: number) {
  const clock = { at: 0 }
  return { pool: createConcurrencyPool({ limit: () => limit, now: () => clock.at }), clock }
}

/** Enters until the pool refuses, and returns how often it entered. */
function fill(pool: ConcurrencyPool, priority: Priority, subject?: string): number {
  for (let entered = 0; ; entered++) {
    if (pool.refusalOf(priority, subject)) return entered
    pool.enter(subject)
  }
}

test('bulk stops first, then normal, and the last fifth is for what is critical', () => {
  const { pool } = poolOf(100)
  expect(fill(pool, 'bulk')).toBe(60)
  expect(pool.refusalOf('bulk', undefined)).toBe('full')
  expect(fill(pool, 'normal')).toBe(20)
  expect(pool.refusalOf('normal', undefined)).toBe('full')
  expect(fill(pool, 'critical')).toBe(20)
  expect(pool.refusalOf('critical', undefined)).toBe('full')
})

test('the smallest limit still lets one of each in', () => {
  for (const priority of ['bulk', 'normal', 'critical'] as const) expect(fill(poolOf(1).pool, priority)).toBe(1)
})

test('an account that is alone has all of it', () => {
  expect(fill(poolOf(100).pool, 'critical', 'ada')).toBe(100)
  expect(fill(poolOf(100).pool, 'normal', 'ada')).toBe(80)
})

test.each(['normal', 'critical'] as const)(
  'one that takes %s work without end leaves room for the normal work of another',
  (priority) => {
    const { pool } = poolOf(100)
    pool.enter('grace').leave()
    const taken = fill(pool, priority, 'ada')
    expect(taken).toBe(64)
    expect(pool.refusalOf(priority, 'ada')).toBe('share')
    expect(fill(pool, 'normal', 'grace')).toBe(16)
  },
)

test('who was turned away counts as here, so that the next time there is room', () => {
  const { pool, clock } = poolOf(100)
  const places = Array.from({ length: 80 }, () => pool.enter('ada'))
  expect(pool.refusalOf('normal', 'grace')).toBe('full')
  for (const place of places.slice(0, 10)) place.leave()
  expect(pool.refusalOf('normal', 'ada')).toBe('share')
  expect(pool.refusalOf('normal', 'grace')).toBeUndefined()
  clock.at = 3_000
  expect(pool.refusalOf('normal', 'ada')).toBeUndefined()
})

test('whoever holds no more than a share is let in until it is full', () => {
  const { pool } = poolOf(100)
  const accounts = Array.from({ length: 10 }, (_, i) => `account ${i}`)
  for (const account of accounts) pool.enter(account)
  for (let round = 0; round < 20; round++) {
    for (const account of accounts) if (!pool.refusalOf('normal', account)) pool.enter(account)
  }
  expect(pool.inFlight).toBe(80)
})

test('a place is left once, however often it is said, and can be given a name later', () => {
  const { pool } = poolOf(10)
  const place = pool.enter(undefined)
  place.belongsTo('ada')
  place.belongsTo('grace')
  expect(place.subject).toBe('ada')
  place.leave()
  place.leave()
  expect(pool.inFlight).toBe(0)
  place.belongsTo('ada')
  expect(fill(pool, 'critical', 'ada')).toBe(10)
})

test('one subject has as many places as it may, however empty the pool is', () => {
  const { pool } = poolOf(100)
  for (let at = 0; at < 3; at++) pool.enter('ada')
  expect(pool.refusalOf('normal', 'ada', 4)).toBeUndefined()
  expect(pool.refusalOf('normal', 'ada', 3)).toBe('share')
  expect(pool.refusalOf('normal', 'grace', 3)).toBeUndefined()
})

test('where shares are counted, what one account has above its share makes the pool full for no other', () => {
  const pool = createConcurrencyPool({ limit: () => 10, now: () => 0, countsShares: true })
  // Let in while their bodies were on the way.
  for (let at = 0; at < 30; at++) pool.enter('greedy')
  expect(pool.refusalOf('critical', 'greedy')).toBeDefined()
  for (let at = 0; at < 5; at++) {
    expect(pool.refusalOf('critical', 'modest')).toBeUndefined()
    expect(pool.refusalOf('critical', undefined)).toBeUndefined()
    pool.enter('modest')
  }
  expect(pool.refusalOf('critical', 'modest')).toBeDefined()
  expect(pool.refusalOf('critical', undefined)).toBe('full')
})
