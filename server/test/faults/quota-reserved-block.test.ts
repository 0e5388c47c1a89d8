/** Units set aside for work that outlives its request: all of them or none, spent piece by piece, the rest put back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError, type Cache, type Caller, openCache, openQuota, type Quota, SCOPES } from '../source.ts'
import { WIDE_QUOTA } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'
import { REDIS_TIMEOUT_MS, REDIS_URL } from '../redis.ts'

const HOUR_MS = 3_600_000

let world: World
let cache: Cache
let quota: Quota
beforeAll(async () => {
  world = await startApp({ own: true })
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
  quota = openQuota({ db: world.db, cache, now: Date.now })
})
afterAll(async () => {
  await cache.close()
  await world[Symbol.asyncDispose]()
})

async function makeCaller(perDay: number): Promise<Caller> {
  const accountId = await world.makeAccount()
  const limits = { ...WIDE_QUOTA, perDay, perMonth: 10 * perDay }
  const { id: keyId } = await world.makeKey(accountId, { quota: limits })
  return { accountId, keyId, scopes: SCOPES, quota: limits, historyDays: null }
}

async function reserveBlock(caller: Caller, units: number, until = Date.now() + HOUR_MS): Promise<string> {
  const block = await world.db.transaction(caller.accountId, (tx) => quota.reserveBlock(tx, caller, units, until))
  if (block instanceof ApiError) throw block
  return block
}

async function spend(caller: Caller, from: Pick<Quota, 'reserve'>, units: number): Promise<void> {
  await using reservation = await from.reserve(caller, units)
  try {
    await world.db.as(caller.accountId, [reservation.spending(units)])
  } catch (error) {
    throw await reservation.recordFailedCommit(error)
  }
  reservation.recordCommit(units)
}

async function ledgerOf({ keyId }: Caller) {
  const { rows } = await world.owner.query<{ used: number; day: number; month: number }>(
    `SELECT (SELECT coalesce(sum(used), 0)::int FROM quota_block WHERE key_id = $1) AS used,
       (SELECT leased::int FROM quota_period WHERE key_id = $1 AND kind = 'day') AS day,
       (SELECT leased::int FROM quota_period WHERE key_id = $1 AND kind = 'month') AS month`,
    [keyId],
  )
  return rows[0]
}

test('what is held is taken from the day and the month, and what is not spent goes back with the end', async () => {
  const caller = await makeCaller(100)
  const block = await reserveBlock(caller, 60)
  expect(await ledgerOf(caller)).toEqual({ used: 0, day: 60, month: 60 })
  await spend(caller, quota.fromReservedBlock(block), 25)
  await spend(caller, quota.fromReservedBlock(block), 10)
  await world.db.as(caller.accountId, quota.releasing(caller, block))
  expect(await ledgerOf(caller)).toEqual({ used: 35, day: 35, month: 35 })
})

test('releasing twice gives back once', async () => {
  const caller = await makeCaller(100)
  const block = await reserveBlock(caller, 60)
  await world.db.as(caller.accountId, quota.releasing(caller, block))
  await world.db.as(caller.accountId, quota.releasing(caller, block))
  expect(await ledgerOf(caller)).toEqual({ used: 0, day: 0, month: 0 })
})

test('more than is left is refused, and nothing is held', async () => {
  const caller = await makeCaller(100)
  await reserveBlock(caller, 60)
  await expect(reserveBlock(caller, 41)).rejects.toMatchObject({ code: 'quota_exceeded' })
  expect(await ledgerOf(caller)).toEqual({ used: 0, day: 60, month: 60 })
  await reserveBlock(caller, 40)
  await expect(spend(caller, quota, 1)).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('nothing is spent beyond what is held, nor after its end', async () => {
  const caller = await makeCaller(100)
  const block = await reserveBlock(caller, 10)
  await spend(caller, quota.fromReservedBlock(block), 10)
  await expect(spend(caller, quota.fromReservedBlock(block), 1)).rejects.toMatchObject({ code: 'unavailable' })
  await world.db.as(caller.accountId, quota.releasing(caller, block))
  await expect(spend(caller, quota.fromReservedBlock(block), 1)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await ledgerOf(caller)).toEqual({ used: 10, day: 10, month: 10 })
})

test('a transaction that is taken back holds nothing', async () => {
  const caller = await makeCaller(100)
  const failing = world.db.transaction(caller.accountId, async (tx) => {
    await quota.reserveBlock(tx, caller, 60, Date.now() + HOUR_MS)
    throw new ApiError('invalid_request')
  })
  await expect(failing).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await ledgerOf(caller)).toEqual({ used: 0, day: null, month: null })
})

test('work that never ends gives back when its time is over, to the next who leases', async () => {
  const caller = await makeCaller(100)
  const block = await reserveBlock(caller, 60, Date.now() - 1)
  await spend(caller, quota.fromReservedBlock(block), 5)
  await reserveBlock(caller, 95)
  expect(await ledgerOf(caller)).toEqual({ used: 5, day: 100, month: 100 })
})

test('holding, spending and releasing of many at once leave exactly what was spent', async () => {
  const caller = await makeCaller(2_000)
  const work = async (n: number) => {
    const block = await reserveBlock(caller, 40)
    await Promise.all([spend(caller, quota.fromReservedBlock(block), n), spend(caller, quota, 3)])
    await world.db.as(caller.accountId, quota.releasing(caller, block))
  }
  await Promise.all(Array.from({ length: 30 }, (_, n) => work(n)))
  const spent = (30 * 29) / 2 + 30 * 3
  const ledger = await ledgerOf(caller)
  expect(ledger?.used).toBe(spent)
  const { rows } = await world.owner.query<{ open: number }>(
    `SELECT coalesce(sum(granted - used), 0)::int AS open FROM quota_block WHERE key_id = $1 AND closed_at IS NULL`,
    [caller.keyId],
  )
  expect(ledger?.day).toBe(spent + (rows[0]?.open ?? 0))
})
