/** One account's ten thousand do not stand in front of another's ten. One worker, so that there is one line to stand in. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestsOf, waitForEnd } from '../../api/batch-calls.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'

const ROUNDS = 5
// Half of the places are theirs, so twice as long is what it must be; the rest is for the place that comes free first.
const MAX_SLOWDOWN = 3

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp({ own: true })
  ;[node] = await Promise.all([world.startNodeProcess(), world.startWorkerProcess()])
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

/** From being accepted to being complete, by the service's own account. */
async function timeOf(key: string, count: number): Promise<number> {
  const accepted = await node.call('/v1/batches', { key, body: { requests: requestsOf(count) } })
  const { json } = await waitForEnd(node, key, accepted.headers.get('location') ?? '')
  const { created_at: from, finished_at: to, succeeded } = json.data.batch
  expect(succeeded).toBe(count)
  return Date.parse(to) - Date.parse(from)
}

async function medianOf(key: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) times.push(await timeOf(key, 10))
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN
}

const makeKey = async () => (await world.makeKey(await world.makeAccount())).secret

/** How many times longer ten take while ten thousand of another account are worked on. */
async function slowdown(): Promise<number> {
  const [large, small] = [await makeKey(), await makeKey()]
  const alone = await medianOf(small)
  const paths: string[] = []
  for (let i = 0; i < 10; i++) {
    const { headers } = await node.call('/v1/batches', { key: large, body: { requests: requestsOf(1_000) } })
    paths.push(headers.get('location') ?? '')
  }
  const theirs = async (): Promise<{ state: string; finished: number }[]> =>
    (await node.call('/v1/batches', { key: large })).json.data.batches
  const finished = async () => (await theirs()).reduce((sum, batch) => sum + batch.finished, 0)
  await expect.poll(finished, { timeout: 60_000 }).toBeGreaterThan(50)
  const before = await finished()
  const beside = await medianOf(small)
  console.log(`alone ${alone} ms, beside ten thousand ${beside} ms`)
  // They were there all the time, and got on as well.
  expect(await finished()).toBeGreaterThan(before)
  expect((await theirs()).some(({ state }) => state === 'running')).toBe(true)
  for (const path of paths) await node.call(`${path}/cancel`, { key: large, method: 'POST' })
  return beside / alone
}

test(
  'beside ten thousand items of another account, ten take at most three times as long',
  { timeout: 300_000 },
  async () => {
    await medianOf(await makeKey())
    // The two halves of a measurement are seconds apart, and a machine may be busier in one of them than in the other.
    const ratios = [await slowdown()]
    while (Math.min(...ratios) >= MAX_SLOWDOWN && ratios.length < 3) ratios.push(await slowdown())
    expect(Math.min(...ratios), String(ratios)).toBeLessThan(MAX_SLOWDOWN)
  },
)

test('a hundred batches of one account do not go before the first of another', { timeout: 300_000 }, async () => {
  const [many, one] = [await makeKey(), await makeKey()]
  const paths: string[] = []
  for (let i = 0; i < 100; i++) {
    const { headers } = await node.call('/v1/batches', { key: many, body: { requests: requestsOf(200) } })
    paths.push(headers.get('location') ?? '')
  }
  await timeOf(one, 10)
  const { json } = await node.call('/v1/batches?limit=100', { key: many })
  const running = json.data.batches.filter(({ state }: { state: string }) => state === 'running')
  expect(running.length).toBeGreaterThan(80)
  for (const path of paths) await node.call(`${path}/cancel`, { key: many, method: 'POST' })
})
