/** What callers meet when the budget of the only registrar is used up: they wait, and get a Retry-After. Strict mode. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readStream } from '../stream-reader.ts'
import { openStrictWorld } from '../strict-world.ts'
import type { StrictWorld } from '../strict-world.ts'
import type { Node } from '../world.ts'

let strict: StrictWorld
let node: Node
let key: string
let redis: Redis
beforeAll(async () => {
  strict = await openStrictWorld()
  node = await strict.startNode()
  key = (await strict.world.makeKey(await strict.world.makeAccount())).secret
  redis = new Redis(strict.world.env['NAMEWRIGHT_REDIS_URL'] ?? '')
})
afterAll(async () => {
  await redis.quit()
  await strict[Symbol.asyncDispose]()
})
beforeEach(() => strict.forget())

// Nothing remembered is used, so that the registrar is asked each time.
const BODY = { description: 'a library with a garden', count: 3, tlds: ['com'], verify: 'full' }
const generate = (more: object) => node.call('/v1/generate', { key, body: { ...BODY, ...more } })
/** As if the registrar had said so: nobody asks it before. */
const pauseFor = (ms: number) => redis.hset('bu:1:{api.vercel.com}', { rate: '1', not_before: Date.now() + ms })

test('a registrar that does not answer in time is no matter of budget', async () => {
  await strict.untilTrusted(node, key)
  strict.registrar.be('silent')
  const { json } = await generate({ deadline_ms: 500 })
  strict.registrar.be('well')
  expect(json.data.shortfall).toEqual({ wanted: 3, returned: 0, reason: 'deadline' })
})

test('twenty requests at once on one request a second all get names', { timeout: 60_000 }, async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, seed) => generate({ seed: seed + 1, deadline_ms: 30_000 })),
  )
  for (const { status, json } of answers) {
    expect(status).toBe(200)
    expect(json.data.suggestions).toHaveLength(3)
  }
})

test('requests that wait for budget hold no connection to the database', { timeout: 60_000 }, async () => {
  await pauseFor(8_000)
  let answered = 0
  const before = strict.registrar.requests.length
  const waiting = Array.from({ length: 40 }, (_, seed) =>
    generate({ seed: seed + 100, deadline_ms: 30_000 }).finally(() => answered++),
  )
  // Four times as many as a node has connections: had each one, nobody else would be served.
  expect((await node.call('/v1/history', { key })).status).toBe(200)
  expect({ answered, asked: strict.registrar.requests.length - before }).toEqual({ answered: 0, asked: 0 })
  for (const { json } of await Promise.all(waiting)) expect(json.data.suggestions).toHaveLength(3)
})

test('when the pause is longer than the deadline the answer says how long it is', async () => {
  await pauseFor(60_000)
  const { status, json } = await generate({ deadline_ms: 10_000 })
  expect(status).toBe(200)
  expect(json.data).toMatchObject({
    suggestions: [],
    shortfall: {
      wanted: 3,
      returned: 0,
      reason: 'availability_unknown',
      sources: [{ source: 'vercel', state: 'rate_limited' }],
    },
  })
  expect(json.data.shortfall.retry_after).toBeGreaterThan(45)
  expect(json.data.shortfall.retry_after).toBeLessThanOrEqual(65)
})

test('a stream says the same in its last event', async () => {
  await pauseFor(60_000)
  const { events } = await readStream(node.url, '/v1/generate', { key, body: { ...BODY, deadline_ms: 10_000 } })
  expect(events.at(-1)?.data.data.shortfall).toMatchObject({
    reason: 'availability_unknown',
    retry_after: expect.any(Number),
  })
})
