import { expect, test } from 'vitest'
import { createLane } from './lane.ts'
import type { Lane, Priority } from './lane.ts'

function laneOf(limit: number) {
  const clock = { at: 0 }
  return { lane: createLane({ limit: () => limit, now: () => clock.at }), clock }
}

/** Comes in as often as it is let, and says how often that was. */
function fill(lane: Lane, priority: Priority, subject?: string): number {
  for (let entered = 0; ; entered++) {
    if (lane.refusalOf(priority, subject)) return entered
    lane.enter(subject)
  }
}

test('bulk stops first, then normal, and the last fifth is for what is critical', () => {
  const { lane } = laneOf(100)
  expect(fill(lane, 'bulk')).toBe(60)
  expect(lane.refusalOf('bulk', undefined)).toBe('full')
  expect(fill(lane, 'normal')).toBe(20)
  expect(lane.refusalOf('normal', undefined)).toBe('full')
  expect(fill(lane, 'critical')).toBe(20)
  expect(lane.refusalOf('critical', undefined)).toBe('full')
})

test('the smallest limit still lets one of each in', () => {
  for (const priority of ['bulk', 'normal', 'critical'] as const) expect(fill(laneOf(1).lane, priority)).toBe(1)
})

test('an account that is alone has all of it', () => {
  expect(fill(laneOf(100).lane, 'critical', 'ada')).toBe(100)
  expect(fill(laneOf(100).lane, 'normal', 'ada')).toBe(80)
})

test.each(['normal', 'critical'] as const)(
  'one that takes %s work without end leaves room for the normal work of another',
  (priority) => {
    const { lane } = laneOf(100)
    lane.enter('grace').leave()
    const taken = fill(lane, priority, 'ada')
    expect(taken).toBe(64)
    expect(lane.refusalOf(priority, 'ada')).toBe('share')
    expect(fill(lane, 'normal', 'grace')).toBe(16)
  },
)

test('who was turned away counts as here, so that the next time there is room', () => {
  const { lane, clock } = laneOf(100)
  const places = Array.from({ length: 80 }, () => lane.enter('ada'))
  expect(lane.refusalOf('normal', 'grace')).toBe('full')
  for (const place of places.slice(0, 10)) place.leave()
  expect(lane.refusalOf('normal', 'ada')).toBe('share')
  expect(lane.refusalOf('normal', 'grace')).toBeUndefined()
  clock.at = 3_000
  expect(lane.refusalOf('normal', 'ada')).toBeUndefined()
})

test('whoever holds no more than a share is let in until it is full', () => {
  const { lane } = laneOf(100)
  const accounts = Array.from({ length: 10 }, (_, i) => `account ${i}`)
  for (const account of accounts) lane.enter(account)
  for (let round = 0; round < 20; round++) {
    for (const account of accounts) if (!lane.refusalOf('normal', account)) lane.enter(account)
  }
  expect(lane.inFlight).toBe(80)
})

test('a place is left once, however often it is said, and can be given a name later', () => {
  const { lane } = laneOf(10)
  const place = lane.enter(undefined)
  place.belongsTo('ada')
  place.belongsTo('grace')
  expect(place.subject).toBe('ada')
  place.leave()
  place.leave()
  expect(lane.inFlight).toBe(0)
  place.belongsTo('ada')
  expect(fill(lane, 'critical', 'ada')).toBe(10)
})
