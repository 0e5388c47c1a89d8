import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClock } from './clock.ts'
import type { Db } from './db.ts'

const HOUR = 3_600_000

/** A database whose clock differs by `aheadMs` and that responds after `lateMs`. */
function databaseAt(aheadMs: number, lateMs = 0): Pick<Db, 'find'> {
  return {
    async find() {
      const ms = String(Date.now() + aheadMs)
      if (lateMs > 0) await sleep(lateMs)
      return { rows: [{ ms }], count: 1 } as never
    },
  }
}

test.each([HOUR, -HOUR])(
  "a database %i ms ahead is followed, and its machine's clock is told to be wrong",
  async (ahead) => {
    const told: number[] = []
    const clock = createClock((aheadMs) => told.push(aheadMs))
    await clock.follow(databaseAt(ahead))
    clock.close()
    expect(Math.abs(clock.now() - Date.now() - ahead)).toBeLessThan(1_000)
    expect(told).toHaveLength(1)
  },
)

test('an answer that agrees moves nothing, however late it is', async () => {
  const clock = createClock(() => {})
  const before = clock.now() - Date.now()
  await clock.follow(databaseAt(0, 400))
  clock.close()
  expect(Math.abs(clock.now() - Date.now() - before)).toBeLessThan(20)
})

test('where the database is away it is the time of the machine', async () => {
  const clock = createClock(() => {})
  await clock.follow({ find: () => Promise.reject(new Error('away')) })
  clock.close()
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(20)
})
