/**
 * Is the memory like the real thing? Random lives of keys, budgets, answers and webhooks are led on a real PostgreSQL and
 * a real Redis, and every statement and every script is asked of the memory, too. And where two transactions meet, the
 * real ones are let meet in the same way.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCache } from '../../src/platform/cache/cache.ts'
import type { Cache } from '../../src/platform/cache/cache.ts'
import { sql, sqlStateOf } from '../../src/platform/db/db.ts'
import type { Db, Statement } from '../../src/platform/db/db.ts'
import { ApiError } from '../../src/errors.ts'
import { openHistory } from '../../src/library/history/history.ts'
import { openIdempotency } from '../../src/platform/idempotency/idempotency.ts'
import { openKeys } from '../../src/tenancy/keys/keys.ts'
import type { AccountId, Caller, KeyId } from '../../src/model/caller.ts'
import { makeId } from '../../src/model/id.ts'
import { UNLIMITED } from '../../src/model/plan.ts'
import { spendFrom } from '../../src/tenancy/quota/block.ts'
import { openQuota } from '../../src/tenancy/quota/quota.ts'
import { openWebhooks } from '../../src/automation/webhooks/webhooks.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'
import { createMemoryRedis } from './memory-cache.ts'
import { createMemoryPostgres } from './memory-db.ts'
import { mirrorCache, mirrorDb } from './mirror.ts'
import { STATEMENTS } from './statements/all.ts'
import { REDIS_TIMEOUT_MS, REDIS_URL } from '../redis.ts'

let world: World
let cache: Cache
beforeAll(async () => {
  world = await openWorld()
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
})
afterAll(async () => {
  await cache.close()
  await world[Symbol.asyncDispose]()
})

/** Never twice the same moment, as PostgreSQL's microseconds are not. */
function createClock(): () => number {
  let last = 0
  return () => (last = Math.max(last + 1, Date.now()))
}

async function openMirror() {
  const differences: string[] = []
  const differs = (what: string) => void differences.push(what)
  const memory = createMemoryPostgres({ now: createClock(), statements: STATEMENTS })
  const db = mirrorDb(world.db, memory, differs)
  const mirrored = mirrorCache(cache, createMemoryRedis(Date.now), differs)
  const account = await world.makeAccount()
  return { differences, memory, db, cache: mirrored, account }
}

const expected = (error: unknown) => {
  if (!(error instanceof ApiError) && sqlStateOf(error) === '') throw error
}

const step = fc.record({
  what: fc.constantFrom(
    'reserve',
    'reserve',
    'keep',
    'keep',
    'overspend',
    'hold',
    'release',
    'admit',
    'answer',
    'replay',
    'forget',
  ),
  key: fc.nat(1),
  units: fc.integer({ min: 1, max: 12 }),
  which: fc.nat(3),
})

