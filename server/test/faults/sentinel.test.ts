/**
 * Redis under Sentinel: the master dies or hangs, the sentinels name another, and nodes move to it by themselves.
 * Meanwhile they serve as they do without Redis.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CacheDown, openCache } from '../../src/platform/cache/cache.ts'
import type { Cache } from '../../src/platform/cache/cache.ts'
import { openWorld, WIDE_QUOTA } from '../world.ts'
import type { Node, World } from '../world.ts'
import { until } from './cluster/child.ts'
import { openSentinels } from './cluster/sentinels.ts'
import type { SentinelRedis } from './cluster/sentinels.ts'

// Long for a Redis on this machine, and short for who waits for one that hangs.
const STALL_TIMEOUT_MS = 300
const SLOW = { timeout: 240_000 }
// A sentinel does nothing for half a minute after its clock seemed to jump, as it does where the processor is busy.
const PATIENT = { forMs: 180_000 }
const COUNT = `return {redis.call('INCR', KEYS[1])}`

let folder: string
let redis: SentinelRedis
let world: World
let nodes: readonly Node[]
beforeAll(async () => {
  folder = await mkdtemp(`${tmpdir()}/namewright-sentinel-`)
  redis = await openSentinels(folder)
  world = await openWorld({
    NAMEWRIGHT_REDIS_URL: redis.url,
    NAMEWRIGHT_REDIS_TIMEOUT_MS: String(STALL_TIMEOUT_MS),
  })
  nodes = [await world.startNode(), await world.startNode()]
}, 240_000)
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await redis?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('a master that is killed is replaced, and whoever counts in Redis counts again', SLOW, async () => {
  const cache = await openCache({ urls: [redis.url], timeoutMs: STALL_TIMEOUT_MS })
  try {
    await countOn(cache)
    const killed = await redis.kill()
    expect(await countOn(cache)).toBeGreaterThan(0)
    await until('the sentinels agree', () => redis.master() !== killed, PATIENT)
    // The last sentinel to learn of it makes the client connect once more.
    await expect.poll(() => cache.isUp()).toBe(true)
  } finally {
    await cache.close()
    await redis.restart()
  }
})

test('a master that hangs keeps its connections, and is left all the same', SLOW, async () => {
  const cache = await openCache({ urls: [redis.url], timeoutMs: STALL_TIMEOUT_MS })
  try {
    await countOn(cache)
    const stalled = redis.stall()
    await countOn(cache)
    await until('the sentinels agree', () => redis.master() !== stalled, PATIENT)
  } finally {
    redis.resume()
    await cache.close()
    await redis.restart()
  }
})

test('nodes answer while there is no master, and afterwards count a rate together again', SLOW, async () => {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account)
  const ask = async (node: Node | undefined) =>
    (await node?.call('/v1/generate', { key, body: { description: 'a bakery', count: 1 } }))?.status
  expect(await ask(nodes[0])).toBe(200)

  const killed = await redis.kill()
  const meanwhile: unknown[] = []
  await until(
    'another master, which both nodes have found',
    async () => {
      meanwhile.push(await ask(nodes[0]), await ask(nodes[1]))
      const ready = await Promise.all(nodes.map((node) => node.call('/readyz')))
      return redis.master() !== killed && ready.every(({ json }) => json.checks.redis === 'ok')
    },
    PATIENT,
  )
  expect(new Set(meanwhile)).toEqual(new Set([200]))

  // Each node alone would let four through.
  await until(
    'both nodes count one rate together',
    async () => {
      const { secret: slowKey } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perMinute: 1, burst: 4 } })
      const statuses: number[] = []
      for (let turn = 0; turn < 4; turn += 1) {
        for (const node of nodes) statuses.push((await node.call('/v1/tlds', { key: slowKey })).status)
      }
      return statuses.join() === '200,200,200,200,429,429,429,429'
    },
    PATIENT,
  )
  await redis.restart()
})

/** Until Redis has counted once more. */
async function countOn(cache: Cache): Promise<number> {
  let counted = 0
  await until(
    'Redis counts',
    async () => {
      try {
        const [answer] = await cache.run(COUNT, ['counted'], [])
        counted = Number(answer)
        return true
      } catch (error) {
        if (error instanceof CacheDown) return false
        throw error
      }
    },
    PATIENT,
  )
  return counted
}
