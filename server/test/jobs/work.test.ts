/** The worker's loop, in this process: trying again, giving up, taking turns, stopping. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccountId, Handler, Handlers, Job, Work } from '../source.ts'
import { runCommand } from '../run-command.ts'
import { numbered, openJobsWorld } from './jobs-world.ts'
import type { JobsWorld } from './jobs-world.ts'

let at: JobsWorld
let account: AccountId
let working: Work[]
beforeEach(async () => {
  at = await openJobsWorld()
  account = await at.world.makeAccount()
  working = []
})
afterEach(async () => {
  await Promise.all(working.map((one) => one.stop()))
  await at[Symbol.asyncDispose]()
})

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const PATIENCE = { timeout: 60_000 }

function work(handlers: Handlers, options: { places?: number; drainMs?: number } = {}): Work {
  const started = at.jobs.work({ handlers, places: 8, drainMs: 0, ...options })
  working.push(started)
  return started
}

const put = (queue: 'batch' | 'webhook' | 'watch', count: number) =>
  at.world.db.as(account, [at.jobs.enqueuing(queue, numbered(count))])
const makeDue = () => at.world.owner.query(`UPDATE jobs.job SET start_after = now() WHERE state = 'retry'`)
const fails: Handler = async () => {
  throw new Error('the server is away')
}
const untilSignal = ({ signal }: Job) =>
  new Promise<void>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )

test('jobs are done in the order of their priority, each once, and leave nothing behind', async () => {
  const done: unknown[] = []
  const jobs = [1, 2, 3, 4].map((n) => ({ data: { n }, priority: n }))
  await at.world.db.as(account, [at.jobs.enqueuing('batch', jobs)])
  // With three places, and two kept for the other queue classes, they are done one after the other.
  work({ batch: async ({ data }) => void done.push(data) }, { places: 3 })
  await expect.poll(() => done, PATIENCE).toEqual([{ n: 4 }, { n: 3 }, { n: 2 }, { n: 1 }])
  await expect.poll(() => at.rows('batch'), PATIENCE).toEqual([])
})

test('a failed job is tried again after a pause that doubles, with jitter, and knows its last attempt', async () => {
  await at.setRetries('batch', 2, 100)
  const attempts: { attempt: number; isLast: boolean }[] = []
  await put('batch', 20)
  work({
    batch: async (job) => {
      attempts.push({ attempt: job.attempt, isLast: job.isLast })
      throw new Error('not yet')
    },
  })
  for (const [tries, [least, most]] of [
    [1, [100, 200]],
    [2, [200, 400]],
  ] as const) {
    await expect.poll(() => attempts.length, PATIENCE).toBe(20 * tries)
    await expect.poll(async () => (await at.rows('batch')).every(({ state }) => state === 'retry'), PATIENCE).toBe(true)
    const pauses = (await at.rows('batch')).map(({ due_in }) => due_in)
    // Less what has passed since; the machine may be slow.
    expect(Math.max(...pauses)).toBeLessThanOrEqual(most)
    expect(Math.min(...pauses)).toBeGreaterThan(least - 60)
    expect(Math.max(...pauses) - Math.min(...pauses), 'jitter').toBeGreaterThan((most - least) / 4)
    await makeDue()
  }
  await expect.poll(() => attempts.length, PATIENCE).toBe(60)
  expect(attempts.filter(({ isLast }) => isLast)).toEqual(
    Array.from({ length: 20 }, () => ({ attempt: 3, isLast: true })),
  )
})

test(
  'a job that has failed for the last time is told by the command, and put back by it',
  { timeout: 180_000 },
  async () => {
    await at.setRetries('webhook', 1, 1)
    await put('webhook', 3)
    const failing = work({ webhook: fails })
    await expect.poll(async () => (await at.rows('dead')).length, PATIENCE).toBe(3)
    await failing.stop()

    const command = (...args: string[]) => runCommand(['jobs', ...args], at.world.env)
    const reported = (await command('dead', '--queue', 'webhook')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reported).toHaveLength(3)
    expect(reported[0]).toMatchObject({
      queue: 'webhook',
      account,
      attempts: 2,
      data: { n: expect.any(Number) },
      error: 'Error: the server is away',
    })
    expect((await command('dead', '--queue', 'batch')).stdout).toBe('none\n')
    expect((await command('stats')).stdout).toMatch(/^ +webhook +0 +0 +0 +3$/m)

    expect((await command('redrive', '--queue', 'batch')).stdout).toBe('redriven 0\n')
    expect((await command('redrive', '--id', reported[1].id)).stdout).toBe('redriven 1\n')
    expect((await command('redrive', '--queue', 'webhook')).stdout).toBe('redriven 2\n')
    expect(await at.rows('dead')).toEqual([])
    const again: { account: string | undefined; attempt: number }[] = []
    work({ webhook: async (job) => void again.push({ account: job.account, attempt: job.attempt }) })
    await expect.poll(() => again, PATIENCE).toEqual(Array.from({ length: 3 }, () => ({ account, attempt: 1 })))
  },
)

test('a wrong command says how it goes', async () => {
  const wrong = [['nothing'], ['dead', '--queue', 'nowhere'], ['redrive', '--id', '1'], ['stats', '--what']]
  const ran = await Promise.all(wrong.map((args) => runCommand(['jobs', ...args], at.world.env)))
  expect(ran.map(({ code }) => code)).toEqual([2, 2, 2, 2])
  for (const { stderr } of ran) expect(stderr).toContain('namewright-server jobs redrive')
})

test('what dies with its account is gone', async () => {
  await at.setRetries('webhook', 0, 1)
  await put('webhook', 2)
  work({ webhook: fails })
  await expect.poll(async () => (await at.rows('dead')).length, PATIENCE).toBe(2)
  await at.world.db.as(account, at.jobs.forgetting(account))
  expect([...(await at.rows('dead')), ...(await at.rows('webhook'))]).toEqual([])
})

test('a lane full of long jobs leaves places for the others', async () => {
  await put('batch', 50)
  const batches = new Set<string>()
  const done: string[] = []
  const quick: Handler = async ({ queue }) => void done.push(queue)
  work(
    {
      batch: (job) => {
        batches.add(job.id)
        return untilSignal(job)
      },
      webhook: quick,
      watch: quick,
    },
    { places: 8 },
  )
  await expect.poll(() => batches.size, PATIENCE).toBe(6)
  await put('webhook', 20)
  await put('watch', 20)
  await expect.poll(() => done.length, PATIENCE).toBe(40)
  expect(batches.size).toBe(6)
})

test('two workers do every job once between them', async () => {
  const seen: string[] = []
  const batch: Handler = async ({ id }) => {
    seen.push(id)
    await sleep(1)
  }
  await put('batch', 300)
  work({ batch })
  work({ batch })
  await expect.poll(() => seen.length, PATIENCE).toBeGreaterThanOrEqual(300)
  await expect.poll(() => at.rows('batch'), PATIENCE).toEqual([])
  expect(new Set(seen).size).toBe(seen.length)
})

test('a worker that stops lets what runs come to its end, and takes nothing more', async () => {
  await put('batch', 2)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const done: Job[] = []
  const batch: Handler = async (job) => {
    await released
    done.push(job)
  }
  const stopping = work({ batch }, { places: 3, drainMs: 30_000 })
  await expect
    .poll(async () => (await at.rows('batch')).map(({ state }) => state).toSorted(), PATIENCE)
    .toEqual(['active', 'created'])
  const stopped = stopping.stop()
  release()
  await stopped
  expect(done.map(({ signal }) => signal.aborted)).toEqual([false])
  expect((await at.rows('batch')).map(({ state }) => state)).toEqual(['created'])
})

test('what is not done in time is told so and given back at once, as if it had not been tried', async () => {
  await at.setRetries('batch', 1, 60)
  await put('batch', 2)
  const reported: unknown[] = []
  const deaf: Handler = () => new Promise(() => {})
  const listens: Handler = async (job) => {
    await untilSignal(job).catch((error: Error) => reported.push(error.message))
    throw new Error('let go')
  }
  let calls = 0
  const first = work({ batch: (job) => (calls++ === 0 ? deaf(job) : listens(job)) })
  await expect.poll(() => calls, PATIENCE).toBe(2)
  await first.stop()
  expect(reported).toEqual(['the worker is stopping'])
  expect((await at.rows('batch')).map(({ state, due_in }) => ({ state, isDue: due_in <= 0 }))).toEqual([
    { state: 'retry', isDue: true },
    { state: 'retry', isDue: true },
  ])
  const again: boolean[] = []
  work({ batch: async ({ isLast }) => void again.push(isLast) })
  await expect.poll(() => again, PATIENCE).toEqual([false, false])
})

test('a job that takes longer than a lease stays with who has it', async () => {
  await put('batch', 1)
  let tries = 0
  const batch: Handler = async ({ signal }) => {
    tries++
    await sleep(14_000)
    signal.throwIfAborted()
  }
  work({ batch })
  work({ batch })
  await expect.poll(() => at.rows('batch'), PATIENCE).toEqual([])
  expect(tries).toBe(1)
})

test('a job whose row is taken away is let go', async () => {
  await put('batch', 1)
  const reasons: string[] = []
  work({ batch: (job) => untilSignal(job).catch((error: Error) => void reasons.push(error.message)) })
  await expect.poll(async () => (await at.rows('batch')).map(({ state }) => state), PATIENCE).toEqual(['active'])
  await at.world.db.as(account, at.jobs.forgetting(account))
  await expect.poll(() => reasons, PATIENCE).toEqual(['the lease of the job was lost'])
})
