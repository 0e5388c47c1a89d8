/** The limits against abuse: shared by all nodes, kept without Redis, and silent about whom they count. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressSubject,
  type Cache,
  CacheDown,
  createNamingTime,
  type LimitBucket,
  openCache,
  openLimits,
} from './source.ts'
import { openOwnRedis } from './nightly/faults/own-redis.ts'
import { onClock, REDIS_TIMEOUT_MS, REDIS_URL } from './redis.ts'

let cache: Cache
beforeAll(async () => {
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
})
afterAll(() => cache.close())

const noCache: Pick<Cache, 'run'> = { run: () => Promise.reject(new CacheDown()) }
const bucketOf = (bucket: Partial<LimitBucket> = {}): LimitBucket => ({
  name: 'sign-in',
  subject: randomUUID(),
  perHour: 60,
  burst: 3,
  ...bucket,
})

describe.each([
  ['with Redis', () => cache],
  ['without Redis', () => noCache],
])('%s', (_, cacheOf) => {
  test('an attempt that costs more is let in whole or not at all', async () => {
    const limits = openLimits({ cache: cacheOf(), now: Date.now })
    const bucket = bucketOf({ perHour: 60, burst: 5 })
    expect(await limits.take([{ ...bucket, cost: 3 }])).toEqual({ allowed: true, retryMs: 0 })
    const refused = await limits.take([{ ...bucket, cost: 3 }])
    expect(refused.allowed).toBe(false)
    expect(refused.retryMs).toBeGreaterThan(0)
    expect(refused.retryMs).toBeLessThanOrEqual(60_000)
    expect(await limits.take([{ ...bucket, cost: 2 }])).toEqual({ allowed: true, retryMs: 0 })
    expect((await limits.take([bucket])).allowed).toBe(false)
  })

  test('naming time that was used is charged in full, and owed until it is refilled', async () => {
    const clock = { at: 1_700_000_000_000 }
    const limits = openLimits({ cache: onClock(cacheOf(), clock), now: () => clock.at })
    const faults: unknown[] = []
    const time = createNamingTime({
      limits,
      perMinute: { account: 6, visitor: 60 },
      onFault: (error) => void faults.push(error),
    })
    const subject = { kind: 'account' as const, id: randomUUID() }
    const use = async (cpuMs: number) => {
      time.charge(subject, cpuMs)
      // A later one arrives later.
      await time.require(subject).catch(() => undefined)
    }
    await use(5_900)
    await time.require(subject)
    await use(3_100)
    await expect(time.require(subject)).rejects.toMatchObject({
      code: 'rate_limited',
      detail: { retryAfter: 30 },
    })
    clock.at += 29_000
    await expect(time.require(subject)).rejects.toMatchObject({ detail: { retryAfter: 1 } })
    // Others have their own.
    await time.require({ ...subject, id: randomUUID() })
    await time.require({ ...subject, kind: 'visitor' })
    clock.at += 1_000
    await time.require(subject)
    await time.wait(subject, AbortSignal.abort())
    await use(500)
    await expect(time.wait(subject, AbortSignal.abort())).rejects.toThrow()
    expect(faults).toEqual([])
  })

  test('the burst passes, the next is refused, and retryMs keeps its word', async () => {
    const clock = { at: 1_700_000_000_000 }
    const limits = openLimits({ cache: onClock(cacheOf(), clock), now: () => clock.at })
    const bucket = bucketOf()
    for (let i = 0; i < 3; i++) expect(await limits.take([bucket])).toEqual({ allowed: true, retryMs: 0 })
    const refused = await limits.take([bucket])
    expect(refused.allowed).toBe(false)
    expect(refused.retryMs).toBe(60_000)
    clock.at += refused.retryMs
    expect((await limits.take([bucket])).allowed).toBe(true)
    expect((await limits.take([bucket])).allowed).toBe(false)
  })

  test('refused attempts do not put off the next', async () => {
    const clock = { at: 1_700_000_000_000 }
    const limits = openLimits({ cache: onClock(cacheOf(), clock), now: () => clock.at })
    const bucket = bucketOf({ burst: 1 })
    await limits.take([bucket])
    const refusals = await Promise.all(Array.from({ length: 50 }, () => limits.take([bucket])))
    expect(refusals.some(({ allowed }) => allowed)).toBe(false)
    clock.at += 60_000
    expect((await limits.take([bucket])).allowed).toBe(true)
  })

  test('one closed door is enough, and the one that opens last says when', async () => {
    const limits = openLimits({ cache: cacheOf(), now: Date.now })
    const [hourly, minutely, wide] = [
      bucketOf({ perHour: 1, burst: 1 }),
      bucketOf({ perHour: 60, burst: 1 }),
      bucketOf({ burst: 100 }),
    ]
    expect((await limits.take([hourly, wide])).allowed).toBe(true)
    expect((await limits.take([minutely, wide])).allowed).toBe(true)
    const { allowed, retryMs } = await limits.take([minutely, hourly, wide])
    expect(allowed).toBe(false)
    expect(retryMs).toBeGreaterThan(3_500_000)
    expect(retryMs).toBeLessThanOrEqual(3_600_000)
    expect((await limits.take([wide])).allowed).toBe(true)
  })

  test('doors and subjects are counted apart', async () => {
    const limits = openLimits({ cache: cacheOf(), now: Date.now })
    const bucket = bucketOf({ burst: 1 })
    expect((await limits.take([bucket])).allowed).toBe(true)
    expect((await limits.take([{ ...bucket, name: 'reset' }])).allowed).toBe(true)
    expect((await limits.take([{ ...bucket, subject: randomUUID() }])).allowed).toBe(true)
    expect((await limits.take([bucket])).allowed).toBe(false)
  })

  test('no doors let everybody through', async () => {
    expect(await openLimits({ cache: cacheOf(), now: Date.now }).take([])).toEqual({ allowed: true, retryMs: 0 })
  })
})

test('all nodes count together', async () => {
  const [one, other] = [openLimits({ cache, now: Date.now }), openLimits({ cache, now: Date.now })]
  const bucket = bucketOf({ burst: 7 })
  const takes = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : other).take([bucket])))
  expect(takes.filter(({ allowed }) => allowed)).toHaveLength(7)
})

test('a Redis that goes leaves each node counting for itself, and is asked again when it is back', async () => {
  await using redis = await openOwnRedis()
  const own = await openCache({ urls: [redis.url], timeoutMs: REDIS_TIMEOUT_MS })
  const limits = openLimits({ cache: own, now: Date.now })
  const bucket = bucketOf({ burst: 2 })
  const takeThree = async () => {
    const allowed: boolean[] = []
    for (let i = 0; i < 3; i++) allowed.push((await limits.take([bucket])).allowed)
    return allowed
  }
  expect(await takeThree()).toEqual([true, true, false])
  await redis.kill()
  expect(await takeThree()).toEqual([true, true, false])
  await redis.start()
  while (own.state() !== 'up') await sleep(20)
  // It has forgotten, as it may.
  expect(await takeThree()).toEqual([true, true, false])
  await own.close()
})

test('without Redis five nodes admit together what one rate allows, and each a fifth of it', async () => {
  let at = 0
  const nodes = Array.from({ length: 5 }, () => openLimits({ cache: noCache, now: () => at, nodes: 5 }))
  const bucket = bucketOf({ perHour: 3_600, burst: 10 })
  const taken = async () => {
    const takes = await Promise.all(nodes.flatMap((node) => Array.from({ length: 20 }, () => node.take([bucket]))))
    return takes.filter(({ allowed }) => allowed).length
  }
  expect(await taken()).toBe(10)
  // One a second for all of them is one in five seconds for each.
  at += 4_000
  expect(await taken()).toBe(0)
  at += 1_000
  expect(await taken()).toBe(5)
})

test('without Redis what fits at once still does, and is then the only one for a while', async () => {
  let at = 0
  const node = openLimits({ cache: noCache, now: () => at, nodes: 10 })
  const bucket = bucketOf({ perHour: 3_600, burst: 100, cost: 80 })
  expect((await node.take([bucket])).allowed).toBe(true)
  at += 790_000
  expect((await node.take([bucket])).allowed).toBe(false)
  at += 10_000
  expect((await node.take([bucket])).allowed).toBe(true)
  expect((await node.take([{ ...bucket, cost: 101 }])).allowed).toBe(false)
})

test('without Redis the memory is bounded: beyond ten thousand the oldest is forgotten', async () => {
  const limits = openLimits({ cache: noCache, now: () => 1_000_000 })
  const buckets = Array.from({ length: 10_000 }, (_, i) => bucketOf({ subject: `s${i}`, burst: 1 }))
  for (const bucket of buckets) await limits.take([bucket])
  const [first = bucketOf(), second = bucketOf()] = buckets
  expect((await limits.take([first])).allowed).toBe(false)
  await limits.take([bucketOf({ burst: 1 })])
  expect((await limits.take([second])).allowed).toBe(false)
  expect((await limits.take([first])).allowed).toBe(true)
})

test('Redis learns nobody’s address', async () => {
  await using redis = await openOwnRedis()
  const own = await openCache({ urls: [redis.url], timeoutMs: REDIS_TIMEOUT_MS })
  const limits = openLimits({ cache: own, now: Date.now })
  await limits.take([bucketOf({ subject: 'ada@example.com' }), bucketOf({ subject: addressSubject('192.0.2.44') })])
  const client = new Redis(redis.url)
  const keys = await client.keys('*')
  const stored = [...keys, ...(await client.mget(keys))].join(' ')
  client.disconnect()
  await own.close()
  expect(keys).toHaveLength(2)
  for (const key of keys) expect(key).toMatch(/^li:\{sign-in:[0-9a-f]{64}\}$/)
  // Values are times in milliseconds, which may contain any digits: only whole addresses and letters are looked for.
  expect(stored).not.toMatch(/ada@|example|192\.0/)
})

test('a bucket leaves Redis by itself once it is whole again', async () => {
  const bucket = bucketOf({ perHour: 3_600, burst: 5 })
  let ttlMs: unknown
  // Read by the same script: time goes on between two.
  const spied: Pick<Cache, 'run'> = {
    async run(lua, keys, args) {
      const text = `${lua.replace('return {', 'local taken = {')} taken[5] = redis.call('PTTL', KEYS[1]) return taken`
      const taken = await cache.run(text, keys, args)
      ttlMs = taken[4]
      return taken
    },
  }
  await openLimits({ cache: spied, now: Date.now }).take([bucket])
  expect(ttlMs).toBeGreaterThan(1_000)
  expect(ttlMs).toBeLessThanOrEqual(2_000)
})

test('a list of doors is one round trip', async () => {
  await using redis = await openOwnRedis()
  const talk = await openTap(Number(new URL(redis.url).port))
  const own = await openCache({ urls: [talk.url], timeoutMs: REDIS_TIMEOUT_MS })
  const limits = openLimits({ cache: own, now: Date.now })
  const buckets = Array.from({ length: 5 }, () => bucketOf())
  // The first time Redis does not have the script yet.
  await limits.take(buckets)
  const before = talk.sent()
  await limits.take(buckets)
  expect(talk.sent() - before).toBe(1)
  await own.close()
  await talk.close()
})

/** Between a client and a Redis: how many times the client has sent something. */
async function openTap(port: number) {
  let sent = 0
  const server = createServer((client) => {
    const redis = connect({ host: '127.0.0.1', port })
    client.on('data', () => sent++)
    for (const socket of [client, redis]) socket.on('error', () => {})
    client.pipe(redis)
    redis.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
