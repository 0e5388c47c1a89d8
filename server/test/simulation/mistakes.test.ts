/** The simulation finds what it is there for: each of these mistakes is one that somebody has made. */
import { describe, expect, test } from 'vitest'
import type { Cache } from '../../src/platform/cache/cache.ts'
import { isViolationOf } from '../../src/platform/db/db.ts'
import type { Db, Statement } from '../../src/platform/db/db.ts'
import { revokingSpec } from './revoking.ts'
import { findMistake, STEPS } from './seeds.ts'
import { midnightSpec, spendingSpec } from './spending.ts'
import { deliverySpec } from './telling.ts'
import { play } from './world.ts'
import type { Plant, ScenarioSpec } from './world.ts'

const MAX_SEEDS = 1_000

/** Another script in the place of the one that has this in it. */
function instead(
  part: string,
  run: (cache: Cache, ...asked: Parameters<Cache['run']>) => ReturnType<Cache['run']>,
): Plant {
  return {
    cache: (cache) => ({
      ...cache,
      run: (lua, keys, args) => (lua.includes(part) ? run(cache, lua, keys, args) : cache.run(lua, keys, args)),
    }),
  }
}

const GROWS = `redis.call('HINCRBY', KEYS[1], 'left', ARGV[2])\nelse`
const TAKES = `redis.call('HINCRBY', KEYS[1], 'left', -wanted)`

/** Statements of this name leave the commit they belong to. */
function apart(
  name: string,
  after: (db: Db, one: Statement, account: Parameters<Db['as']>[0]) => Promise<unknown>,
): Plant {
  return {
    db: (db) => ({
      ...db,
      async as(acting, statements) {
        const [alone] = statements.filter((one) => one.name === name)
        if (!alone) return db.as(acting, statements)
        const answers = await db.as(
          acting,
          statements.filter((one) => one !== alone),
        )
        await after(db, alone, acting)
        return answers as never
      },
    }),
  }
}

/** What a statement answers, made worse. */
function answering(name: string, worse: (row: object) => object): Plant {
  const change = <R>(of: string, rows: { rows: readonly R[]; count: number }) =>
    of === name ? { ...rows, rows: rows.rows.map((row) => worse(row as object) as R) } : rows
  return {
    db: (db) => ({
      ...db,
      transaction: (acting, work) =>
        db.transaction(acting, (tx) => work({ run: async (one) => change(one.name, await tx.run(one)) })),
    }),
  }
}

const MISTAKES: readonly (readonly [string, RegExp, () => ScenarioSpec, Plant])[] = [
  [
    'a refill that sets what is left and loses what was there',
    /Redis has .* that are left|not all came back/,
    spendingSpec,
    instead(GROWS, (cache, lua, keys, args) =>
      cache.run(lua.replace(GROWS, `redis.call('HSET', KEYS[1], 'left', ARGV[2])\nelse`), keys, args),
    ),
  ],
  [
    'units that are read in one step and taken in another',
    /Redis has .* that are left|handed out more/,
    spendingSpec,
    instead(TAKES, async (cache, lua, keys, args) => {
      const read = lua.replace(TAKES, 'left - wanted')
      const answer = await cache.run(read, keys, args)
      if (answer[1] === 1)
        await cache.run(`redis.call('HSET', KEYS[1], 'left', ARGV[1]) return {}`, keys, [answer[2] ?? 0])
      return answer
    }),
  ],
  [
    'a spend outside of the commit',
    /were paid for and|was refused and is recorded/,
    spendingSpec,
    apart('quota_block_spend', (db, one, acting) => db.as(acting, [one])),
  ],
  [
    'a claim that is believed as proof',
    /has two effects|another answer/,
    midnightSpec,
    apart('idempotent_store', (db, one, acting) =>
      db.as(acting, [one]).catch((error: unknown) => {
        if (!isViolationOf(error, 'idempotent_once')) throw error
      }),
    ),
  ],
  [
    'a key that is remembered without a look at the changes',
    /admitted .* after it was revoked/,
    revokingSpec,
    {
      db: (db) => ({
        ...db,
        find: async (one) => (one.name === 'key_change_recent' ? { ...(await db.find(one)), rows: [] } : db.find(one)),
      }),
    },
  ],
  [
    'a webhook that is sent to by two at once',
    /arrived after one that came about later/,
    deliverySpec,
    answering('webhook_hold', (row) => ({ ...row, busy_until: null })),
  ],
  [
    'a webhook that is given back without another look',
    /left lying/,
    deliverySpec,
    answering('delivery_next', () => ({ at: null })),
  ],
  [
    'a webhook that counts on a job which is about to run',
    /left lying/,
    deliverySpec,
    answering('webhook_hold', (row) =>
      'busy_until' in row && row.busy_until instanceof Date ? { ...row, wake_at: row.busy_until } : row,
    ),
  ],
]

describe('seeds find', () => {
  test.each(MISTAKES)('%s', { timeout: 600_000 }, async (_, said, spec, plant) => {
    const found = await findMistake(spec, plant, MAX_SEEDS)
    expect(found?.broken).toMatch(said)
  })
})

test('a seed is one schedule, however often it is played', { timeout: 60_000 }, async () => {
  for (const spec of [spendingSpec, midnightSpec, revokingSpec, deliverySpec]) {
    const [once, again, other] = [await play(spec, 7, STEPS), await play(spec, 7, STEPS), await play(spec, 8, STEPS)]
    expect(again.trace).toEqual(once.trace)
    expect(other.trace).not.toEqual(once.trace)
  }
})
