/**
 * Tests the limits with simulated arrivals: one server that handles requests one after the other, and behind it a
 * registry that delays each of them at no cost. Time is a number.
 */
import { describe, expect, test } from 'vitest'
import {
  CALM,
  createConcurrencyPool,
  createFixedLimit,
  createPressureLimit,
  createQueueLimit,
  MAX_LIMIT,
  MIN_LIMIT,
  type ConcurrencyLimit,
  type PoolPlace,
} from './concurrency-pool.ts'

const SERVED_MS = 10
const CAPACITY = 1_000 / SERVED_MS
const BEARABLE_MS = 250
const PATIENCE_MS = 1_000
const READ_MS = 100

interface Outcome {
  /** Answered before the caller's timeout, per second. */
  readonly goodput: number
  readonly shed: number
  readonly longestMs: number
}

interface Scene {
  /** Arrivals per second, by the time in ms. */
  readonly rate: (at: number) => number
  readonly seconds: number
  readonly registryMs?: number
  readonly servedMs?: (at: number) => number
}

/** Simulates the queue that a request waits in, and reads it every tenth of a second as a node does. */
function simulate(
  limit: ConcurrencyLimit<unknown>,
  learn: (line: { at: number; inFlight: number; length: number; eachMs: number }) => void,
  { rate, seconds, registryMs = 0, servedMs = () => SERVED_MS }: Scene,
) {
  let at = 0
  const pool = createConcurrencyPool({ limit: () => limit.value, now: () => at })
  const line: { came: number; place: PoolPlace }[] = []
  const waiting: { came: number; until: number; place: PoolPlace }[] = []
  const answers: { at: number; tookMs: number }[] = []
  const sheds: number[] = []
  let busyUntil = 0
  let owed = 0
  for (; at < seconds * 1_000; at++) {
    owed += rate(at) / 1_000
    for (; owed >= 1; owed--) {
      if (pool.refusalOf('critical', undefined)) sheds.push(at)
      else line.push({ came: at, place: pool.enter(undefined) })
    }
    while (busyUntil <= at && line.length > 0) {
      const [first] = line.splice(0, 1)
      if (!first) break
      busyUntil = at + servedMs(at)
      waiting.push({ ...first, until: busyUntil + registryMs })
    }
    for (let i = waiting.length - 1; i >= 0; i--) {
      const one = waiting[i]
      if (!one || one.until > at) continue
      one.place.leave()
      answers.push({ at, tookMs: at - one.came })
      waiting.splice(i, 1)
    }
    if (at % READ_MS === 0) learn({ at, inFlight: pool.inFlight, length: line.length, eachMs: servedMs(at) })
  }
  return {
    between(from: number, to: number): Outcome {
      const within = answers.filter((one) => one.at >= from * 1_000 && one.at < to * 1_000)
      const inTime = within.filter(({ tookMs }) => tookMs <= PATIENCE_MS + registryMs)
      return {
        goodput: inTime.length / (to - from),
        shed: sheds.filter((one) => one >= from * 1_000 && one < to * 1_000).length,
        longestMs: Math.max(...within.map(({ tookMs }) => tookMs)),
      }
    },
  }
}

function withQueue(scene: Scene) {
  const limit = createQueueLimit({ bearableMs: BEARABLE_MS })
  return simulate(limit, (reading) => limit.learn(reading), scene)
}

function withPressure(scene: Scene) {
  const limit = createPressureLimit()
  return simulate(
    limit,
    ({ at, inFlight, length, eachMs }) => limit.learn({ at, inFlight, pressure: (length * eachMs) / BEARABLE_MS }),
    scene,
  )
}

const threefold = (at: number) => (at < 5_000 ? CAPACITY / 2 : at < 25_000 ? CAPACITY * 3 : CAPACITY / 2)

test('without a limit threefold load leaves nothing that comes in time', () => {
  const none = simulate(createFixedLimit(Infinity), () => {}, { rate: threefold, seconds: 30 })
  expect(none.between(10, 25).goodput).toBe(0)
})

