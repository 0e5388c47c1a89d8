/**
 * What a budget is worth when Redis is not: killed, empty, or behind the times.
 *
 * Too much is never granted, nobody goes without an answer, and what was hidden comes back when its block ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WIDE_QUOTA } from '../../world.ts'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'
import { openCache, openQuota } from '../../source.ts'
import { openFleet, SHORT } from './fleet.ts'
import { openOwnRedis } from './own-redis.ts'
import type { OwnRedis } from './own-redis.ts'
import { REDIS_TIMEOUT_MS } from '../../redis.ts'

const SLOW = { timeout: 180_000 }

let world: World
let redis: OwnRedis
beforeAll(async () => {
  world = await startApp({ own: true })
  redis = await openOwnRedis()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

test(
  'Redis killed and restarted empty: nothing over the limit, every attempt answered, all of it usable',
  SLOW,
  async () => {
    const limit = 8_000
    const fleet = await openFleet(world, { limit, redisUrl: redis.url })
    const concurrency = 16
    // Each holds after an eighth of its attempts, which are a third of the limit: the rest is for after the kill.
    const run = fleet.spend(4, { attempts: limit, concurrency, sizes: 'mixed', holdAfter: limit / 4 / 8 })
    await fleet.usedAtLeast(limit / 4)
    const before = await fleet.ledger()
    fleet.goOn()
    await redis.kill()
    // Until requests that began after it, and not only those under way, have found their units without Redis.
    await fleet.aloneAtLeast(before.alone + 4 * concurrency + 20)
    await redis.start()
    const tally = await run

    expect(tally.attempts).toBe(limit)
    expect(tally.failures).toEqual({})
    const after = await fleet.ledger()
    expect(after.used).toBe(tally.units)
    expect(after.leased).toBeLessThanOrEqual(limit)
    expect(after.granted).toBeLessThanOrEqual(limit)

    expect(await fleet.spendUpTo(limit, tally.units)).toBe(limit)
    expect(await fleet.ledger()).toMatchObject({ used: limit, granted: limit, leased: limit })
  },
)

test(
  'a Redis that jumps back in time again and again makes no unit twice and is believed no longer',
  SLOW,
  async () => {
    const limit = 6_000
    const fleet = await openFleet(world, { limit, redisUrl: redis.url })
    const client = new Redis(redis.url)
    // Half of the limit, until it has jumped.
    const run = fleet.spend(4, { attempts: 2 * limit, concurrency: 16, sizes: 'ones', holdAfter: limit / 4 / 2 })
    const [key] = await found(() => client.keys(`q:{${fleet.caller.accountId}}:${fleet.caller.keyId}:*`))
    let jumps = 0
    while ((await fleet.ledger()).used < (limit * 3) / 4) {
      const [dump, ttl] = [await client.dumpBuffer(key), await client.pttl(key)]
      await sleep(150)
      if (dump && ttl > 200) {
        await client.restore(key, ttl - 150, dump, 'REPLACE')
        jumps++
      }
      if (jumps > 2) fleet.goOn()
    }
    const tally = await run
    client.disconnect()

    expect(jumps).toBeGreaterThan(2)
    // A caller that got an already spent unit is asked to retry; nobody gets another error. Whether anybody
    // was is a matter of the moment: the next test makes sure of it.
    expect(Object.keys(tally.failures).filter((code) => code !== 'unavailable')).toEqual([])
    const after = await fleet.ledger()
    expect(after.used).toBe(tally.units)
    expect(after.leased).toBeLessThanOrEqual(limit)
    expect(after.granted).toBeLessThanOrEqual(limit)

    expect(await fleet.spendUpTo(limit, tally.units)).toBe(limit)
  },
)

test('a restored block that is long closed is refused once and then replaced', async () => {
  const fleet = await openFleet(world, { limit: 1_000, redisUrl: redis.url })
  const client = new Redis(redis.url)
  const cache = await openCache({ urls: [redis.url], timeoutMs: REDIS_TIMEOUT_MS })
  // As long as SHORT in all, most of it before the block ends: it has to be found before.
  const times = { leaseMs: 6_000, settleMs: SHORT.leaseMs + SHORT.settleMs - 6_000 }
  const till = openQuota({ db: world.db, cache, now: Date.now, times })
  await fleet.spendOne(till)
  const [key] = await found(() => client.keys(`q:{${fleet.caller.accountId}}:${fleet.caller.keyId}:*`))
  const dump = await client.dumpBuffer(key)
  await fleet.settled()
  // The first lease after that closes the block.
  await fleet.spendOne(till)
  await client.restore(key, 60_000, dump ?? '', 'REPLACE')
  const reservation = await till.reserve(fleet.caller, 1)
  const refused = await world.db.as(fleet.caller.accountId, [reservation.spending(1)]).catch((error: unknown) => error)
  expect(await reservation.recordFailedCommit(refused)).toMatchObject({ code: 'unavailable' })
  await reservation[Symbol.asyncDispose]()
  for (let i = 0; i < 20; i++) await fleet.spendOne(till)
  expect((await fleet.ledger()).used).toBe(22)
  await cache.close()
  client.disconnect()
})

test('however many requests went past Redis, what is hidden behind them comes back', async () => {
  // More than a lease closes at once; each is spent to the full, so closing it frees nothing.
  const direct = 2_500
  const hidden = 50
  const fleet = await openFleet(world, { limit: direct + hidden, redisUrl: redis.url })
  const unreachable = await openCache({ urls: ['redis://127.0.0.1:1'], timeoutMs: REDIS_TIMEOUT_MS })
  await fleet.spendOne(openQuota({ db: world.db, cache: unreachable, now: Date.now, times: SHORT }))
  // One such request was made; the others are copies of what it left.
  await world.owner.query(
    `INSERT INTO quota_block SELECT account_id, key_id, gen_random_uuid(), day, granted, used, alone, lease_until, settle_by
     FROM quota_block, generate_series(2, $2) WHERE key_id = $1`,
    [fleet.caller.keyId, direct],
  )
  await world.owner.query('UPDATE quota_period SET leased = $2 WHERE key_id = $1', [fleet.caller.keyId, direct])
  const cache = await openCache({ urls: [redis.url], timeoutMs: REDIS_TIMEOUT_MS })
  // Reserved and then forgotten, as by a node that dies.
  await openQuota({ db: world.db, cache, now: Date.now, times: SHORT }).reserve(fleet.caller, hidden)
  expect(await fleet.ledger()).toMatchObject({ used: direct, leased: direct + hidden })

  await fleet.settled()
  let granted = 0
  for (let i = 0; i < 5 && granted < hidden; i++) {
    granted += (await fleet.spendTheRest()).granted
  }
  // A block that ended in the middle of it has hidden the rest once more.
  expect(await fleet.spendUpTo(hidden, granted)).toBe(hidden)
  await Promise.all([unreachable.close(), cache.close()])
})

async function found(list: () => Promise<string[]>): Promise<[string]> {
  for (;;) {
    const [first] = await list()
    if (first !== undefined) return [first]
    await sleep(10)
  }
}

test('a block that PostgreSQL has lost pays for nothing, and the next request leases a sound one', async () => {
  const account = await world.makeAccount()
  const { secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 1_000 } })
  const caller = await world.keys.verify(secret, { ip: '127.0.0.1', audience: 'v1' })
  const cache = await openCache({ urls: [redis.url], timeoutMs: REDIS_TIMEOUT_MS })
  const quota = openQuota({ db: world.db, cache, now: Date.now })
  const spend = async () => {
    await using reservation = await quota.reserve(caller, 1)
    try {
      await world.db.as(account, [reservation.spending(1)])
    } catch (error) {
      throw await reservation.recordFailedCommit(error)
    }
    reservation.recordCommit(1)
  }
  await spend()
  await world.owner.query('DELETE FROM quota_block WHERE account_id = $1', [account])
  await expect(spend()).rejects.toMatchObject({ code: 'unavailable' })
  await spend()
  const { rows } = await world.owner.query('SELECT used::int FROM quota_block WHERE account_id = $1', [account])
  expect(rows).toEqual([{ used: 1 }])
  await cache.close()
})