describe('the memory answers as the real one', { timeout: 300_000 }, () => {
  test('in random lives of budgets and idempotent answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { differences, memory, db, cache: mirrored, account } = await openMirror()
        await world.owner.query('INSERT INTO account_plan (account_id, names_per_day) VALUES ($1, $2)', [account, 60])
        memory.set('account_plan', account, { account_id: account, names_per_day: 60, names_per_month: null })
        const now = Date.now
        const quota = openQuota({ db, cache: mirrored, now })
        const idempotency = openIdempotency({ db, cache: mirrored, now })
        const history = openHistory({ db, now })
        const limits = { perMinute: 60, burst: 5, perDay: 40, perMonth: 70 }
        const callers = [0, 1].map((): Caller => ({
          accountId: account,
          keyId: randomUUID() as KeyId,
          scopes: [],
          quota: limits,
          plan: { ...UNLIMITED, namesPerDay: 60, requestsPerMinute: 12 },
          historyDays: 3,
        }))
        const held: { caller: Caller; block: string }[] = []
        for (const { what, key, units, which } of steps) {
          const caller = callers[key] ?? callers[0]
          if (!caller) continue
          try {
            if (what === 'admit') await quota.admit(caller)
            else if (what === 'hold') {
              // Over already or not for long, so that no two clocks can disagree.
              const block = await db.transaction(account, (tx) =>
                quota.reserveBlock(tx, caller, units, now() + (which === 0 ? -1_000 : 3_600_000)),
              )
              if (typeof block === 'string') held.push({ caller, block })
            } else if (what === 'release') {
              const one = held[which]
              if (one) await db.as(account, quota.releasing(one.caller, one.block))
            } else if (what === 'overspend') {
              await db.as(account, [spendFrom(caller, held[which]?.block ?? randomUUID(), units * 5)])
            } else if (what === 'forget') await quota.forget(account, [caller.keyId])
            else {
              await using attempt = await idempotency.begin(account, {
                key: `k${which}`,
                operation: 'POST',
                body: `${units % 2}`,
                maxDurationMs: 60_000,
              })
              if (attempt.answered) continue
              await using reservation = await quota.reserve(caller, units)
              const entry = { description: 'a shop', count: units, language: 'en', options: '{}', suggestions: '[]' }
              const stored =
                what === 'answer' || what === 'replay'
                  ? attempt.storing({ status: 200, headers: { a: 'b' }, body: 'text' })
                  : []
              const spent = what === 'reserve' ? 0 : Math.min(units, which + 1)
              await db.as(account, [...history.recording(caller, entry), ...stored, reservation.spending(spent)])
              reservation.recordCommit(spent)
            }
          } catch (error) {
            expected(error)
          }
        }
        await quota.forget(
          account,
          callers.map(({ keyId }) => keyId),
        )
        // Whatever was begun and not waited for.
        await db.as(account, [])
        expect(differences).toEqual([])
      }),
      { numRuns: 30, seed: 4 },
    )
  })

  test('in random lives of keys', async () => {
    const deed = fc.record({ what: fc.constantFrom('create', 'verify', 'verify', 'revoke', 'wrong'), which: fc.nat(2) })
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 25 }), async (deeds) => {
        const { differences, db, account } = await openMirror()
        // The memory knows only this life, and others have changed keys in the same seconds.
        const find: Db['find'] = (one) => (one.name === 'key_change_recent' ? world.db : db).find(one)
        const made: { id: KeyId; secret: string }[] = []
        for (const { what, which } of deeds) {
          // Another one each time, so that nothing is remembered.
          const keys = openKeys({ db: { ...db, find }, now: Date.now })
          const one = made[which]
          const at = { ip: '192.0.2.1', audience: 'v1' as const }
          try {
            if (what === 'create') {
              const quota = { perMinute: 60, burst: 2, perDay: null, perMonth: 9 }
              made.push(await keys.create(account, { name: 'test', scopes: ['generate'], quota, allowedIps: [] }))
            } else if (one && what === 'verify') await keys.verify(one.secret, at)
            else if (one && what === 'revoke') await keys.revoke(account, one.id)
            else if (what === 'wrong')
              await keys.verify((await import('../../src/model/credential-text.ts')).makeSecret(), at)
          } catch (error) {
            expected(error)
          } finally {
            keys.close()
          }
        }
        expect(differences).toEqual([])
      }),
      { numRuns: Math.ceil((30 * 2) / 3), seed: 4 },
    )
  })

  test('in random lives of webhooks', async () => {
    const deed = fc.record({
      what: fc.constantFrom(
        'tell',
        'tell',
        'claim',
        'due',
        'due',
        'taken',
        'taken',
        'refused',
        'release',
        'forgotten',
        'wait',
      ),
      subject: fc.constantFrom(null, 'first', 'second'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 6, maxLength: 40 }), async (deeds) => {
        const { differences, memory, db, account } = await openMirror()
        let at = Date.now()
        const now = () => at
        const send = () => Promise.reject(new Error('nothing is sent'))
        const webhooks = openWebhooks({ db, secrets: ['secret'], allowed: [], send, now, random: () => 0.5 })
        const id = makeId(at)
        const secret = webhooks.seal.close('whsec_c2VjcmV0', `${account} ${id}`)
        await world.owner.query(
          `INSERT INTO webhook (account_id, id, created_at, url, events, secret) VALUES ($1, $2, now(), 'https://example.com/', '{favorite.taken}', $3)`,
          [account, id, secret],
        )
        const none = {
          failing_since: null,
          old_secret: null,
          old_secret_until: null,
          busy_by: null,
          busy_until: null,
          wake_at: null,
        }
        const row = {
          account_id: account,
          id,
          url: 'https://example.com/',
          events: ['favorite.taken'],
          enabled: true,
          secret,
        }
        memory.set('webhook', `${account}/${id}`, { ...row, ...none })
        let lease: { account: AccountId; webhook: string; token: string } | undefined
        let due: Awaited<ReturnType<typeof webhooks.due>> = []
        for (const [i, { what, subject }] of deeds.entries()) {
          if (what === 'wait') at += 61_000
          else if (what === 'tell') await db.as(account, [eventOf(account, at, `event ${i}`, subject)])
          else if (what === 'claim')
            lease = (await db.transaction(account, (tx) => webhooks.claim(tx, account, id))).lease ?? lease
          else if (what === 'forgotten') await db.as(account, [webhooks.wakingForgotten(account)])
          else if (!lease) continue
          else if (what === 'due') due = await webhooks.due(lease, { except: [], limit: 3 })
          else if (what === 'release') {
            const held = lease
            await db.transaction(account, (tx) => webhooks.release(tx, held))
          } else if (due[0]) {
            const ok = what === 'taken'
            await webhooks.record(lease, due[0], {
              ok,
              status: ok ? 200 : 500,
              error: ok ? null : 'status',
              answer: '',
            })
          }
        }
        const jobs = await world.owner.query<{ count: string }>('SELECT count(*) FROM jobs.job WHERE group_id = $1', [
          account,
        ])
        expect(memory.rows('job')).toHaveLength(Number(jobs.rows[0]?.count))
        expect(differences).toEqual([])
      }),
      { numRuns: Math.ceil((30 * 2) / 3), seed: 4 },
    )
  })
})

