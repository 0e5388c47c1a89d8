/** Without a primary: reading goes on, and what must write is refused at once, costs nothing and can be sent again. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openOwnPostgres } from '../../own-postgres.ts'
import type { OwnPostgres } from '../../own-postgres.ts'
import { WIDE_QUOTA } from '../../world.ts'
import { startApp } from '../../start-app.ts'
import type { Answer, Node, World } from '../../world.ts'
import { openOwnRedis } from './own-redis.ts'
import type { OwnRedis } from './own-redis.ts'
import { runningMs } from '../../../../scripts/test/running-ms.ts'

let primary: OwnPostgres
let standby: OwnPostgres
let redis: OwnRedis
let world: World
let env: Record<string, string>
let nodes: [Node, Node]
let account: Awaited<ReturnType<World['makeAccount']>>
let key: string

beforeAll(async () => {
  primary = await openOwnPostgres()
  redis = await openOwnRedis()
  world = await startApp({
    own: true,
    settings: { NAMEWRIGHT_REDIS_URL: redis.url, NAMEWRIGHT_MIGRATE: 'manual' },
    server: primary.adminUrl,
  })
  standby = await primary.follow()
  const database = new URL(world.databaseUrl).pathname.slice(1)
  const standbyUrl = standby.adminUrl.replace(/[^/]+$/, database)
  // What is acknowledged is on the standby too, and can be read there.
  await world.owner.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await world.owner.query('ALTER SYSTEM SET synchronous_commit = remote_apply')
  await world.owner.query('SELECT pg_reload_conf()')
  env = { NAMEWRIGHT_STANDBY_URL: standbyUrl }
  nodes = [await world.startNodeProcess(env), await world.startNodeProcess(env)]
  account = await world.makeAccount()
  key = (await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 100_000 } })).secret
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await primary[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})
afterEach(async () => {
  await primary.start().catch(() => {})
})

function generate(node: Node, description: string, headers: Record<string, string> = {}): Promise<Answer> {
  return node.call('/v1/generate', { key, body: { description, count: 2, deadline_ms: 30_000 }, headers })
}

/** Until both nodes know what has become of the primary. */
async function known(state: 'ok' | 'reading from the replica' | 'unreachable'): Promise<void> {
  for (const node of nodes) {
    await expect.poll(async () => (await node.call('/readyz')).json.checks.database, { timeout: 20_000 }).toBe(state)
  }
}

/** A block is leased in Redis and what a request reads is remembered: a node that serves has both. */
async function serve(): Promise<void> {
  await known('ok')
  for (const node of nodes) {
    await expect.poll(async () => (await node.call('/readyz')).json.checks.redis, { timeout: 20_000 }).toBe('ok')
    expect((await generate(node, 'a bakery, before')).status).toBe(200)
  }
}

async function takeDown(): Promise<void> {
  await serve()
  await primary.crash()
  await known('reading from the replica')
}

async function bringBack(): Promise<void> {
  await primary.start()
  await known('ok')
}

/** What a database has, read past everything under test. */
async function facts(
  from = world.databaseUrl,
): Promise<{ described: Map<string, number>; used: number; named: number }> {
  const client = new pg.Client(from)
  await client.connect()
  try {
    const { rows } = await client.query<{ description: string; times: number; named: number }>(
      `SELECT description, count(*)::int AS times, sum(jsonb_array_length(suggestions))::int AS named
       FROM history WHERE account_id = $1 GROUP BY description`,
      [account],
    )
    const sums = await client.query<{ used: number }>(
      'SELECT sum(used)::int AS used FROM quota_block WHERE account_id = $1',
      [account],
    )
    return {
      described: new Map(rows.map(({ description, times }) => [description, times])),
      named: rows.reduce((sum, row) => sum + row.named, 0),
      used: sums.rows[0]?.used ?? 0,
    }
  } finally {
    await client.end()
  }
}

/** Of five in a row: a busy machine can hold up some of them. */
async function leastMsOf(work: () => Promise<void>): Promise<number> {
  let leastMs = Infinity
  for (let turn = 0; turn < 5; turn++) {
    const startedAt = runningMs()
    await work()
    leastMs = Math.min(leastMs, runningMs() - startedAt)
  }
  return leastMs
}

const expectRefused = (answer: Answer) => {
  expect([answer.status, answer.json.error.code]).toEqual([503, 'unavailable'])
  expect(answer.json.error.hint).toContain('Nothing was written')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
}

