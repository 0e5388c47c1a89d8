/** GET /v1/usage: by key and by account, by day, and always what the ledger says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, fieldsOf } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { WIDE_QUOTA } from '../world.ts'
import type { AccountId, Node, World } from '../world.ts'

const DAY_MS = 86_400_000
const WIDE_LIMITS = { per_minute: WIDE_QUOTA.perMinute, burst: WIDE_QUOTA.burst, per_day: null, per_month: null }
const UNLIMITED_LEFT = { day: null, month: null }
const NO_LIMITS = {
  names_per_day: null,
  names_per_month: null,
  requests_per_minute: null,
  checks_per_day: null,
  keys: null,
  webhooks: null,
  applications: null,
  running_batches: null,
  open_streams: null,
  history_bytes: null,
  batch_bytes: null,
  answer_bytes: null,
  favorites: null,
}
const NO_CHECKS = { today: 0, left: null }

let world: World
let node: Node
let other: Node
beforeAll(async () => {
  world = await startApp()
  ;[node, other] = await Promise.all([world.startNode(), world.startNode()])
})
afterAll(() => world[Symbol.asyncDispose]())

const dayAgo = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
const usageOf = async (key: string, query = '', at = node) => {
  const answer = await at.call(`/v1/usage${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data.usage
}
const generate = (key: string, count: number, at = node, more: Record<string, unknown> = {}) =>
  at.call('/v1/generate', { key, body: { description: 'a bakery', count, deadline_ms: 30_000, ...more } })

/** The blocks themselves, past the code under test. */
async function ledger(account: AccountId, keyId?: string): Promise<number> {
  const { rows } = await world.owner.query<{ used: number }>(
    'SELECT coalesce(sum(used), 0)::int AS used FROM quota_block WHERE account_id = $1 AND ($2::uuid IS NULL OR key_id = $2)',
    [account, keyId],
  )
  return rows[0]?.used ?? Number.NaN
}

/** As a day leaves the ledger: one block that was closed, and perhaps one of a key that was never called again. */
async function useEarlier(account: AccountId, keyId: string, day: string, { closed = 0, open = 0 }): Promise<void> {
  const granted = closed + (open > 0 ? open + 7 : 0)
  await world.owner.query(
    `INSERT INTO quota_period (account_id, key_id, kind, starts_on, leased)
     VALUES ($1, $2, 'day', $3, $4), ($1, $2, 'month', date_trunc('month', $3::date), $4)
     ON CONFLICT (account_id, key_id, kind, starts_on) DO UPDATE SET leased = quota_period.leased + excluded.leased`,
    [account, keyId, day, granted],
  )
  const insert = `INSERT INTO quota_block (account_id, key_id, id, day, granted, used, lease_until, settle_by, closed_at)
                  VALUES ($1, $2, gen_random_uuid(), $3, $4, $5, $3::date + 1, $3::date + 1, $6)`
  if (closed > 0) await world.owner.query(insert, [account, keyId, day, closed, closed, day])
  if (open > 0) await world.owner.query(insert, [account, keyId, day, open + 7, open, null])
}

