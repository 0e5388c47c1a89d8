/** The budget of one key, spent by four processes at once, is exact. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'
import { openFleet } from './fleet.ts'
import { REDIS_URL } from '../redis.ts'
import { sizeOf } from '../../../scripts/test/tiers.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const ATTEMPTS = sizeOf('quotaAttempts')
const inWords = (count: number) => count.toLocaleString('en')

test(
  `of ${inWords(ATTEMPTS)} attempts by four processes on a limit of ${inWords(ATTEMPTS / 2)} exactly ${inWords(ATTEMPTS / 2)} are granted`,
  { timeout: 240_000 },
  async () => {
    const limit = ATTEMPTS / 2
    const fleet = await openFleet(world, { limit, redisUrl: REDIS_URL })
    const tally = await fleet.spend(4, { attempts: ATTEMPTS, concurrency: 32, sizes: 'ones' })
    expect(tally).toEqual({
      attempts: ATTEMPTS,
      granted: limit,
      units: limit,
      refused: limit,
      givenUp: 0,
      failures: {},
    })
    expect(await fleet.ledger()).toMatchObject({ used: limit, granted: limit, leased: limit })
  },
)

test(
  'requests of many sizes, some failing, never pass the limit, and every unit of it can be used',
  { timeout: 120_000 },
  async () => {
    const limit = 9_000
    const fleet = await openFleet(world, { limit, redisUrl: REDIS_URL })
    const running = { yes: true }
    const highest = watch(running, fleet.ledger)
    const tally = await fleet.spend(4, { attempts: 6_000, concurrency: 16, sizes: 'mixed' })
    running.yes = false
    expect(tally.failures).toEqual({})
    expect(tally.refused).toBeGreaterThan(0)
    expect(tally.givenUp).toBeGreaterThan(0)
    const seen = await highest
    expect(seen.used).toBeGreaterThan(0)
    expect(seen.leased).toBeLessThanOrEqual(limit)
    expect(seen.granted).toBeLessThanOrEqual(limit)
    expect((await fleet.ledger()).used).toBe(tally.units)

    expect(await fleet.spendUpTo(limit, tally.units)).toBe(limit)
    expect(await fleet.ledger()).toMatchObject({ used: limit, granted: limit, leased: limit })
  },
)

async function watch(
  running: { yes: boolean },
  ledger: () => Promise<{ used: number; granted: number; leased: number }>,
) {
  const highest = { used: 0, granted: 0, leased: 0 }
  while (running.yes) {
    const now = await ledger()
    for (const what of ['used', 'granted', 'leased'] as const) highest[what] = Math.max(highest[what], now[what])
  }
  return highest
}
