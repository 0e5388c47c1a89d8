import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import {
  CHANGED_FOR_MS,
  DROPPING_AFTER_MS,
  ENDING_BEFORE_MS,
  EVERY_MS,
  FIRST_PAUSE_MS,
  MAX_PAUSE_MS,
  nextCheck,
  OVER_AFTER_MS,
  needsExpiryDate,
} from './schedule.ts'
import type { Paced } from './schedule.ts'

const NOW = Date.parse('2026-08-01T00:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLACK = 1.1

function factsOf(more: Partial<Paced> = {}): Paced {
  return {
    domain: 'mayfly.com' as Domain,
    available: false,
    changedAt: undefined,
    registeredUntil: undefined,
    lapsedAt: undefined,
    expiryAskedAt: undefined,
    failures: 0,
    ...more,
  }
}
const pauseOf = (more: Partial<Paced>, now = NOW) => nextCheck(factsOf(more), now) - now
/** Within a tenth, more or less. */
const expectEvery = (pause: number, everyMs: number) => expect(Math.abs(pause / everyMs - 1)).toBeLessThanOrEqual(0.1)

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })
// Includes values that no clock or registry should report.
const moments = fc.oneof(
  fc.integer({ min: NOW - 500 * DAY_MS, max: NOW + 4_000 * DAY_MS }),
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -1),
)
const anyFacts: fc.Arbitrary<Paced> = fc.record({
  domain: fc.domain().map((text) => text as Domain),
  available: maybe(fc.boolean()),
  changedAt: maybe(moments),
  registeredUntil: maybe(moments),
  lapsedAt: maybe(moments),
  expiryAskedAt: maybe(moments),
  failures: fc.nat(),
})

test('whatever is known, the next look comes after this one and within a week and a tenth', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const next = nextCheck(facts, NOW)
      expect(Number.isInteger(next)).toBe(true)
      expect(next).toBeGreaterThanOrEqual(NOW + FIRST_PAUSE_MS * 0.9)
      expect(next).toBeLessThanOrEqual(NOW + EVERY_MS.settled * SLACK)
    }),
  )
})

test('the same facts at the same time give the same answer, at any time one that is still to come', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat({ max: 400 * DAY_MS }), (facts, laterMs) => {
      expect(nextCheck(facts, NOW)).toBe(nextCheck({ ...facts }, NOW))
      expect(nextCheck(facts, NOW + laterMs)).toBeGreaterThan(NOW + laterMs)
    }),
  )
})

test('each look that tells nothing makes the pause longer, up to half a day', () => {
  fc.assert(
    fc.property(anyFacts, fc.integer({ min: 1, max: 100 }), (facts, failures) => {
      const after = (times: number) => nextCheck({ ...facts, failures: times }, NOW) - NOW
      expect(after(failures + 1)).toBeGreaterThanOrEqual(after(failures))
      expect(after(failures)).toBeLessThanOrEqual(MAX_PAUSE_MS * SLACK)
    }),
  )
  expectEvery(pauseOf({ failures: 1 }), FIRST_PAUSE_MS)
  expectEvery(pauseOf({ failures: 50 }), MAX_PAUSE_MS)
})

test('no registration gets near its end unseen: looks are at most 6.6 hours apart from three days before to 80 after', () => {
  fc.assert(
    fc.property(fc.domain(), fc.integer({ min: -300, max: 80 }), (name, daysAfter) => {
      const end = NOW - daysAfter * DAY_MS
      const facts = factsOf({ domain: name as Domain, registeredUntil: end })
      const next = nextCheck(facts, NOW)
      if (NOW < end - ENDING_BEFORE_MS) {
        expect(next).toBeLessThanOrEqual(Math.max(NOW + EVERY_MS.ending * SLACK, end - ENDING_BEFORE_MS))
      } else if (NOW < end + OVER_AFTER_MS) {
        expect(next - NOW).toBeLessThanOrEqual(EVERY_MS.ending * SLACK)
      }
    }),
  )
})

test('the table', () => {
  expectEvery(pauseOf({ changedAt: NOW - CHANGED_FOR_MS + 1 }), EVERY_MS.changed)
  expectEvery(pauseOf({ available: true, changedAt: NOW - CHANGED_FOR_MS }), EVERY_MS.available)
  expectEvery(pauseOf({}), EVERY_MS.unknownExpiry)
  expectEvery(pauseOf({ registeredUntil: NOW + 100 * DAY_MS }), EVERY_MS.settled)
  expect(pauseOf({ registeredUntil: NOW + 5 * DAY_MS })).toBe(2 * DAY_MS)
  expectEvery(pauseOf({ registeredUntil: NOW + ENDING_BEFORE_MS }), EVERY_MS.ending)
  expectEvery(pauseOf({ registeredUntil: NOW - DROPPING_AFTER_MS + 1 }), EVERY_MS.ending)
  expectEvery(pauseOf({ registeredUntil: NOW - DROPPING_AFTER_MS }), EVERY_MS.dropping)
  expectEvery(pauseOf({ registeredUntil: NOW - OVER_AFTER_MS }), EVERY_MS.unknownExpiry)
})

test('a registration that was renewed on its last day may still drop: it is watched as if it had ended', () => {
  const renewed = { registeredUntil: NOW + 300 * DAY_MS, lapsedAt: NOW - 60 * DAY_MS }
  expectEvery(pauseOf(renewed), EVERY_MS.dropping)
  expectEvery(pauseOf({ ...renewed, lapsedAt: NOW - OVER_AFTER_MS }), EVERY_MS.settled)
})

test('100,000 names that were looked at in the same minute are spread over more than a day the next time', () => {
  const perMinute = new Map<number, number>()
  for (let n = 0; n < 100_000; n++) {
    const next = nextCheck(factsOf({ domain: `name-${n}.com` as Domain, registeredUntil: NOW + 200 * DAY_MS }), NOW)
    const minute = Math.floor(next / 60_000)
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1)
  }
  // 20 % of a week is 2,016 minutes, so 50 each on average.
  expect(perMinute.size).toBeGreaterThan(1_900)
  expect(Math.max(...perMinute.values())).toBeLessThan(150)
})

test('the end is asked for where nobody knows it, then monthly; around the last day daily; never of a free name', () => {
  expect(needsExpiryDate(factsOf(), NOW)).toBe(true)
  expect(needsExpiryDate(factsOf({ expiryAskedAt: NOW - 29 * DAY_MS }), NOW)).toBe(false)
  expect(needsExpiryDate(factsOf({ expiryAskedAt: NOW - 30 * DAY_MS }), NOW)).toBe(true)
  const ending = { registeredUntil: NOW + DAY_MS }
  expect(needsExpiryDate(factsOf({ ...ending, expiryAskedAt: NOW - 23 * HOUR_MS }), NOW)).toBe(false)
  expect(needsExpiryDate(factsOf({ ...ending, expiryAskedAt: NOW - 24 * HOUR_MS }), NOW)).toBe(true)
  expect(needsExpiryDate(factsOf({ available: true }), NOW)).toBe(false)
})
