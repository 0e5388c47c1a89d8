import { expect, test } from 'vitest'
import { freePlaces, reservedOf } from './queue-classes.ts'

test('free places go to the highest lane, and no lane can take those of another', () => {
  const none = { interactive: 0, batch: 0, background: 0 }
  expect(reservedOf(3)).toBe(1)
  expect(reservedOf(24)).toBe(3)
  expect(freePlaces(8, none, 'batch')).toBe(6)
  expect(freePlaces(8, { ...none, batch: 6 }, 'batch')).toBe(0)
  expect(freePlaces(8, { ...none, batch: 6 }, 'interactive')).toBe(1)
  expect(freePlaces(8, { interactive: 1, batch: 6, background: 0 }, 'background')).toBe(1)
  expect(freePlaces(8, { interactive: 7, batch: 0, background: 0 }, 'batch')).toBe(0)
  expect(freePlaces(8, { interactive: 6, batch: 0, background: 0 }, 'batch')).toBe(1)
  for (let places = 3; places <= 40; places++) {
    const running = { ...none }
    for (const queueClass of ['batch', 'interactive', 'background'] as const)
      running[queueClass] += freePlaces(places, running, queueClass)
    expect(running.interactive + running.batch + running.background).toBe(places)
    expect(Math.min(...Object.values(running))).toBeGreaterThan(0)
  }
})
