/**
 * A Redis Cluster carries all that nodes share, although no two keys need live on the same node of it; and when one of
 * its masters dies or hangs, the service goes on, counts for itself meanwhile, and finds who took over.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordsOf, spentBy } from '../../readings.ts'
import { REDIS_TIMEOUT_MS } from '../../redis.ts'
import { WIDE_QUOTA } from '../../world.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import {
  accountRateName,
  type Cache,
  CacheDown,
  dropCounts,
  forgetKeys,
  openBudget,
  openCache,
  openLimits,
  rateName,
} from '../../source.ts'
import { until } from './cluster/child.ts'
import { openFleet } from './fleet.ts'
import { openOwnRedisCluster } from './own-redis-cluster.ts'
import type { OwnRedisCluster } from './own-redis-cluster.ts'

// Long for a Redis on this machine, and short for who waits for one that hangs.
const STALL_TIMEOUT_MS = 300
const SLOW = { timeout: 180_000 }
const EXACT = { timeout: 60_000 }
const BODY = { description: 'a bakery by the sea', count: 2, tlds: ['com', 'net', 'org'], deadline_ms: 30_000 }

let redis: OwnRedisCluster
let world: World
let nodes: readonly [Node, Node]
let caches: readonly [Cache, Cache]
/** Those that do not wait for a Redis that hangs. */
let hastyNodes: typeof nodes
let hastyCaches: typeof caches
beforeAll(async () => {
  redis = await openOwnRedisCluster()
  world = await startApp({ own: true, settings: { NAMEWRIGHT_REDIS_URL: redis.urls.join(','), NAMEWRIGHT_NODES: '2' } })
  nodes = [await world.startNodeProcess(), await world.startNodeProcess()]
  const hasty = { NAMEWRIGHT_REDIS_TIMEOUT_MS: String(STALL_TIMEOUT_MS) }
  hastyNodes = [await world.startNodeProcess(hasty), await world.startNodeProcess(hasty)]
  const open = (timeoutMs: number) => openCache({ urls: redis.urls, timeoutMs })
  caches = [await open(REDIS_TIMEOUT_MS), await open(REDIS_TIMEOUT_MS)]
  hastyCaches = [await open(STALL_TIMEOUT_MS), await open(STALL_TIMEOUT_MS)]
}, 180_000)
afterAll(async () => {
  await Promise.all([...(caches ?? []), ...(hastyCaches ?? [])].map((cache) => cache.close()))
  await world?.[Symbol.asyncDispose]()
  await redis?.[Symbol.asyncDispose]()
})

test('keys of all three masters are written and read in one call, however long they are to live', EXACT, async () => {
  const keys = Array.from({ length: 60 }, () => `x:${randomUUID()}`)
  expect(new Set(keys.map((key) => redis.masterOf(key))).size).toBe(3)
  await caches[0].setMany(keys.map((key) => ({ key, value: `of ${key}`, ttlMs: 60_000.5 })))
  expect(await caches[1].getMany(keys)).toEqual(keys.map((key) => `of ${key}`))
  expect(await forgetKeys(redis.urls, 'x:')).toBe(60)
  expect(await caches[0].getMany(keys)).toEqual(keys.map(() => null))
})

test('a claim is one for all nodes, and only its holder gives it up', EXACT, async () => {
  const key = `x:${randomUUID()}`
  expect(await caches[0].claim(key, 'first', 60_000)).toBeNull()
  expect(await caches[1].claim(key, 'second', 60_000)).toBe('first')
  await caches[1].release(key, 'second')
  expect(await caches[1].claim(key, 'second', 60_000)).toBe('first')
  await caches[0].release(key, 'first')
  expect(await caches[1].claim(key, 'second', 60_000)).toBeNull()
})

test('a script whose keys belong to different nodes is our mistake, and does not pass as an outage', async () => {
  const script = `return {redis.call('EXISTS', unpack(KEYS))}`
  for (const keys of [
    ['x:one', 'x:two'],
    ['x:{one}', 'x:{two}'],
    ['x:{one}', 'x:two'],
  ]) {
    const refused: unknown = await caches[0].run(script, keys, []).catch((error: unknown) => error)
    expect(String(refused)).toMatch(/share no hash tag/)
    expect(refused).not.toBeInstanceOf(CacheDown)
  }
  expect(await caches[0].run(script, ['x:{one}', 'y:{one}'], [])).toEqual([0])
})

test('names are generated and domains checked, and verdicts are shared through the cluster', EXACT, async () => {
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const domains = Array.from({ length: 20 }, () => `${randomUUID().slice(0, 18)}.com`)
  for (const node of nodes) {
    const generated = await node.call('/v1/generate', { key, body: BODY })
    expect(generated.status, generated.text).toBe(200)
    expect(generated.json.data.suggestions).toHaveLength(2)
    expect((await node.call('/v1/domains/check', { key, body: { domains, deadline_ms: 30_000 } })).status).toBe(200)
  }
  await until('verdicts in the cluster', async () => {
    const kept = await caches[0].getMany(domains.map((domain) => `av:3:${domain}`))
    return kept.filter((value) => value !== null).length === domains.length
  })
})

test('two nodes count one rate together', EXACT, async () => {
  await expectSharedRate(nodes)
})