describe('what was used', () => {
  test('is zero for a new key, on each of 31 days', async () => {
    const { id, secret } = await world.makeKey(await world.makeAccount())
    const days = Array.from({ length: 31 }, (_, ago) => ({ day: dayAgo(ago), suggestions: 0 }))
    expect(await usageOf(secret)).toEqual({
      key: { id, days, today: 0, this_month: 0, left: UNLIMITED_LEFT, limits: WIDE_LIMITS },
      account: { days, today: 0, this_month: 0, left: UNLIMITED_LEFT, checks: NO_CHECKS, limits: NO_LIMITS },
    })
  })

  test('is what was returned, at once and exactly, and the rest is left', async () => {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 100, perMonth: 1000 } })
    for (const [count, sum] of [
      [3, 3],
      [1, 4],
      [20, 24],
    ] as const) {
      expect((await generate(key, count)).status).toBe(200)
      for (const at of [node, other]) {
        const usage = await usageOf(key, '?days=1', at)
        expect(usage.key).toMatchObject({ today: sum, this_month: sum, left: { day: 100 - sum, month: 1000 - sum } })
        expect(usage.key.days).toEqual([{ day: dayAgo(0), suggestions: sum }])
        expect(usage.account).toMatchObject({ days: usage.key.days, today: sum, this_month: sum })
      }
    }
  })

  test('has nothing of a request that failed, was refused or came back empty', async () => {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 10 } })
    expectError(await generate(key, 5, node, { include_words: ['zzqqxx'], max_length: 3 }), 422, 'no_names')
    expectError(await generate(key, 11), 429, 'quota_exceeded')
    expect((await generate(key, 5, node, { max_price: 0.01 })).json.data.suggestions).toEqual([])
    expect((await usageOf(key)).key).toMatchObject({ today: 0, left: { day: 10, month: null } })
  })

  test('is told for each key apart and for the account together, also of keys that are no more', async () => {
    const account = await world.makeAccount()
    const [one, two] = [await world.makeKey(account), await world.makeKey(account)]
    await generate(one.secret, 2)
    await generate(two.secret, 5)
    await world.keys.revoke(account, two.id)
    const usage = await usageOf(one.secret)
    expect(usage.key).toMatchObject({ id: one.id, today: 2 })
    expect(usage.account).toMatchObject({ today: 7, this_month: 7 })
  })

  test('has nothing of another account', async () => {
    const [mine, theirs] = [
      await world.makeKey(await world.makeAccount()),
      await world.makeKey(await world.makeAccount()),
    ]
    await generate(theirs.secret, 3)
    expect((await usageOf(mine.secret)).account.today).toBe(0)
  })

  test('goes back as many days as were asked for, newest first, and the month is whole all the same', async () => {
    const account = await world.makeAccount()
    const quota = { ...WIDE_QUOTA, perMonth: 1_000 }
    const { id, secret: key } = await world.makeKey(account, { quota })
    for (const ago of [1, 2, 30, 61, 62]) await useEarlier(account, id, dayAgo(ago), { closed: 10, open: ago })
    await generate(key, 4)
    const usedOn = (ago: number) => (ago === 0 ? 4 : [1, 2, 30, 61].includes(ago) ? 10 + ago : 0)
    const days = Array.from({ length: 62 }, (_, ago) => ({ day: dayAgo(ago), suggestions: usedOn(ago) }))
    const month = dayAgo(0).slice(0, 7)
    const thisMonth = days.filter(({ day }) => day.startsWith(month)).reduce((sum, one) => sum + one.suggestions, 0)
    for (const asked of [1, 2, 31, 62]) {
      const { key: used, account: whole } = await usageOf(key, `?days=${asked}`)
      expect(used).toEqual({
        id,
        days: days.slice(0, asked),
        today: 4,
        this_month: thisMonth,
        left: { day: null, month: 1_000 - thisMonth },
        limits: { ...WIDE_LIMITS, per_month: 1_000 },
      })
      expect(whole.days).toEqual(used.days)
    }
  })

  test('of many requests of many sizes at two nodes is what they returned, and what the blocks say', async () => {
    const account = await world.makeAccount()
    const keys = [
      await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 120 } }),
      await world.makeKey(account, { quota: { ...WIDE_QUOTA, perMonth: 5_000 } }),
    ] as const
    const returned = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const [key, at] = [keys[i % 3 === 0 ? 1 : 0], i % 2 === 0 ? node : other]
        // One in five finds nothing at all, and some find less than they reserved.
        const more: { max_price?: number; deadline_ms?: number } =
          i % 5 === 0 ? { max_price: 0.01 } : i % 7 === 0 ? { deadline_ms: 100 } : {}
        const answer = await generate(key.secret, 1 + (i % 9), at, more)
        // Who has 100 ms may be refused before any work: the queue for names is longer than that.
        expect([200, 422, 429, ...(more.deadline_ms === undefined ? [] : [503])]).toContain(answer.status)
        return { id: key.id, units: answer.status === 200 ? answer.json.data.suggestions.length : 0 }
      }),
    )
    const sumOf = (id?: string) =>
      returned.reduce((sum, one) => sum + (id === undefined || one.id === id ? one.units : 0), 0)
    expect(sumOf(keys[0].id)).toBeGreaterThan(60)
    for (const { id, secret } of keys) {
      const usage = await usageOf(secret)
      expect(usage.key.today).toBe(sumOf(id))
      expect(usage.key.today).toBe(await ledger(account, id))
      expect(usage.account.today).toBe(sumOf())
    }
    expect(await ledger(account)).toBe(sumOf())
    expect((await usageOf(keys[0].secret)).key.left).toEqual({ day: 120 - sumOf(keys[0].id), month: null })
  })

  test('stays the same when blocks end and are closed', async () => {
    const account = await world.makeAccount()
    const { id, secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 1_000 } })
    await generate(key, 7)
    await world.owner.query(
      `UPDATE quota_block SET lease_until = now() - interval '1 second', settle_by = now() - interval '1 second'
       WHERE account_id = $1`,
      [account],
    )
    expect((await usageOf(key)).key.today).toBe(7)
    // Its block in Redis holds 43 more; the next lease closes it.
    for (const at of [node, other]) await generate(key, 44, at, { only_available: false })
    const { rows } = await world.owner.query('SELECT 1 FROM quota_block WHERE key_id = $1 AND closed_at IS NOT NULL', [
      id,
    ])
    expect(rows).toHaveLength(1)
    expect((await usageOf(key)).key.today).toBe(await ledger(account, id))
  })
})

describe('a request for usage', () => {
  test('needs the scope usage:read', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount(), { scopes: ['generate', 'history:read'] })
    expectError(await node.call('/v1/usage', { key }), 403, 'insufficient_scope')
    expectError(await node.call('/v1/usage'), 401, 'missing_token')
  })

  test('is refused for days that there cannot be', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount())
    for (const [query, code] of [
      ['days=0', '?days too_small'],
      ['days=63', '?days too_large'],
      ['days=a', '?days wrong_type'],
      ['day=1', '?day unknown_field'],
    ] as const) {
      const refusal = expectError(await node.call(`/v1/usage?${query}`, { key }), 400, 'invalid_request')
      expect(fieldsOf(refusal)).toEqual([code])
    }
  })
})
