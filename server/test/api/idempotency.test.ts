/**
 * A POST with an Idempotency-Key happens once: sent again it is the same answer, sent with another body it is refused.
 *
 * `slow` is a node whose resolver never answers, so a request there goes on, unless a test ends its silence.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { LISTED_ROUTES } from '../listed-routes.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { startApp } from '../start-app.ts'
import { request } from '../world.ts'
import type { AccountId, Answer, Node, World } from '../world.ts'

let world: World
let node: Node
let slow: Node
let silence: FakeResolver
let ending = Promise.withResolvers<void>()
beforeAll(async () => {
  world = await startApp()
  silence = await openFakeResolver(async (query) => {
    await ending.promise
    return [answerTo(query, 'servfail')]
  })
  ;[node, slow] = await Promise.all([world.startNode(), world.startNode({ NAMEWRIGHT_DNS_RESOLVERS: silence.address })])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await silence.close()
})

const GENERATE = { description: 'a bakery', count: 2 }
const FAVORITE = { domain: 'free-for-sure-once.com' }
// Nothing remembered may be used, so every round waits for the silent resolver.
const SLOW = { ...GENERATE, verify: 'full', deadline_ms: 30_000 }

async function makeCaller() {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account)
  const post = (path: string, idempotencyKey: string, body: unknown, at: Node = node) =>
    at.call(path, { key, body, headers: { 'idempotency-key': idempotencyKey } })
  return { account, key, post }
}

const rowsOf = async (table: 'history' | 'favorite', account: AccountId) =>
  (await world.owner.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [account])).rowCount

describe.each([
  ['/v1/generate', GENERATE, { ...GENERATE, count: 3 }, 'history'],
  ['/v1/favorites', FAVORITE, { ...FAVORITE, note: 'other' }, 'favorite'],
] as const)('POST %s', (path, body, otherBody, table) => {
  test('sent again is the stored answer, byte for byte, and says so', async () => {
    const { account, post } = await makeCaller()
    const first = await post(path, 'again', body)
    expect(first.status).toBeLessThan(300)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    for (const at of [node, slow, node]) {
      const again = await post(path, 'again', body, at)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.status).toBe(first.status)
      expect(again.text).toBe(first.text)
      for (const name of ['content-type', 'content-language', 'location']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name))
      }
    }
    expect(await rowsOf(table, account)).toBe(1)
  })

  test('sent again with another body is 422 idempotency_mismatch and does nothing', async () => {
    const { account, post } = await makeCaller()
    await post(path, 'mine', body)
    expectError(await post(path, 'mine', otherBody), 422, 'idempotency_mismatch')
    expect(await rowsOf(table, account)).toBe(1)
  })

  test('under the same key of another account is another request', async () => {
    const [one, two] = [await makeCaller(), await makeCaller()]
    await one.post(path, 'ours', body)
    const answer = await two.post(path, 'ours', otherBody)
    expect(answer.status).toBeLessThan(300)
    expect(answer.headers.has('idempotent-replayed')).toBe(false)
    expect(await rowsOf(table, two.account)).toBe(1)
  })

  test('that is refused is not stored: mended, it is a first try', async () => {
    const { account, post } = await makeCaller()
    expectError(await post(path, 'mended', { nonsense: true }), 400, 'invalid_request')
    const mended = await post(path, 'mended', body)
    expect(mended.status).toBeLessThan(300)
    expect(mended.headers.has('idempotent-replayed')).toBe(false)
    expect(await rowsOf(table, account)).toBe(1)
  })

  test('is forgotten after 24 hours, and not before', async () => {
    const { account, post } = await makeCaller()
    const age = (span: string) =>
      world.owner.query(`UPDATE idempotent_answer SET created_at = now() - $2::interval WHERE account_id = $1`, [
        account,
        span,
      ])
    await post(path, 'old', body)
    await age('23 hours 59 minutes')
    expect((await post(path, 'old', body)).headers.get('idempotent-replayed')).toBe('true')
    await age('24 hours 1 second')
    const after = await post(path, 'old', otherBody)
    expect(after.status).toBeLessThan(300)
    expect(after.headers.has('idempotent-replayed')).toBe(false)
    expect((await post(path, 'old', otherBody)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('sent many times at once happens once', async () => {
    const { account, post } = await makeCaller()
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(path, 'storm', body)))
    const done = answers.filter(({ status }) => status < 300)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    expect(done.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
    for (const answer of answers.filter((one) => !done.includes(one)))
      expectError(answer, 409, 'idempotency_in_progress')
    expect(await rowsOf(table, account)).toBe(1)
  })

  test.each(['', 'two words', 'x'.repeat(256), 'schlüssel', 'tab\there'])(
    'with the key %j is 400 invalid_idempotency_key',
    async (bad) => {
      const { account, post } = await makeCaller()
      expectError(await post(path, bad, body), 400, 'invalid_idempotency_key')
      expect(await rowsOf(table, account)).toBe(0)
    },
  )
})

const NOBODYS = '0198d2c4-0000-7000-8000-000000000000'
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/generate': GENERATE,
  'POST /v1/domains/check': { domains: ['free-for-sure-once.com'] },
  'POST /v1/names/check': { names: ['mayfly'], tlds: ['com'] },
  'POST /v1/favorites': FAVORITE,
  'POST /v1/batches': { requests: [GENERATE] },
  'POST /v1/webhooks': { url: 'https://hooks.example.com/', events: ['quota.warning'] },
  'POST /v1/webhooks/{id}/rotate-secret': {},
}

test.each(LISTED_ROUTES.filter(({ name }) => name.startsWith('POST /v1/')))(
  '$name: the Idempotency-Key is $idempotencyKey, as the list of routes says',
  async ({ name, idempotencyKey }) => {
    const { key } = await makeCaller()
    const path = name.replace('POST ', '').replaceAll(/\{\w+\}/g, NOBODYS)
    const headers = { 'idempotency-key': 'two words' }
    const answer = await node.call(path, { key, method: 'POST', body: BODIES[name], headers })
    if (idempotencyKey === 'used') expectError(answer, 400, 'invalid_idempotency_key')
    else expect([200, 404]).toContain(answer.status)
  },
)

test('the order of fields and the format of the response do not make another request', async () => {
  const { account, key, post } = await makeCaller()
  const body = { description: 'a bakery', count: 2, like: ['tea', 'oak'], min_length: 4 }
  const first = await post('/v1/generate', 'reordered', body)
  const reordered = '{ "min_length": 4.0, "like": ["tea", "oak"],  "count": 2, "description": "a b\\u0061kery" }'
  const again = await post('/v1/generate', 'reordered', reordered)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(again.text).toBe(first.text)
  const headers = { 'idempotency-key': 'reordered', accept: 'text/event-stream' }
  const streamed = await request(node.url, '/v1/generate', { key, body: reordered, headers })
  expect([streamed.status, streamed.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(await rowsOf('history', account)).toBe(1)
})

test('nothing is filled in before two bodies are compared', async () => {
  const { account, post } = await makeCaller()
  await post('/v1/generate', 'defaults', GENERATE)
  for (const more of [{ hyphens: false }, { like: [] }, { verify: 'fast' }])
    expectError(await post('/v1/generate', 'defaults', { ...GENERATE, ...more }), 422, 'idempotency_mismatch')
  expect(await rowsOf('history', account)).toBe(1)
})

test('one key cannot serve two endpoints', async () => {
  const { post } = await makeCaller()
  await post('/v1/generate', 'both', GENERATE)
  expectError(await post('/v1/favorites', 'both', FAVORITE), 422, 'idempotency_mismatch')
})

test('the longest key, of visible ASCII, is a good one', async () => {
  const { post } = await makeCaller()
  const longest = `!~"#$%&'()*+,-./:;<=>?@[]^_{|}${'x'.repeat(255)}`.slice(0, 255)
  expect((await post('/v1/generate', longest, GENERATE)).status).toBe(200)
})

test('without a key the same request twice happens twice', async () => {
  const { account, key } = await makeCaller()
  for (let i = 0; i < 2; i++) await node.call('/v1/generate', { key, body: GENERATE })
  expect(await rowsOf('history', account)).toBe(2)
})

describe('while the first is still running', () => {
  beforeEach(() => {
    ending = Promise.withResolvers()
  })

  /** Answers when the request is under way on `slow`. */
  async function begin(post: Awaited<ReturnType<typeof makeCaller>>['post'], idempotencyKey: string) {
    const before = silence.asked.length
    const first = post('/v1/generate', idempotencyKey, SLOW, slow)
    await expect.poll(() => silence.asked.length).toBeGreaterThan(before)
    return { first }
  }

  test('the same again is 409 on every node, and afterwards the stored answer', async () => {
    const { account, post } = await makeCaller()
    const { first } = await begin(post, 'running')
    for (const at of [slow, node]) {
      const second = await post('/v1/generate', 'running', SLOW, at)
      expectError(second, 409, 'idempotency_in_progress')
      expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    ending.resolve()
    const { status, text } = await first
    expect(status).toBe(200)
    const after = await post('/v1/generate', 'running', SLOW)
    expect(after.headers.get('idempotent-replayed')).toBe('true')
    expect(after.text).toBe(text)
    expect(await rowsOf('history', account)).toBe(1)
  })

  test('another body has to wait to be told 422, and another account with the same key has not', async () => {
    const [{ post }, other] = [await makeCaller(), await makeCaller()]
    const { first } = await begin(post, 'altered')
    expect((await other.post('/v1/generate', 'altered', GENERATE)).status).toBe(200)
    // Whoever runs may still fail, and then this body would be the first.
    expectError(await post('/v1/generate', 'altered', GENERATE), 409, 'idempotency_in_progress')
    ending.resolve()
    expect((await first).status).toBe(200)
    expectError(await post('/v1/generate', 'altered', GENERATE), 422, 'idempotency_mismatch')
  })

  test('a caller who hangs up gives the key back, pays nothing and leaves no error in the log', async () => {
    const account = await world.makeAccount()
    const quota = { perMinute: 1000, burst: 1000, perDay: 2, perMonth: null }
    const { secret: key } = await world.makeKey(account, { quota })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'gone' }
    const body = JSON.stringify(SLOW)
    const call = fetch(`${slow.url}/v1/generate`, { method: 'POST', headers, body, signal: AbortSignal.timeout(500) })
    await expect(call).rejects.toThrow(/timeout/i)
    let retried: Answer | undefined
    const retry = async () => {
      const again = { ...GENERATE, deadline_ms: 30_000 }
      retried = await node.call('/v1/generate', { key, body: again, headers: { 'idempotency-key': 'gone' } })
      return retried.status
    }
    // Long before the deadline.
    await expect.poll(retry, { timeout: 10_000 }).toBe(200)
    expect(retried?.json.data.suggestions).toHaveLength(2)
    expect(await rowsOf('history', account)).toBe(1)
    expect(slow.output()).not.toMatch(/"level":50/)
  })
})
