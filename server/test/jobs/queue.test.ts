/** What the database promises about jobs: with the caller's transaction or not at all, and only the account's own. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, APP_ROLE, BEFORE_ALL, isNotOurs, type Job, makeId, openJobsPool, sql } from '../source.ts'
import { numbered, openJobsWorld } from './jobs-world.ts'
import type { JobsWorld } from './jobs-world.ts'

let at: JobsWorld
beforeAll(async () => {
  at = await openJobsWorld()
})
afterAll(() => at[Symbol.asyncDispose]())

const leave = (account: AccountId, n: number) =>
  sql('leave', 'INSERT INTO effect (account_id, n) VALUES ($1, $2)', [account, n])
const effects = async (account: AccountId) =>
  (await at.world.owner.query('SELECT n FROM effect WHERE account_id = $1', [account])).rows.length

/** One job, taken by a worker and handed out while its handler waits. */
async function hold(account: AccountId, work: (job: Job) => Promise<void>): Promise<void> {
  await at.world.db.as(account, [at.jobs.enqueuing('webhook', [{ data: {} }])])
  const { promise: taken, resolve } = Promise.withResolvers<Job>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const webhook = (job: Job) => {
    resolve(job)
    return released
  }
  const working = at.jobs.work({ handlers: { webhook }, places: 3 })
  try {
    await work(await taken)
  } finally {
    release()
    await working.stop()
  }
}

test('a job is there when the transaction that asks for it is committed, and not when it is rolled back', async () => {
  const account = await at.world.makeAccount()
  const both = [leave(account, 1), at.jobs.enqueuing('batch', numbered(2))] as const
  const refused = sql('refuse', 'SELECT 1 / 0', [])
  await expect(at.world.db.as(account, [...both, refused])).rejects.toThrow('division by zero')
  expect([await effects(account), (await at.rows('batch')).length]).toEqual([0, 0])
  await at.world.db.as(account, both)
  expect(await effects(account)).toBe(1)
  expect((await at.rows('batch')).map(({ state, data }) => ({ state, data }))).toEqual([
    { state: 'created', data: { n: 0 } },
    { state: 'created', data: { n: 1 } },
  ])
  await at.world.db.as(account, at.jobs.forgetting(account))
})

test('a job can be put off', async () => {
  const account = await at.world.makeAccount()
  await at.world.db.as(account, [at.jobs.enqueuing('watch', [{ data: {}, afterMs: 60_000 }])])
  const [job] = await at.rows('watch')
  expect(job?.due_in).toBeGreaterThan(30)
  expect(job?.due_in).toBeLessThanOrEqual(60)
  expect((await at.jobs.counts()).find(({ queue }) => queue === 'watch')).toEqual({
    queue: 'watch',
    waiting: 0,
    later: 1,
    running: 0,
    dead: 0,
    failed: 0,
    oldest_waiting_seconds: null,
  })
  await at.world.db.as(account, at.jobs.forgetting(account))
})

test('queues are counted by what waits, is put off and failed, with the age of the oldest', async () => {
  const account = await at.world.makeAccount()
  const three = [{ data: { n: 0 } }, { data: { n: 1 } }, { data: { n: 2 }, afterMs: 600_000 }]
  await at.world.db.as(account, [at.jobs.enqueuing('batch', three)])
  await at.world.owner.query(
    `UPDATE jobs.job SET state = 'retry', retry_count = 1, start_after = now() - interval '90 seconds'
     WHERE name = 'batch' AND data ->> 'n' = '1'`,
  )
  const counts = await at.jobs.counts()
  expect(counts.map(({ queue }) => queue)).toEqual(['batch', 'webhook', 'watch', 'upkeep'])
  expect(counts[0]).toMatchObject({ waiting: 2, later: 1, running: 0, failed: 1, dead: 0 })
  expect(counts[0]?.oldest_waiting_seconds).toBeGreaterThanOrEqual(90)
  await at.world.db.as(account, at.jobs.forgetting(account))
})

test('nothing is put into a queue that is not there, nor for an account that is not there', async () => {
  const account = await at.world.makeAccount()
  const nowhere = sql('nowhere', `SELECT enqueue_jobs('nowhere', '[{}]')`, [])
  await expect(at.world.db.as(account, [nowhere])).rejects.toMatchObject({ code: 'NWJ03' })
  const one = at.jobs.enqueuing('batch', numbered(1))
  await expect(at.world.db.as(makeId(Date.now()) as AccountId, [one])).rejects.toMatchObject({ code: 'NWJ02' })
  await expect(at.world.db.lookup(one)).rejects.toMatchObject({ code: 'NWJ02' })
})