function eventOf(account: AccountId, at: number, once: string, subject: string | null): Statement {
  const text = `INSERT INTO event (account_id, id, created_at, type, once, data, subject) VALUES ($1, $2, $3, $4, $5, '{}', $6)`
  return sql('simulated_event', text, [account, makeId(at), new Date(at), 'favorite.taken', once, subject])
}

describe('where two transactions meet', { timeout: 60_000 }, () => {
  /** Two at once, in the real database and in the memory. */
  async function openTwo() {
    const account = await world.makeAccount()
    const memory = createMemoryPostgres({ now: createClock(), statements: STATEMENTS })
    const ours = [memory.begin(account), memory.begin(account)] as const
    const theirs = [new pg.Client(world.databaseUrl), new pg.Client(world.databaseUrl)] as const
    for (const one of theirs) {
      await one.connect()
      await one.query('BEGIN')
    }
    const pid = (await theirs[1].query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
    const isWaiting = async () => {
      const text = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`
      return (await world.owner.query(text, [pid])).rowCount === 1
    }
    const close = () => Promise.all(theirs.map((one) => one.end()))
    return { account, memory, ours, theirs, isWaiting, [Symbol.asyncDispose]: async () => void (await close()) }
  }

  const period = (account: AccountId, key: string) => [account, key, '2026-11-15', '2026-11-01']
  const MAKE = `INSERT INTO quota_period (account_id, key_id, kind, starts_on) VALUES ($1, $2, 'day', $3), ($1, $2, 'month', $4) ON CONFLICT DO NOTHING`

  test('who makes the same row waits, and then makes none', async () => {
    await using two = await openTwo()
    const { account, memory, ours, theirs } = two
    const key = randomUUID()
    const make = sql('quota_period_make', MAKE, period(account, key))
    expect((await theirs[0].query(MAKE, period(account, key))).rowCount).toBe(2)
    expect(memory.execute(ours[0], make)?.count).toBe(2)
    const second = theirs[1].query(MAKE, period(account, key))
    await expect.poll(two.isWaiting).toBe(true)
    expect(memory.execute(ours[1], make)).toBeUndefined()
    await theirs[0].query('COMMIT')
    memory.commit(ours[0])
    expect((await second).rowCount).toBe(0)
    expect(memory.execute(ours[1], make)?.count).toBe(0)
  })

  test('who stores the same answer waits, and is refused or not as the first ends', async () => {
    const text = `INSERT INTO idempotent_answer (account_id, key, fingerprint, created_at, status, headers, body) VALUES ($1, $2, $3, $4, $5, $6, $7)`
    for (const ending of ['COMMIT', 'ROLLBACK'] as const) {
      await using two = await openTwo()
      const { account, memory, ours, theirs } = two
      const values = [account, 'k', Buffer.alloc(32), new Date(), 200, '{}', '']
      const store = sql('idempotent_store', text, values)
      await theirs[0].query(text, values)
      memory.execute(ours[0], store)
      const second = theirs[1].query(text, values).then(
        () => 'stored',
        (error: unknown) => sqlStateOf(error),
      )
      await expect.poll(two.isWaiting).toBe(true)
      expect(memory.execute(ours[1], store)).toBeUndefined()
      await theirs[0].query(ending)
      if (ending === 'COMMIT') memory.commit(ours[0])
      else memory.rollback(ours[0])
      const outcome = () => {
        try {
          return memory.execute(ours[1], store) ? 'stored' : 'waits'
        } catch (error) {
          return sqlStateOf(error)
        }
      }
      expect(await second).toBe(ending === 'COMMIT' ? '23505' : 'stored')
      expect(outcome()).toBe(ending === 'COMMIT' ? '23505' : 'stored')
    }
  })

  test('of two who wait for each other one is refused with 40P01', async () => {
    await using two = await openTwo()
    const { account, memory, ours, theirs } = two
    const [a, b] = [randomUUID(), randomUUID()]
    const make = (key: string) => sql('quota_period_make', MAKE, period(account, key))
    await theirs[0].query(MAKE, period(account, a))
    await theirs[1].query(MAKE, period(account, b))
    memory.execute(ours[0], make(a))
    memory.execute(ours[1], make(b))
    const codes = Promise.allSettled([
      theirs[0].query(MAKE, period(account, b)),
      theirs[1].query(MAKE, period(account, a)),
    ])
    expect(memory.execute(ours[0], make(b))).toBeUndefined()
    expect(() => memory.execute(ours[1], make(a))).toThrow('40P01')
    const ended = await codes
    expect(
      ended.filter(({ status }) => status === 'rejected').map((one) => sqlStateOf('reason' in one && one.reason)),
    ).toEqual(['40P01'])
  })
})
