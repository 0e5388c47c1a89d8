/** Degraded, without a primary: reading goes on, generating goes on, and nothing is lost or doubled. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openOwnPostgres } from '../../own-postgres.ts'
import type { OwnPostgres } from '../../own-postgres.ts'
import { openWorld, WIDE_QUOTA } from '../../world.ts'
import type { Answer, Node, World } from '../../world.ts'
import { openOwnRedis } from './own-redis.ts'
import type { OwnRedis } from './own-redis.ts'
import { runningMs } from '../../../../scripts/test/running-ms.ts'

let primary: OwnPostgres
let standby: OwnPostgres
let redis: OwnRedis
let world: World
let folder: string
let env: Record<string, string>
let nodes: [Node, Node]
let account: Awaited<ReturnType<World['makeAccount']>>
let key: string

beforeAll(async () => {
  primary = await openOwnPostgres()
  redis = await openOwnRedis()
  folder = await mkdtemp(`${tmpdir()}/namewright-journal-`)
  world = await openWorld({ NAMEWRIGHT_REDIS_URL: redis.url, NAMEWRIGHT_MIGRATE: 'manual' }, primary.adminUrl)
  standby = await primary.follow()
  const database = new URL(world.databaseUrl).pathname.slice(1)
  const standbyUrl = standby.adminUrl.replace(/[^/]+$/, database)
  // What is acknowledged is on the standby too, and can be read there.
  await world.owner.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await world.owner.query('ALTER SYSTEM SET synchronous_commit = remote_apply')
  await world.owner.query('SELECT pg_reload_conf()')
  env = { NAMEWRIGHT_STANDBY_URL: standbyUrl }
  nodes = [await start('a'), await start('b')]
  account = await world.makeAccount()
  key = (await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 100_000 } })).secret
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await primary[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
afterEach(async () => {
  await primary.start().catch(() => {})
})

function start(name: string): Promise<Node> {
  return world.startNode({ ...env, NAMEWRIGHT_DATA_DIR: `${folder}/${name}` })
}

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

/** What the primary has, read past everything under test. */
async function facts(): Promise<{ described: Map<string, number>; used: number; named: number; marks: number }> {
  const client = new pg.Client(world.databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ description: string; times: number; named: number }>(
      `SELECT description, count(*)::int AS times, sum(jsonb_array_length(suggestions))::int AS named
       FROM history WHERE account_id = $1 GROUP BY description`,
      [account],
    )
    const sums = await client.query<{ used: number; marks: number }>(
      `SELECT (SELECT sum(used)::int FROM quota_block WHERE account_id = $1) AS used,
         (SELECT count(*)::int FROM deferred_commit WHERE account_id = $1) AS marks`,
      [account],
    )
    return {
      described: new Map(rows.map(({ description, times }) => [description, times])),
      named: rows.reduce((sum, row) => sum + row.named, 0),
      used: sums.rows[0]?.used ?? 0,
      marks: sums.rows[0]?.marks ?? 0,
    }
  } finally {
    await client.end()
  }
}

/** Of three in a row: a busy machine can hold up one of them. */
async function timesOf(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const startedAt = runningMs()
    await work()
    times.push(runningMs() - startedAt)
  }
  return times
}

async function waitingFiles(name: string): Promise<string[]> {
  return (await readdir(`${folder}/${name}/journal`)).filter((file) => file.endsWith('.journal'))
}