test('the effect and the end of a job are one commit, and the second one is refused with its effect', async () => {
  const account = await at.world.makeAccount()
  await hold(account, async (job) => {
    expect(job).toMatchObject({ queue: 'webhook', account, attempt: 1, isLast: false })
    await at.world.db.as(account, [leave(account, 1), job.finishing()])
    expect(await at.rows('webhook')).toEqual([])
    const again = at.world.db.as(account, [leave(account, 1), job.finishing()])
    expect(await again.catch(isNotOurs)).toBe(true)
    expect(await effects(account)).toBe(1)
  })
})

test('another account cannot finish a job, nor can who acts as none', async () => {
  const [mine, theirs] = [await at.world.makeAccount(), await at.world.makeAccount()]
  await hold(mine, async (job) => {
    await expect(at.world.db.as(theirs, [job.finishing()])).rejects.toMatchObject({ code: 'NWJ01' })
    await expect(at.world.db.lookup(job.finishing())).rejects.toMatchObject({ code: 'NWJ01' })
    expect((await at.rows('webhook')).map(({ state }) => state)).toEqual(['active'])
  })
})

test('forgetting takes the jobs of one account, the running one too, and leaves those of others', async () => {
  const [mine, theirs] = [await at.world.makeAccount(), await at.world.makeAccount()]
  await at.world.db.as(mine, [at.jobs.enqueuing('batch', numbered(3))])
  await at.world.db.as(theirs, [at.jobs.enqueuing('batch', numbered(1))])
  await hold(mine, async (job) => {
    await at.world.db.as(mine, at.jobs.forgetting(mine))
    await expect(at.world.db.as(mine, [job.finishing()])).rejects.toMatchObject({ code: 'NWJ01' })
  })
  expect(await at.rows('webhook')).toEqual([])
  expect(await at.rows('batch')).toHaveLength(1)
  await at.world.db.as(theirs, at.jobs.forgetting(theirs))
})

test('the role that serves requests cannot see the queue, nor can people; it has three functions', async () => {
  for (const role of [APP_ROLE, 'namewright_people']) {
    const client = new pg.Client({ connectionString: at.world.databaseUrl, options: `-c role=${role}` })
    await client.connect()
    for (const text of [
      'SELECT FROM jobs.job',
      'DELETE FROM jobs.job',
      'SELECT FROM jobs.queue',
      'SELECT jobs.job_now()',
    ]) {
      await expect(client.query(text), `${role}: ${text}`).rejects.toMatchObject({ code: '42501' })
    }
    await client.end()
  }
  const people = new pg.Client({ connectionString: at.world.databaseUrl, options: '-c role=namewright_people' })
  await people.connect()
  await expect(people.query(`SELECT public.enqueue_jobs('batch', '[]')`)).rejects.toMatchObject({ code: '42501' })
  await people.end()
})

test("of what tenants own the worker's role sees which accounts there are, and nothing else", async () => {
  const accounts = [await at.world.makeAccount(), await at.world.makeAccount()]
  expect(await at.jobs.listAccounts(BEFORE_ALL, 1_000)).toEqual(expect.arrayContaining(accounts))
  const pool = openJobsPool({ url: at.world.databaseUrl })
  try {
    const rows = await pool.run<{ name: string }>(
      `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname IN ('public', 'people') AND relkind IN ('r', 'p', 'v')
         AND has_any_column_privilege(current_user, c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')`,
    )
    expect(rows).toEqual([{ name: 'account' }])
    await expect(pool.run('SELECT name FROM public.account')).rejects.toMatchObject({ code: '42501' })
    await expect(pool.run('UPDATE public.account SET id = id')).rejects.toMatchObject({ code: '42501' })
    await expect(pool.run('CREATE TABLE jobs.mine ()')).rejects.toMatchObject({ code: '42501' })
    await expect(pool.run(`SELECT public.enqueue_jobs('batch', '[]')`)).rejects.toMatchObject({ code: '42501' })
  } finally {
    await pool.close()
  }
})
