/** What is kept of a stream: in order, by one writer at a time, not too much of it, and not for long. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCache } from '../../src/platform/cache/cache.ts'
import type { Cache } from '../../src/platform/cache/cache.ts'
import { openStreams } from '../../src/automation/streams/streams.ts'
import type { KeptEvent, StreamLog, Streams } from '../../src/automation/streams/streams.ts'
import { REDIS_TIMEOUT_MS, REDIS_URL } from '../redis.ts'

const SUBJECT = { account: crypto.randomUUID(), request: 'POST /v1/generate' }

let cache: Cache
let streams: Streams
beforeAll(async () => {
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
  streams = openStreams({ cache })
})
afterAll(() => cache.close())

const event = (data: string): KeptEvent => ({ event: 'domain', data: JSON.stringify(data) })
const again = (log: StreamLog, subject = SUBJECT) => streams.resume(subject, log.token, 1000)
const textsOf = async (log: StreamLog) => (await log.listen()).map(({ data }) => JSON.parse(data) as string)

async function append(log: StreamLog, ...texts: string[]): Promise<void> {
  for (const text of texts) log.keep(event(text))
  await log[Symbol.asyncDispose]()
}

test('what was told is heard in its order, by who has token, request and account', async () => {
  const log = streams.begin(SUBJECT, 1000)
  await append(log, 'a', 'b c', 'd\n“e”')
  expect(log.length).toBe(3)
  const reader = again(log)
  expect(await textsOf(reader)).toEqual(['a', 'b c', 'd\n“e”'])
  expect(await textsOf(reader)).toEqual([])
  expect(await textsOf(again(log, { ...SUBJECT, account: crypto.randomUUID() }))).toEqual([])
  expect(await textsOf(again(log, { ...SUBJECT, request: 'POST /v1/domains/check' }))).toEqual([])
})

test('only one works on it at a time, and the next goes on behind what is there', async () => {
  const log = streams.begin(SUBJECT, 60_000)
  log.keep(event('a'))
  const [second, third] = [again(log), again(log)]
  await expect.poll(() => textsOf(second)).toEqual(['a'])
  expect(await second.claim()).toBe(false)
  await log[Symbol.asyncDispose]()
  expect(await second.claim()).toBe(true)
  expect(await third.claim()).toBe(false)
  await append(second, 'b')
  expect(await textsOf(third)).toEqual(['a', 'b'])
})

test('who lost the claim, or does not know what is there, adds nothing', async () => {
  const log = streams.begin(SUBJECT, 60_000)
  await append(log, 'a')
  const [one, other] = [again(log), again(log)]
  await Promise.all([one.listen(), other.listen()])
  expect(await one.claim()).toBe(true)
  await append(other, 'lost')
  await append(one, 'b')
  await append(again(log), 'blind')
  expect(await textsOf(again(log))).toEqual(['a', 'b'])
})

test('more than 2 MiB are not kept', async () => {
  const log = streams.begin(SUBJECT, 1000)
  await append(log, ...Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(100_000)}`))
  const kept = await textsOf(again(log))
  expect(kept.length).toBeLessThan(22)
})

test('it is gone after five minutes', async () => {
  const redis = new Redis(REDIS_URL)
  const before = new Set(await redis.keys('s:{*'))
  await append(streams.begin(SUBJECT, 1000), 'a')
  const [made = ''] = (await redis.keys('s:{*')).filter((name) => !before.has(name))
  const ms = await redis.pttl(made)
  expect(ms).toBeGreaterThan(290_000)
  expect(ms).toBeLessThanOrEqual(300_000)
  redis.disconnect()
})

test('without Redis everybody works, and nothing is found', async () => {
  const unreachable = await openCache({ urls: ['redis://127.0.0.1:9'], timeoutMs: REDIS_TIMEOUT_MS })
  const log = openStreams({ cache: unreachable }).begin(SUBJECT, 1000)
  await append(log, 'a', 'b')
  expect(await log.listen()).toEqual([])
  expect(await log.claim()).toBe(true)
  await unreachable.close()
})
