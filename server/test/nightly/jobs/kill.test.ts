/** Workers as processes that are killed: every job is done, and its effect is there once. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { numbered, openJobsWorld } from '../../jobs/jobs-world.ts'
import type { JobsWorld } from '../../jobs/jobs-world.ts'
import { runningMs } from '../../../../scripts/test/running-ms.ts'
import type { AccountId } from '../../source.ts'

const WORKER = new URL('effect-worker.ts', import.meta.url).pathname

let at: JobsWorld
let account: AccountId
let children: ChildProcess[]
beforeEach(async () => {
  at = await openJobsWorld()
  account = await at.world.makeAccount()
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await at[Symbol.asyncDispose]()
})

function start(pauseMs: number): ChildProcess {
  const child = spawn(process.execPath, [WORKER, at.world.databaseUrl, String(pauseMs)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

async function count(text: string): Promise<number> {
  const { rows } = await at.world.owner.query<{ count: number }>(text)
  return rows[0]?.count ?? 0
}
const done = () => count('SELECT count(*)::int FROM effect')
const active = () => count(`SELECT count(*)::int FROM jobs.job WHERE state = 'active'`)

test(
  'six workers are killed in the middle of 600 jobs, and each job has its effect once',
  { timeout: 180_000 },
  async () => {
    await at.world.db.as(account, [at.jobs.enqueuing('batch', numbered(600))])
    const workers = [start(60), start(60), start(60)]
    let held = 0
    for (let kill = 1; kill <= 6; kill++) {
      await expect.poll(done, { timeout: 60_000 }).toBeGreaterThan(kill * 60)
      workers.shift()?.kill('SIGKILL')
      held += await active()
      workers.push(start(60))
    }
    expect(held).toBeGreaterThan(0)
    await expect
      .poll(() => count(`SELECT count(*)::int FROM jobs.job WHERE name IN ('batch', 'dead')`), { timeout: 120_000 })
      .toBe(0)
    const { rows } = await at.world.owner.query<{ n: number; times: number }>(
      'SELECT n, count(*)::int AS times FROM effect GROUP BY n ORDER BY n',
    )
    expect(rows).toEqual(numbered(600).map(({ data: { n } }) => ({ n, times: 1 })))
  },
)

test('the jobs of a killed worker go on in another', { timeout: 120_000 }, async () => {
  await at.world.db.as(account, [at.jobs.enqueuing('batch', numbered(6))])
  const first = start(3_600_000)
  await expect.poll(active, { timeout: 30_000 }).toBe(6)
  start(0)
  first.kill('SIGKILL')
  const killedAt = runningMs()
  await expect.poll(done, { timeout: 90_000 }).toBe(6)
  // 9 s of lease, 2 s until the next poll, 2 s of pause; the rest is for a machine that does other things, too.
  expect(runningMs() - killedAt).toBeLessThan(45_000)
})

test(
  'a worker that is asked to end gives back what it cannot finish, and another takes it at once',
  { timeout: 120_000 },
  async () => {
    await at.setRetries('batch', 0, 600)
    await at.world.db.as(account, [at.jobs.enqueuing('batch', numbered(6))])
    const first = start(3_600_000)
    await expect.poll(active, { timeout: 30_000 }).toBe(6)
    first.kill('SIGTERM')
    await once(first, 'exit')
    expect(first.exitCode).toBe(0)
    expect((await at.rows('batch')).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'retry'))
    start(0)
    await expect.poll(done, { timeout: 30_000 }).toBe(6)
  },
)

test('a worker that slept while another did its jobs cannot do them again', { timeout: 120_000 }, async () => {
  await at.world.db.as(account, [at.jobs.enqueuing('batch', numbered(6))])
  const sleeper = start(15_000)
  await expect.poll(active, { timeout: 30_000 }).toBe(6)
  sleeper.kill('SIGSTOP')
  const held = await active()
  start(0)
  await expect.poll(done, { timeout: 60_000 }).toBe(6)
  sleeper.kill('SIGCONT')
  // It ends when its handlers have.
  sleeper.kill('SIGTERM')
  await once(sleeper, 'exit')
  expect(held).toBeGreaterThan(0)
  const { rows } = await at.world.owner.query('SELECT n, count(*)::int AS times FROM effect GROUP BY n ORDER BY n')
  expect(rows).toEqual(numbered(6).map(({ data: { n } }) => ({ n, times: 1 })))
})