describe.each([
  ['a line that is counted', withQueue],
  ['a delay that is only felt', withPressure],
])('%s', (_, run) => {
  test('half the load is let in whole', () => {
    const outcome = run({ rate: () => CAPACITY / 2, seconds: 10 }).between(0, 10)
    expect(outcome.shed).toBe(0)
  })

  test('threefold load gets nine tenths of what can be done, in time, and is forgotten within a second', () => {
    const outcome = run({ rate: threefold, seconds: 30 })
    expect(outcome.between(7, 25).goodput).toBeGreaterThanOrEqual(0.9 * CAPACITY)
    expect(outcome.between(7, 25).longestMs).toBeLessThanOrEqual(500)
    expect(outcome.between(26, 30).shed).toBe(0)
    expect(outcome.between(26, 30).longestMs).toBeLessThanOrEqual(100)
  })

  test('threefold load from the first moment does not collapse either', () => {
    const outcome = run({ rate: () => CAPACITY * 3, seconds: 10 })
    expect(outcome.between(0, 2).goodput).toBeGreaterThanOrEqual(0.5 * CAPACITY)
    expect(outcome.between(3, 10).goodput).toBeGreaterThanOrEqual(0.9 * CAPACITY)
  })

  test('a registry that takes five seconds is no reason to turn anybody away', () => {
    const outcome = run({ rate: () => CAPACITY * 0.8, seconds: 30, registryMs: 5_000 })
    expect(outcome.between(0, 30).shed).toBe(0)
    expect(outcome.between(10, 30).goodput).toBeGreaterThanOrEqual(0.79 * CAPACITY)
  })

  test('threefold load behind a slow registry still gets most of what can be done', () => {
    const outcome = run({ rate: () => CAPACITY * 3, seconds: 40, registryMs: 2_000 })
    expect(outcome.between(15, 40).goodput).toBeGreaterThanOrEqual(0.8 * CAPACITY)
  })

  test('what takes twice as long from one moment to the next is followed', () => {
    const servedMs = (at: number) => (at < 10_000 ? SERVED_MS : SERVED_MS * 2)
    const outcome = run({ rate: () => CAPACITY * 1.5, seconds: 20, servedMs })
    expect(outcome.between(12, 20).goodput).toBeGreaterThanOrEqual(0.45 * CAPACITY)
    expect(outcome.between(12, 20).longestMs).toBeLessThanOrEqual(700)
  })
})

test('a felt limit stays between its ends, whatever is read', () => {
  const limit = createPressureLimit()
  for (let at = 0; at < 60_000; at += READ_MS) limit.learn({ at, inFlight: 10_000, pressure: 50 })
  expect(limit.value).toBe(MIN_LIMIT)
  for (let at = 60_000; at < 120_000; at += READ_MS) limit.learn({ at, inFlight: 10_000, pressure: 0.1 })
  expect(limit.value).toBe(MAX_LIMIT)
})

test('a node that does nothing lets a rush in as before, a few seconds after the last one', () => {
  const limit = createPressureLimit()
  limit.learn({ at: 0, inFlight: 40, pressure: 3 })
  expect(limit.value).toBe(MIN_LIMIT)
  for (let at = READ_MS; at <= 5_000; at += READ_MS) limit.learn({ at, inFlight: 0, pressure: 0.5 })
  expect(limit.value).toBe(CALM)
})

test('one long pause cuts once, not once for every look at it', () => {
  const limit = createPressureLimit()
  limit.learn({ at: 0, inFlight: 400, pressure: 5 })
  const cut = limit.value
  limit.learn({ at: 100, inFlight: 280, pressure: 5 })
  expect(limit.value).toBe(cut)
})

test('a line that is full of work of others still leaves a few places', () => {
  const limit = createQueueLimit({ bearableMs: BEARABLE_MS })
  limit.learn({ inFlight: 0, length: 500, eachMs: 10 })
  expect(limit.value).toBeGreaterThanOrEqual(1)
  limit.learn({ inFlight: 3, length: 0, eachMs: 0 })
  expect(limit.value).toBe(Infinity)
})
