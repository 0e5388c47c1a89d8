/**
 * A batch of a thousand while everything under it breaks: of three workers one is killed again and again, and PostgreSQL
 * is restarted in the middle. Whoever sent it gets an end for each item, in order, none of them twice, for what they
 * cost, and sees the progress only ever grow.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnPostgres } from '../../own-postgres.ts'
import type { OwnPostgres } from '../../own-postgres.ts'
import { readStream } from '../../stream-reader.ts'
import { request, WIDE_QUOTA } from '../../world.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World, RunningProcess } from '../../world.ts'

const TOTAL = 1_000
/** A worker is killed each time so many more items have ended. */
const KILL_EVERY = TOTAL / (20 + 1)
const RESTART_AT = 0.3 * TOTAL
const MINUTES = 20

let postgres: OwnPostgres
let world: World
beforeAll(async () => {
  postgres = await openOwnPostgres()
  world = await startApp({ own: true, server: postgres.adminUrl })
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

/** Every hundredth is wrong, and of some there are no names. */
function bodyOf(n: number): object {
  if (n % 100 === 7) return { description: `wrong ${n}`, count: 0 }
  if (n % 500 === 11) return { description: `nothing ${n}`, count: 1, include_words: ['qzx'], exclude_words: ['qzx'] }
  return { description: `a shop for tea, the ${n}th`, count: 1, seed: n, tlds: ['com'] }
}

test(
  `${TOTAL.toLocaleString('en')} items end once each, in order and exactly paid, while workers are killed and PostgreSQL restarts`,
  { timeout: MINUTES * 60_000 },
  async () => {
    const node = await world.startNodeProcess()
    const account = await world.makeAccount()
    const requests = Array.from({ length: TOTAL }, (_, n) => bodyOf(n))
    const right = requests.filter((one) => (one as { count: number }).count > 0).length
    // Exactly what they may cost: one unit too many anywhere would be refused.
    const { id: keyId, secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: right } })
    const accepted = await node.call('/v1/batches', { key, body: { requests } })
    expect(accepted.status, accepted.text).toBe(202)
    const path = accepted.headers.get('location') ?? ''

    // The first hundred items wait until everything broke, so that the batch cannot end before that.
    const hold = (until: string) =>
      world.owner.query(`UPDATE jobs.job SET start_after = ${until} WHERE name = 'batch' AND data ->> 'n' = '0'`)
    expect((await hold(`now() + interval '1 day'`)).rowCount).toBe(1)

    const over = new AbortController()
    const watched = watchByAsking(node, key, path, over.signal)
    const enough = Promise.withResolvers<void>()
    const onKilled = (killed: number) => killed === 3 && enough.resolve()
    const killing = killWorkers(() => finishedOf(node, key, path), over.signal, onKilled)
    const breaking = Promise.all([enough.promise, restartInTheMiddle(node, key, path)])
    try {
      await breaking
      await expect.poll(async () => (await hold('now()')).rowCount).toBe(1)
      await expect.poll(() => finishedOf(node, key, path), { timeout: MINUTES * 60_000 }).toBe(TOTAL)
    } finally {
      over.abort()
    }
    const [seen, killed] = await Promise.all([watched, killing])

    // What broke really broke.
    expect(killed).toBeGreaterThanOrEqual(3)
    expect(seen.length).toBeGreaterThan(5)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(TOTAL)

    const { events } = await readStream(node.url, `${path}/results`, { method: 'GET', key, format: 'ndjson' })
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { state: 'completed', next_cursor: null } })
    const results = events.slice(0, -1).map(({ data }) => data)
    expect(results.map(({ index }) => index)).toEqual(Array.from({ length: TOTAL }, (_, n) => n))
    const outcomes = Map.groupBy(results, ({ status, error }) => (status === 'success' ? 'success' : error.code))
    const countOf = (outcome: string) => outcomes.get(outcome)?.length ?? 0
    expect(countOf('invalid_request')).toBe(TOTAL / 100)
    // Whatever fails for our sake is tried again until it succeeds.
    expect([...outcomes.keys()].filter((one) => !['success', 'invalid_request', 'no_names'].includes(one))).toEqual([])

    const { rows } = await world.owner.query<Record<string, number>>(
      `SELECT (SELECT count(*) FROM batch_item WHERE account_id = $1)::int AS items,
         (SELECT count(*) FROM history WHERE account_id = $1)::int AS history,
         (SELECT count(DISTINCT description) FROM history WHERE account_id = $1)::int AS described,
         (SELECT sum(jsonb_array_length(suggestions)) FROM history WHERE account_id = $1)::int AS remembered,
         (SELECT sum(used) FROM quota_block WHERE key_id = $2)::int AS used,
         (SELECT leased FROM quota_period WHERE key_id = $2 AND kind = 'day')::int AS leased,
         (SELECT count(*) FROM event WHERE account_id = $1 AND type = 'batch.completed')::int AS events`,
      [account, keyId],
    )
    const returned = results.reduce((sum, { data }) => sum + (data?.suggestions.length ?? 0), 0)
    expect(rows[0]).toEqual({
      items: TOTAL,
      history: countOf('success'),
      described: countOf('success'),
      remembered: returned,
      used: returned,
      leased: returned,
      events: 1,
    })
    expect(countOf('success') + countOf('no_names')).toBe(right)
    expect(returned).toBeGreaterThan(right / 2)
  },
)

/**
 * Three at a time; one is killed and replaced again and again. Answers how many were. None waits until the one before it is
 * replaced, which on a busy machine takes as long as all items.
 */
async function killWorkers(
  finished: () => Promise<number>,
  signal: AbortSignal,
  onKilled: (killed: number) => unknown,
): Promise<number> {
  const workers = Array.from({ length: 3 }, () => startWorker())
  let killed = 0
  while (!signal.aborted) {
    if ((await finished()) < (killed + 1) * KILL_EVERY) {
      await sleep(100)
      continue
    }
    const worker = await workers.shift()
    await worker?.stop('SIGKILL')
    onKilled(++killed)
    workers.push(startWorker())
  }
  await Promise.all(workers)
  return killed
}

/** While PostgreSQL is down none can start; the next try may. */
async function startWorker(): Promise<RunningProcess> {
  for (;;) {
    try {
      return await world.startWorkerProcess()
    } catch {
      await sleep(500)
    }
  }
}

async function restartInTheMiddle(node: Node, key: string, path: string): Promise<void> {
  while ((await finishedOf(node, key, path)) < RESTART_AT) await sleep(200)
  await postgres.restart()
}

/** By GET, again and again; what was answered while the database was there. */
async function watchByAsking(node: Node, key: string, path: string, signal: AbortSignal): Promise<number[]> {
  const seen: number[] = []
  while (!signal.aborted) {
    const finished = await finishedOf(node, key, path)
    if (finished >= 0) seen.push(finished)
    await sleep(300)
  }
  seen.push(await finishedOf(node, key, path))
  return seen
}

/** -1 when there was no answer, as while the database is down. */
async function finishedOf({ url }: Node, key: string, path: string): Promise<number> {
  const { status, json } = await request(url, path, { key })
  return status === 200 ? json.data.batch.finished : -1
}
