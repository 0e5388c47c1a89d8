/** Upkeep by real workers: once however many there are, and only what is past its time goes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, makeId, openBatches, openContext, openLog, purgeExpired, sql } from '../source.ts'
import { readConfig } from '../read-config.ts'
import { runCommand } from '../run-command.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const DAY_MS = 86_400_000
const ago = (days: number) => Date.now() - days * DAY_MS

/** A row of each kind, so many days old. */
async function leave(account: AccountId, days: number): Promise<void> {
  const [id, at] = [makeId(ago(days)), new Date(ago(days))]
  await world.db.as(account, [
    sql(
      'old_history',
      `INSERT INTO history (account_id, id, created_at, key_id, description, count, language, options, suggestions)
       VALUES ($1, $2, $3, $2, 'old', 1, 'en', '{}', '[]')`,
      [account, id, at],
    ),
    sql(
      'old_answer',
      `INSERT INTO idempotent_answer (account_id, key, fingerprint, created_at, status, headers, body)
       VALUES ($1, $2, '', $3, 200, '{}', '')`,
      [account, id, at],
    ),
    sql(
      'old_event',
      `INSERT INTO event (account_id, id, created_at, type, once, data) VALUES ($1, $2, $3, 'quota.warning', $4, '{}')`,
      [account, id, at, id],
    ),
    sql(
      'old_period',
      `INSERT INTO quota_period (account_id, key_id, kind, starts_on) VALUES ($1, $2, 'day', $3::timestamptz::date)`,
      [account, id, at],
    ),
    sql(
      'old_block',
      `INSERT INTO quota_block (account_id, key_id, id, day, granted, used, lease_until, settle_by, closed_at)
       VALUES ($1, $2, $2, $3::timestamptz::date, 1, 1, $3, $3, $3)`,
      [account, id, at],
    ),
  ])
}

async function left(account: AccountId): Promise<Record<string, number>> {
  const count = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE account_id = $1) AS ${table}`
  const tables = ['history', 'idempotent_answer', 'event', 'quota_period', 'quota_block']
  const { rows } = await world.owner.query<Record<string, number>>(`SELECT ${tables.map(count).join(', ')}`, [account])
  return rows[0] ?? {}
}

test('what is past its time goes in every account, and what is not stays', async () => {
  const keeps = await world.makeAccount()
  const forgets = await world.makeAccount({ historyDays: 30 })
  const never = await world.makeAccount({ historyDays: 0 })
  for (const account of [keeps, forgets, never]) for (const days of [0, 40, 70, 100]) await leave(account, days)
  const ctx = await openContext(readConfig(world.env), openLog('silent'), { now: () => Date.now() + 60_000 })
  try {
    const first = await purgeExpired(ctx, AbortSignal.timeout(60_000))
    const others = { idempotent_answer: 1, event: 3, quota_period: 2, quota_block: 2 }
    expect(await left(keeps)).toEqual({ history: 4, ...others })
    expect(await left(forgets)).toEqual({ history: 1, ...others })
    expect(await left(never)).toEqual({ history: 0, ...others })
    expect(first).toEqual({ accounts: 3, removed: 3 * (3 + 1 + 2 + 2) + 3 + 4 })
    expect(await purgeExpired(ctx, AbortSignal.timeout(60_000))).toEqual({ accounts: 3, removed: 0 })
    await expect(purgeExpired(ctx, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  } finally {
    await ctx[Symbol.asyncDispose]()
  }
})

test('a night that was missed is made up for once, by one of two workers', { timeout: 120_000 }, async () => {
  // As if the last clock check was two days ago; what other queues have by the clock is not of interest here.
  await world.owner.query(`DELETE FROM jobs.schedule WHERE name <> 'upkeep'`)
  await world.owner.query(`UPDATE jobs.schedule SET created_on = now() - interval '3 days'`)
  await world.owner.query(`UPDATE jobs.version SET cron_on = now() - interval '2 days'`)
  const workers = await Promise.all(
    [1, 2].map(() => world.startWorker({ NAMEWRIGHT_MIGRATE: 'manual', NAMEWRIGHT_WORKER_CONCURRENCY: '3' })),
  )
  const runs = () => workers.flatMap((worker) => worker.output().match(/"msg":"expired rows purged"/g) ?? []).length
  await expect.poll(runs, { timeout: 60_000 }).toBe(1)
  // Every occurrence that was due is one row here, whoever saw it.
  const sent = `SELECT state::text FROM jobs.job WHERE name = '__pgboss__send-it'`
  await expect.poll(async () => (await world.owner.query(sent)).rows).toEqual([{ state: 'completed' }])
  expect(await Promise.all(workers.map((worker) => worker.stop()))).toEqual([0, 0])
  expect(runs()).toBe(1)
})

test(
  'a node that serves does jobs, too, and tells how many there are; its worker ends with it',
  { timeout: 120_000 },
  async () => {
    const account = await world.makeAccount()
    const batch = sql('put', `SELECT enqueue_jobs('batch', '[{"after_ms": 60000}, {"after_ms": 60000}]')`, [])
    await world.db.as(account, [batch])
    const node = await world.startNode({ NAMEWRIGHT_WORKER: 'inside' })
    expect(await node.metrics()).toMatch(/^namewright_jobs\{queue="batch",state="later"\} 2$/m)
    await world.owner.query(`INSERT INTO jobs.job (name, group_id, data) VALUES ('upkeep', 'house', '{}')`)
    await expect.poll(node.output, { timeout: 60_000 }).toContain('expired rows purged')
    expect(await node.stop()).toBe(0)
    await world.db.as(account, [sql('drop', 'SELECT forget_jobs()', [])])
  },
)

test('a worker takes a number of places, and nothing else', { timeout: 120_000 }, async () => {
  const wrong = [['--concurrency', '2'], ['--concurrency'], ['--places', '4'], ['--concurrency', '4', '5']]
  const ran = await Promise.all(wrong.map((args) => runCommand(['work', ...args], world.env)))
  expect(ran.map(({ code }) => code)).toEqual([2, 2, 2, 2])
})

test('a batch past its days goes with all that belongs to it, a few rows at a time, and only that', async () => {
  const node = await world.startNode()
  const [old, other] = [await world.makeAccount(), await world.makeAccount()]
  for (const account of [old, other]) {
    const { secret } = await world.makeKey(account)
    const body = { requests: [{}, {}, {}, { description: 'a bakery', count: 1 }] }
    expect((await node.call('/v1/batches', { key: secret, body })).status).toBe(202)
  }
  const rowsOf = async (account: string) => {
    const { rows } = await world.owner.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM batch WHERE account_id = $1) AS batches,
         (SELECT count(*)::int FROM batch_chunk WHERE account_id = $1) AS chunks,
         (SELECT count(*)::int FROM batch_item WHERE account_id = $1) AS items`,
      [account],
    )
    return rows[0]
  }
  const at = (days: number) => openBatches({ db: world.db, now: () => Date.now() + days * DAY_MS, days: 30 })
  await world.db.as(old, at(29).expiring(old, 2))
  expect(await rowsOf(old)).toEqual({ batches: 1, chunks: 1, items: 3 })
  await world.db.as(old, at(31).expiring(old, 2))
  expect(await rowsOf(old)).toEqual({ batches: 0, chunks: 0, items: 1 })
  await world.db.as(old, at(31).expiring(old, 2))
  expect(await rowsOf(old)).toEqual({ batches: 0, chunks: 0, items: 0 })
  expect(await rowsOf(other)).toEqual({ batches: 1, chunks: 1, items: 3 })
  await node.stop()
})
