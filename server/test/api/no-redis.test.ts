/** Without Redis everything works, a little slower: Redis holds only what may be lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { runCommand } from '../run-command.ts'
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

describe('a single node without any Redis', () => {
  let alone: Node
  beforeAll(async () => {
    alone = await world.startNode({ NAMEWRIGHT_REDIS_URL: '', NAMEWRIGHT_WORKER: 'inside' })
  })

  test('names, favorites and history work, and the log says once what is lost', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount())
    const made = await alone.call('/v1/generate', {
      key,
      body: { description: 'a bakery', count: 3, deadline_ms: 20_000 },
    })
    expect(made.status).toBe(200)
    expect(made.json.data.suggestions).toHaveLength(3)
    const { domain } = made.json.data.suggestions[0].domains[0]
    expect((await alone.call('/v1/favorites', { key, body: { domain } })).status).toBe(201)
    expect((await alone.call('/v1/favorites', { key })).json.data.favorites).toMatchObject([{ domain }])
    expect((await alone.call('/v1/history', { key })).json.data.history).toHaveLength(1)
    const lines = alone
      .output()
      .split('\n')
      .filter((line) => /redis/i.test(line))
    expect(lines).toEqual([
      expect.stringMatching(
        /"level":40,.*"msg":"no Redis is configured: this node counts rate limits and checks alone/,
      ),
    ])
  })

  test('it is ready, nothing is degraded, and there is no figure to raise an alert about', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount())
    const ready = await alone.call('/readyz')
    expect({ status: ready.status, redis: ready.json.checks.redis }).toEqual({ status: 200, redis: 'off' })
    const { data } = (await alone.call('/v1/status', { key })).json
    expect(data).toMatchObject({ redis: false, parts: { redis: 'off' }, in_force: [] })
    const metrics = await alone.metrics()
    expect(metrics).toContain('namewright_primary_down 0')
    expect(metrics).not.toMatch(/^namewright_redis_up /m)
  })

  test('a budget is exact over many calls at once', async () => {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 8 } })
    const call = { key, body: { description: 'tea', count: 1, deadline_ms: 20_000 } }
    const answers = await Promise.all(Array.from({ length: 20 }, () => alone.call('/v1/generate', call)))
    const made = answers.filter(({ status }) => status === 200)
    expect(made.length).toBeLessThanOrEqual(8)
    const { rows } = await world.owner.query(
      'SELECT sum(granted)::int AS granted, sum(used)::int AS used FROM quota_block WHERE account_id = $1',
      [account],
    )
    expect(rows).toEqual([{ granted: 8, used: made.length }])
  })

  test.each([
    [[], { NAMEWRIGHT_NODES: '2' }, 'because NAMEWRIGHT_NODES is 2: nodes count rate limits together there'],
    [
      [],
      { NAMEWRIGHT_WORKER: 'apart' },
      'because NAMEWRIGHT_WORKER is apart: nodes and workers count lookups together',
    ],
    [[], { NAMEWRIGHT_MODEL_CALLS_PER_DAY: '9' }, 'because NAMEWRIGHT_MODEL_CALLS_PER_DAY is set: the calls of a day'],
    [['work'], {}, 'because a separate worker counts lookups together with the nodes there'],
  ])('%j with %o does not start, and says why in one sentence', async (command, settings, why) => {
    const env = { ...world.env, NAMEWRIGHT_REDIS_URL: '', NAMEWRIGHT_WORKER: 'inside', ...settings }
    const { code, stderr } = await runCommand(command, env)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot start:\nNAMEWRIGHT_REDIS_URL must be set, [^\n]+\n$/)
    expect(stderr).toContain(why)
  })
})