test('doors and hosts have one limit for all nodes', EXACT, async () => {
  const subject = randomUUID()
  const limits = caches.map((cache) => openLimits({ cache, now: Date.now }))
  const host = `${randomUUID()}.test`
  // One a minute.
  const start = 1 / 60
  const budgets = caches.map((cache) => openBudget({ cache, now: Date.now, start }))
  let [passed, granted] = [0, 0]
  for (let turn = 0; turn < 12; turn += 1) {
    const buckets = ['sign-in', 'sign-up', 'reset'].map((name) => ({ name, subject, perHour: 1, burst: 7 }))
    if ((await limits[turn % 2]?.take(buckets))?.allowed === true) passed += 1
    granted += (await budgets[turn % 2]?.take(host, 1)) ?? 0
  }
  expect(passed).toBe(7)
  const alone = openBudget({ cache: caches[0], now: Date.now, start })
  let burst = 0
  const other = `${randomUUID()}.test`
  for (let turn = 0; turn < 12; turn += 1) burst += await alone.take(other, 1)
  // What twelve turns of two get is what twelve turns of one get, but for a minute that may have passed meanwhile.
  expect(Math.abs(granted - burst)).toBeLessThanOrEqual(1)
  expect(burst).toBeLessThan(12)
})

test('a key used twice at the same time, at two nodes, has one effect', EXACT, async () => {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account)
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, turn) =>
      nodes[turn % 2 === 0 ? 0 : 1].call('/v1/generate', { key, body: BODY, headers }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(statuses).toContain(200)
  expect([await recordsOf(world, account), await spentBy(world, account)]).toEqual([1, 2])
})

test('the counts of a key that is no more are dropped together', EXACT, async () => {
  const accountId = await world.makeAccount()
  const { id: keyId } = await world.makeKey(accountId)
  const names = [rateName({ accountId, keyId }), accountRateName(accountId)]
  for (const name of names) await caches[0].run(`redis.call('SET', KEYS[1], '1') return {}`, [name], [])
  await dropCounts(caches[1], accountId, [keyId], Date.now())
  expect(await caches[0].getMany(names)).toEqual([null, null])
})

test(
  'a master is killed while a budget is spent: nothing beyond it, every attempt answered, all of it usable',
  SLOW,
  async () => {
    const limit = 3_000
    const fleet = await openFleet(world, { limit, redisUrl: redis.urls.join(' ') })
    const run = fleet.spend(2, { attempts: limit, concurrency: 16, sizes: 'mixed' })
    try {
      await fleet.usedAtLeast(limit / 4)
      await redis.kill(redis.masterOf(rateName(fleet.caller)))
      const tally = await run
      expect(tally.attempts).toBe(limit)
      expect(tally.failures).toEqual({})
      const after = await fleet.ledger()
      expect(after.used).toBe(tally.units)
      expect(after.leased).toBeLessThanOrEqual(limit)
      expect(after.granted).toBeLessThanOrEqual(limit)

      expect(await fleet.spendUpTo(limit, tally.units)).toBe(limit)
      expect(await fleet.ledger()).toMatchObject({ used: limit, granted: limit, leased: limit })
    } finally {
      await run.catch(() => {})
      await redis.restart()
    }
  },
)

test.each(['killed', 'stopped'] as const)(
  'a master is %s: every caller is served, and soon all count together again',
  SLOW,
  async (how) => {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account)
    const victim = redis.masterOf(accountRateName(account))
    expect(victim).not.toBe(0)
    if (how === 'killed') await redis.kill(victim)
    else redis.stall(victim)
    const at = performance.now()
    const statuses: number[] = []
    try {
      await until('the cluster counts for this key again', async () => {
        for (const node of hastyNodes) {
          statuses.push((await node.call('/v1/generate', { key, body: { ...BODY, count: 1 } })).status)
          statuses.push((await node.call('/v1/tlds', { key })).status)
        }
        const counted = await Promise.all(hastyCaches.map((cache) => countedBy(cache, `x:{${account}}`)))
        return redis.masterOf(accountRateName(account)) !== victim && counted.every(Boolean)
      })
      console.log(
        `a master ${how}: back after ${Math.round(performance.now() - at)} ms, ${statuses.length} calls meanwhile`,
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(await spentBy(world, account)).toBe(statuses.length / 2)
      await until('both nodes count one rate together', () =>
        expectSharedRate(hastyNodes).then(
          () => true,
          () => false,
        ),
      )
    } finally {
      redis.resume(victim)
      await redis.restart()
    }
  },
)

/** Each node alone would let more through: half of the burst each, rounded up. */
async function expectSharedRate(both: typeof nodes): Promise<void> {
  const quota = { ...WIDE_QUOTA, perMinute: 1, burst: 5 }
  const { secret: key } = await world.makeKey(await world.makeAccount(), { quota })
  const statuses: number[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    for (const node of both) statuses.push((await node.call('/v1/tlds', { key })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
}

async function countedBy(cache: Cache, key: string): Promise<boolean> {
  try {
    await cache.run(`return {redis.call('INCR', KEYS[1])}`, [key], [])
    return true
  } catch (error) {
    if (error instanceof CacheDown) return false
    throw error
  }
}
