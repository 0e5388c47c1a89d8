/** One tenant who opens as many event streams as it can: it is capped, others are served, and the database hardly notices. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../../src/model/caller.ts'
import { openWorld } from '../world.ts'
import type { Node, World } from '../world.ts'

const PER_KEY = 20
const PER_ACCOUNT = 100
const OBSERVED_MS = 4_000

let world: World
let node: Node
beforeAll(async () => {
  world = await openWorld({ NAMEWRIGHT_OVERLOAD: 'adaptive' })
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

const keyOf = async (account: AccountId) => (await world.makeKey(account)).secret

/** A batch that nobody works on, so that its streams stay open. */
async function makeBatch(key: string): Promise<string> {
  const made = await node.call('/v1/batches', { key, body: { requests: [{ description: 'a bakery', count: 1 }] } })
  expect(made.status).toBe(202)
  return made.json.data.batch.id
}

interface Streams extends Disposable {
  /** Held: a stream whose answer nobody holds is closed when memory is collected. */
  readonly answers: readonly Response[]
  readonly statuses: readonly number[]
  readonly refusals: readonly string[]
}

async function openStreams(key: string, batch: string, count: number): Promise<Streams> {
  const controller = new AbortController()
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      fetch(`${node.url}/v1/batches/${batch}/events`, {
        headers: { authorization: `Bearer ${key}` },
        signal: controller.signal,
      }),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  return {
    answers,
    statuses: answers.map(({ status }) => status),
    refusals: await Promise.all(refused.map((one) => one.text())),
    [Symbol.dispose]: () => controller.abort(),
  }
}

const openedOf = ({ statuses }: Streams) => statuses.filter((status) => status === 200).length

test('a key has as many event streams as it may, and another one when it has closed one', async () => {
  const key = await keyOf(await world.makeAccount())
  const batch = await makeBatch(key)
  const streams = await openStreams(key, batch, PER_KEY + 5)
  expect(openedOf(streams)).toBe(PER_KEY)
  for (const text of streams.refusals) expect(text).toContain('"code":"concurrency_limited"')
  streams[Symbol.dispose]()
  await expect
    .poll(async () => {
      using again = await openStreams(key, batch, 1)
      return openedOf(again)
    })
    .toBe(1)
})

test('all keys of an account share a cap, and another account is served', async () => {
  const [greedy, other] = await Promise.all([world.makeAccount(), world.makeAccount()])
  const keys = await Promise.all(Array.from({ length: 7 }, () => keyOf(greedy)))
  const batch = await makeBatch(keys[0] ?? '')
  using streams = new DisposableStack()
  const opened = await Promise.all(keys.map((key) => openStreams(key, batch, PER_KEY)))
  for (const one of opened) streams.use(one)
  expect(opened.reduce((sum, one) => sum + openedOf(one), 0)).toBe(PER_ACCOUNT)
  const otherKey = await keyOf(other)
  using theirs = await openStreams(otherKey, await makeBatch(otherKey), 1)
  expect(theirs.statuses).toEqual([200])
})

test('one poll serves all event streams of a node', async () => {
  const accounts = await Promise.all(Array.from({ length: 3 }, () => world.makeAccount()))
  const keys = await Promise.all(accounts.map(keyOf))
  const batches = await Promise.all(keys.map(makeBatch))
  const calm = await transactionsDuring(OBSERVED_MS)
  using streams = new DisposableStack()
  for (const [at, key] of keys.entries()) streams.use(await openStreams(key, batches[at] ?? '', PER_KEY))
  // Twice a second, and a little for what else a node does; one poll for each of the streams would be sixty times that. A
  // backend that has become idle reports after ten seconds what it did to open the streams, so the first look may be late.
  await expect
    .poll(async () => (await transactionsDuring(OBSERVED_MS)) - calm, { timeout: 60_000 })
    .toBeLessThan((OBSERVED_MS / 500) * 6)
})

/** Of this world's own database, as PostgreSQL counts them. */
async function transactionsDuring(ms: number): Promise<number> {
  const count = async () => {
    // Backends report what they did after a second at the latest.
    await sleep(1_200)
    const text = 'SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()'
    return Number((await world.owner.query(text)).rows[0].count)
  }
  const before = await count()
  await sleep(ms)
  return (await count()) - before
}
