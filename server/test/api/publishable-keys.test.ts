/** A key that stands in a web page: on which pages it counts, what it may do, and how much of it one visitor gets. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { WIDE_QUOTA } from '../world.ts'
import type { Answer, Node, World } from '../world.ts'

const SHOP = 'https://shop.example'
const BODY = { description: 'a bakery', count: 1 }

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  // The test is the proxy, so that it can be many visitors.
  node = await world.startNode({ NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => world[Symbol.asyncDispose]())

async function makeKey(spec: Parameters<World['makeKey']>[1] = {}) {
  const account = await world.makeAccount()
  const scopes = ['generate', 'domains:check'] as const
  return { account, ...(await world.makeKey(account, { scopes, allowedOrigins: [SHOP], ...spec })) }
}

const PUBLISHABLE = /^nwp_[0-9A-Za-z]{36}$/
const addressOf = () => `198.51.${randomInt(256)}.${randomInt(1, 255)}`

const call = (key: string, { origin = SHOP, from = addressOf(), body = BODY, path = '/v1/generate' } = {}) =>
  node.call(path, { key, body, headers: { 'x-forwarded-for': from, ...(origin === '' ? {} : { origin }) } })

test('says by its text what it is, also when it is rotated', async () => {
  const { account, id, secret } = await makeKey()
  expect(secret).toMatch(PUBLISHABLE)
  const rotated = await world.keys.rotate(account, id, 60)
  expect(rotated?.secret).toMatch(PUBLISHABLE)
  expect((await world.keys.list(account))[0]?.prefix).toBe(`${rotated?.secret.slice(0, 8)}…`)
  expect((await call(secret)).status).toBe(200)
  expect((await call(rotated?.secret ?? '')).status).toBe(200)
})

describe('counts only on its pages:', () => {
  test('the one that is named, and names one level below where a star stands', async () => {
    const { secret } = await makeKey({ allowedOrigins: [SHOP, 'https://*.shop.example', 'http://localhost:3000'] })
    for (const origin of [SHOP, 'https://www.shop.example', 'http://localhost:3000'])
      expect((await call(secret, { origin })).status, origin).toBe(200)
    for (const origin of ['', 'null', 'https://evil.example', 'https://a.b.shop.example', 'http://shop.example'])
      expectError(await call(secret, { origin }), 403, 'origin_not_allowed')
  })

  test('an ordinary key does not care', async () => {
    const { secret } = await makeKey({ allowedOrigins: [] })
    expect(secret).toMatch(/^nw_[0-9A-Za-z]{36}$/)
    expect((await call(secret, { origin: 'https://evil.example' })).status).toBe(200)
    expect((await call(secret, { origin: '' })).status).toBe(200)
  })
})

describe('may do little:', () => {
  test('generate and check, and what is generated is in the history of its account', async () => {
    const { account, secret } = await makeKey()
    expect((await call(secret)).status).toBe(200)
    const body = { domains: ['free-for-sure-example.com'] } as never
    expect((await call(secret, { path: '/v1/domains/check', body })).status).toBe(200)
    const { secret: owner } = await world.makeKey(account)
    const history = await node.call('/v1/history', { key: owner })
    expect(history.json.data.history).toHaveLength(1)
    const headers = { origin: SHOP }
    expectError(await node.call('/v1/history', { key: secret, headers }), 403, 'insufficient_scope')
    expectError(await node.call('/v1/usage', { key: secret, headers }), 403, 'insufficient_scope')
  })

  test('the database itself refuses it more', async () => {
    const { account, id } = await makeKey()
    await expect(makeKey({ scopes: ['generate', 'history:read'] })).rejects.toThrow('api_key_publishable')
    await expect(world.keys.change(account, id, { scopes: ['webhooks'] })).rejects.toThrow('api_key_publishable')
  })

  test('it cannot take the idempotency keys of the account', async () => {
    const { account, secret } = await makeKey()
    const { secret: own } = await world.makeKey(account)
    const headers = { 'idempotency-key': 'cart-4711-1', origin: SHOP }
    const ask = (key: string, description: string) =>
      node.call('/v1/generate', { key, headers, body: { description, count: 1 } })
    expect((await ask(secret, 'a ferry')).status).toBe(200)
    expect((await ask(secret, 'a ferry')).headers.get('idempotent-replayed')).toBe('true')
    const first = await ask(own, 'a bakery')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    expectError(await ask(secret, 'a bakery'), 422, 'idempotency_mismatch')
  })

  test('it is no key at /mcp', async () => {
    const { secret } = await makeKey()
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expectError(await node.call('/mcp', { key: secret, body }), 401, 'invalid_token')
  })
})

describe('one visitor', () => {
  const AT_ONCE = 30
  const ANOTHER_EVERY_MS = 2_000

  /** How many were let in before the first that was not, and how many that may be: while this is counted, time goes on. */
  async function countUntilRefused(ask: (nth: number) => Promise<Answer>) {
    const startedAt = performance.now()
    for (let nth = 0; ; nth++) {
      const answer = await ask(nth)
      const most = AT_ONCE + 1 + Math.floor((performance.now() - startedAt) / ANOTHER_EVERY_MS)
      if (answer.status !== 200 || nth > most) return { answer, letIn: nth, most }
    }
  }

  test('is let in thirty times at once; others, and other keys, are not held up', async () => {
    const [one, other] = [await makeKey(), await makeKey()]
    const from = addressOf()
    const { answer: refused, letIn, most } = await countUntilRefused(() => call(one.secret, { from }))
    expectError(refused, 429, 'rate_limited')
    expect(letIn).toBeGreaterThanOrEqual(AT_ONCE)
    expect(letIn).toBeLessThanOrEqual(most)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(2)
    expect((await call(one.secret)).status).toBe(200)
    expect((await call(other.secret, { from })).status).toBe(200)
  })

  test('with many addresses of one network is one', async () => {
    const { secret } = await makeKey()
    const network = `2001:db8:${randomInt(65_536).toString(16)}:7::`
    const { answer, letIn, most } = await countUntilRefused((nth) =>
      call(secret, { from: `${network}${(nth + 1).toString(16)}` }),
    )
    expectError(answer, 429, 'rate_limited')
    expect(letIn).toBeLessThanOrEqual(most)
  })

  test('cannot spend the budget of the site', async () => {
    const { secret } = await makeKey({ quota: { ...WIDE_QUOTA, perDay: 100 } })
    const from = addressOf()
    const body = { description: 'a bakery', count: 5 }
    expect((await call(secret, { from, body })).status).toBe(200)
    expect((await call(secret, { from, body })).status).toBe(200)
    const refused = await call(secret, { from, body })
    expectError(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600)
    expect((await call(secret, { body })).status).toBe(200)
  })

  test('cannot have any number of domains checked', async () => {
    const { secret } = await makeKey()
    const from = addressOf()
    const ask = (count: number) => {
      const domains = Array.from({ length: count }, (_, i) => `free-for-sure-${i}.com`)
      return call(secret, { from, path: '/v1/domains/check', body: { domains } as never })
    }
    expect((await ask(199)).status).toBe(200)
    expect((await ask(1)).status).toBe(200)
    expectError(await ask(20), 429, 'rate_limited')
  })

  test('may ask once even where the budget is small', async () => {
    const { secret } = await makeKey({ quota: { ...WIDE_QUOTA, perMonth: 30 } })
    const from = addressOf()
    expect((await call(secret, { from, body: { description: 'a bakery', count: 5 } })).status).toBe(200)
    expectError(await call(secret, { from }), 429, 'rate_limited')
  })
})
