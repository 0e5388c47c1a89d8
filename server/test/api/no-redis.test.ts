/** Without Redis everything works, a little slower: Redis holds only what may be lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { WIDE_QUOTA } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

let world: World
let nodes: readonly [Node, Node]
beforeAll(async () => {
  world = await startApp({ own: true, settings: { NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1' } })
  nodes = await Promise.all([world.startNode(), world.startNode()])
})
afterAll(() => world[Symbol.asyncDispose]())

test('every endpoint answers, and the node stays ready and says what is away', async () => {
  const [node] = nodes
  const { secret: key } = await world.makeKey(await world.makeAccount())
  // With time enough for a machine that has other work to do.
  const body = { description: 'a bakery', count: 3, deadline_ms: 20_000 }
  const made = await node.call('/v1/generate', { key, body })
  expect(made.status).toBe(200)
  expect(made.json.data.suggestions).toHaveLength(3)
  expect((await node.call('/v1/history', { key })).json.data.history).toHaveLength(1)
  expect((await node.call('/v1/favorites', { key, body: { domain: 'mayfly.com' } })).status).toBe(201)
  expect((await node.call('/v1/favorites', { key })).json.data.favorites).toHaveLength(1)
  const ready = await node.call('/readyz')
  expect(ready.status).toBe(200)
  expect(ready.json.checks.redis).toBe('unreachable')
})

test('a budget is still exact, over two nodes and many calls at once', async () => {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 20 } })
  let givenUp = 0
  // On a machine with much to do PostgreSQL answers some too late; like any client, those ask again.
  const ask = async (i: number) => {
    for (;;) {
      const answer = await nodes[i % 2 === 0 ? 0 : 1].call('/v1/generate', {
        key,
        body: { description: 'tea', count: 1 },
      })
      if (answer.status !== 503) return answer
      expectError(answer, 503, 'unavailable')
      givenUp++
    }
  }
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(i)))
  const made = answers.filter(({ status }) => status === 200)
  for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 429, 'quota_exceeded')
  const { rows } = await world.owner.query(
    'SELECT sum(granted)::int AS granted, sum(used)::int AS used FROM quota_block WHERE account_id = $1',
    [account],
  )
  expect(rows).toEqual([{ granted: 20, used: made.length }])
  // Each that was given up after its unit was granted holds that unit until its block is closed.
  expect(made.length).toBeGreaterThanOrEqual(20 - givenUp)
})

test('a failed request still costs nothing, once its block is closed', async () => {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 5 } })
  const [node] = nodes
  const nothing = { description: 'tea', count: 5, max_price: 0.01 }
  expect((await node.call('/v1/generate', { key, body: nothing })).json.data.shortfall.returned).toBe(0)
  await world.owner.query(`UPDATE quota_block SET settle_by = now() - interval '1 second' WHERE account_id = $1`, [
    account,
  ])
  expect((await node.call('/v1/generate', { key, body: { description: 'tea', count: 5 } })).status).toBe(200)
  expectError(await node.call('/v1/generate', { key, body: { description: 'tea', count: 1 } }), 429, 'quota_exceeded')
})

test('a rate is still kept, by each node for itself', async () => {
  const quota = { ...WIDE_QUOTA, perMinute: 6, burst: 4 }
  const { secret: key } = await world.makeKey(await world.makeAccount(), { quota })
  for (const node of nodes) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => node.call('/v1/history', { key })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = answers.find(({ status }) => status !== 200)
    if (refused) expectError(refused, 429, 'rate_limited')
    expect(refused?.headers.has('retry-after')).toBe(true)
  }
})

test('an Idempotency-Key still makes it happen once', async () => {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account)
  const call = { key, body: { description: 'tea', count: 1 }, headers: { 'idempotency-key': 'once' } }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => nodes[i % 2 === 0 ? 0 : 1].call('/v1/generate', call)),
  )
  for (const { status, text } of answers) expect({ status, text }).toEqual({ status: 200, text: answers[0]?.text })
  const { rowCount } = await world.owner.query('SELECT 1 FROM history WHERE account_id = $1', [account])
  expect(rowCount).toBe(1)
})