test('without a primary callers read, generate and are told at once what must wait', { timeout: 120_000 }, async () => {
  const [node] = nodes
  expect((await node.call('/v1/favorites', { key, body: { domain: 'fernhill.com' } })).status).toBe(201)
  await takeDown()
  const readyz = await node.call('/readyz')
  expect(readyz.status).toBe(200)
  const history = await node.call('/v1/history', { key })
  expect(history.json.data.history.length).toBeGreaterThan(0)
  expect((await node.call('/v1/favorites', { key })).json.data.favorites).toHaveLength(1)

  const deferred = await generate(node, 'a florist while the primary is away')
  expect([deferred.status, deferred.headers.get('namewright-history')]).toEqual([200, 'deferred'])
  expect(deferred.json.data.suggestions).toHaveLength(2)

  const tookMs = await timesOf(async () => {
    const favorite = await node.call('/v1/favorites', { key, body: { domain: 'mossgate.com' } })
    expect([favorite.status, favorite.json.error.code]).toEqual([503, 'unavailable'])
    expect(Number(favorite.headers.get('retry-after'))).toBeGreaterThan(0)
  })
  // Waiting for a connection would take longer.
  expect(Math.min(...tookMs)).toBeLessThan(2_000)

  await bringBack()
  await expect
    .poll(async () => (await facts()).described.get('a florist while the primary is away'), { timeout: 30_000 })
    .toBe(1)
  const recorded = await generate(node, 'a florist, after')
  expect([recorded.status, recorded.headers.get('namewright-history')]).toEqual([200, null])
})

test(
  'what was answered meanwhile is there once, and paid for, even if its node has died',
  { timeout: 120_000 },
  async () => {
    await takeDown()
    const before = Array.from({ length: 12 }, (_, i) => `a brewery ${i}`)
    const answers = await Promise.all(before.map((text, i) => generate(nodes[i % 2] ?? nodes[0], text)))
    expect(answers.map(({ status }) => status)).toEqual(before.map(() => 200))
    await nodes[1].stop('SIGKILL')
    expect(await waitingFiles('b')).not.toEqual([])
    // One that starts while the primary is down serves, too.
    nodes[1] = await start('b')
    expect((await generate(nodes[1], 'a cider mill')).headers.get('namewright-history')).toBe('deferred')
    await bringBack()
    // A file of a process that has died is believed to be left after half a minute.
    await expect.poll(() => waitingFiles('b'), { timeout: 60_000, interval: 500 }).toEqual([])
    await expect.poll(() => waitingFiles('a'), { timeout: 20_000 }).toEqual([])
    const { described, used, named, marks } = await facts()
    for (const text of [...before, 'a cider mill']) expect([text, described.get(text)]).toEqual([text, 1])
    expect(used).toBe(named)
    expect(marks).toBeGreaterThanOrEqual(before.length + 1)
  },
)

test('an idempotent request is answered the same by another node, and happens once', { timeout: 120_000 }, async () => {
  await takeDown()
  const headers = { 'idempotency-key': 'one-apiary' }
  const first = await generate(nodes[0], 'an apiary', headers)
  const second = await generate(nodes[1], 'an apiary', headers)
  expect(first.headers.get('namewright-history')).toBe('deferred')
  expect([second.status, second.text]).toEqual([200, first.text])
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await generate(nodes[1], 'another apiary', headers)).json.error.code).toBe('idempotency_mismatch')
  await bringBack()
  await expect.poll(async () => (await facts()).described.get('an apiary'), { timeout: 30_000 }).toBe(1)
  await redis.kill()
  await redis.start()
  const third = await generate(nodes[1], 'an apiary', headers)
  expect([third.status, third.text]).toEqual([200, first.text])
  const { described, used, named } = await facts()
  expect(described.get('an apiary')).toBe(1)
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
  expect((await generate(nodes[0], 'a hanging garden')).headers.get('namewright-history')).toBe('deferred')
  await primary.resume()
  await known('ok')
  await expect.poll(async () => (await facts()).described.get('a hanging garden'), { timeout: 30_000 }).toBe(1)
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
      const tookMs = await timesOf(async () => {
        expect((await node.call('/readyz')).status).toBe(503)
        expect((await node.call('/v1/history', { key })).status).toBe(503)
      })
      // Far less than a statement may take, and than a check of a load balancer waits.
      expect(Math.min(...tookMs)).toBeLessThan(2_000)
    }
    await Promise.all([primary.resume(), standby.resume()])
    await known('ok')
    expect((await nodes[0].call('/v1/history', { key })).status).toBe(200)
  },
)