test('without a primary callers read, and what must write is refused at once', { timeout: 120_000 }, async () => {
  const [node] = nodes
  const kept = { 'idempotency-key': 'before' }
  const save = (at: Node, headers: Record<string, string>) =>
    at.call('/v1/favorites', { key, body: { domain: 'fernhill.com' }, headers })
  const saved = await save(node, { 'idempotency-key': 'saved-before' })
  expect(saved.status).toBe(201)
  const answered = await generate(node, 'a florist, before', kept)
  await takeDown()
  for (const one of nodes) expect((await one.call('/readyz')).status).toBe(200)
  const history = await node.call('/v1/history', { key })
  expect(history.json.data.history.length).toBeGreaterThan(0)
  expect((await node.call('/v1/favorites', { key })).json.data.favorites).toHaveLength(1)
  const replayed = await generate(nodes[1], 'a florist, before', kept)
  expect([replayed.status, replayed.text]).toEqual([200, answered.text])
  const savedAgain = await save(nodes[1], { 'idempotency-key': 'saved-before' })
  expect([savedAgain.status, savedAgain.text]).toEqual([201, saved.text])
  expect(savedAgain.headers.get('idempotent-replayed')).toBe('true')
  const { id } = saved.json.data.favorite
  expect((await node.call(`/v1/favorites/${id}/changes`, { key })).status).toBe(200)

  const writes: Record<string, () => Promise<Answer>> = {
    favorite: () => node.call('/v1/favorites', { key, body: { domain: 'mossgate.com' } }),
    'favorite that is there, with another key': () => save(node, { 'idempotency-key': 'saved-now' }),
    'change of a favorite': () => node.call(`/v1/favorites/${id}`, { key, method: 'PATCH', body: { note: 'x' } }),
    'deletion of a favorite': () => node.call(`/v1/favorites/${id}`, { key, method: 'DELETE' }),
    'deletion of the history': () => node.call('/v1/history?all=true', { key, method: 'DELETE' }),
    names: () => generate(node, 'a florist'),
    'names with a key': () => generate(node, 'a florist', { 'idempotency-key': 'florist' }),
    stream: () => generate(node, 'a florist', { accept: 'text/event-stream' }),
    batch: () => node.call('/v1/batches', { key, body: { requests: [{ description: 'a florist', count: 2 }] } }),
  }
  for (const [what, write] of Object.entries(writes)) {
    // Neither quota nor the search for names comes before the refusal.
    expect(await leastMsOf(async () => expectRefused(await write())), what).toBeLessThan(100)
  }
})

test('what was refused is done once when it is sent again, and paid for once', { timeout: 120_000 }, async () => {
  await takeDown()
  const before = await facts(env['NAMEWRIGHT_STANDBY_URL'])
  const orders = Array.from({ length: 12 }, (_, i) => `a brewery ${i}`)
  const send = (order: string, i: number) =>
    generate(nodes[i % 2] ?? nodes[0], order, { 'idempotency-key': order.replaceAll(' ', '-') })
  for (const answer of await Promise.all(orders.map(send))) expectRefused(answer)
  await bringBack()
  expect((await facts()).used).toBe(before.used)
  const answers = await Promise.all(orders.map(send))
  expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 200))
  const again = await Promise.all(orders.map((order, i) => send(order, i + 1)))
  expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text))
  const { described, used, named } = await facts()
  for (const order of orders) expect([order, described.get(order)]).toEqual([order, 1])
  expect(used).toBe(named)
})

test('a node that only hangs is not waited for', { timeout: 120_000 }, async () => {
  await serve()
  await primary.stall()
  const startedAt = runningMs()
  const answers = await Promise.all(nodes.map((node) => node.call('/v1/history', { key })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(runningMs() - startedAt).toBeLessThan(15_000)
  await known('reading from the replica')
  expectRefused(await generate(nodes[0], 'a hanging garden'))
  await primary.resume()
  await known('ok')
  expect((await generate(nodes[0], 'a hanging garden')).status).toBe(200)
})

test(
  'where the standby hangs as well a node is not ready, says so at once, and comes back',
  { timeout: 120_000 },
  async () => {
    await serve()
    await Promise.all([primary.stall(), standby.stall()])
    await Promise.all(nodes.map((node) => node.call('/v1/history', { key })))
    await known('unreachable')
    for (const node of nodes) {
      const tookMs = await leastMsOf(async () => {
        expect((await node.call('/readyz')).status).toBe(503)
        expect((await node.call('/v1/history', { key })).status).toBe(503)
      })
      // Far less than a statement may take, and than a check of a load balancer waits.
      expect(tookMs).toBeLessThan(2_000)
    }
    await Promise.all([primary.resume(), standby.resume()])
    await known('ok')
    expect((await nodes[0].call('/v1/history', { key })).status).toBe(200)
  },
)
