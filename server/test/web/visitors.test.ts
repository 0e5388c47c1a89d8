/** What visitors of the web app may do without signing in: by whose key, where, how much, and when not at all. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { kindOf, VISITORS } from '../source.ts'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const OURS = 'https://names.example'
const BODY = { description: 'a bakery', count: 1 }

// Nodes are started in the middle of tests; a busy machine takes its time for each.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

let world: World
let node: Node
beforeAll(async () => {
  // The test is the proxy, so that it can be many visitors.
  world = await startApp({
    own: true,
    settings: { NAMEWRIGHT_PUBLIC_URL: OURS, NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1' },
  })
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

const addressOf = () => `198.51.${randomInt(256)}.${randomInt(1, 255)}`
const keyOf = async (at: Node) => (await at.call('/web/session')).json.data.visitor?.key as string | undefined

const generate = (at: Node, key: string | undefined, { origin = OURS, from = addressOf(), body = BODY } = {}) =>
  at.call('/v1/generate', {
    key: key ?? '',
    body: { ...body, deadline_ms: 30_000 },
    headers: { 'x-forwarded-for': from, origin },
  })

const rowsOf = async (table: string) => (await world.owner.query(`SELECT * FROM ${table}`)).rows as object[]

describe('the key of visitors', () => {
  test('is one and the same on every node, however many make it at once', async () => {
    expect(await rowsOf('account')).toEqual([])
    const nodes = [node, ...(await Promise.all([world.startNode(), world.startNode()]))]
    const keys = await Promise.all(nodes.flatMap((one) => Array.from({ length: 8 }, () => keyOf(one))))
    expect(new Set(keys).size).toBe(1)
    expect(kindOf(keys[0] ?? '')).toBe('nwp')
    expect(await rowsOf('account')).toEqual([
      expect.objectContaining({ id: VISITORS, name: 'Visitors', history_days: 0, is_visitors: true }),
    ])
    expect(await rowsOf('api_key')).toEqual([
      expect.objectContaining({
        scopes: ['generate', 'domains:check'],
        per_day: '2000',
        allowed_origins: [OURS],
        revoked_at: null,
      }),
    ])
    expect(await rowsOf('key_secret')).toHaveLength(1)
    for (const one of nodes) expect((await generate(one, keys[0])).status).toBe(200)
    await Promise.all(nodes.slice(1).map((one) => one.stop()))
  })

  test('counts on our own pages alone, also where a browser does not name them', async () => {
    const key = await keyOf(node)
    expectError(await generate(node, key, { origin: 'https://evil.example' }), 403, 'origin_not_allowed')
    const read = (headers: Record<string, string>) =>
      node.call('/v1/tlds', { key: key ?? '', headers: { 'x-forwarded-for': addressOf(), ...headers } })
    expect((await read({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    for (const site of ['same-site', 'cross-site', 'none'])
      expectError(await read({ 'sec-fetch-site': site }), 403, 'origin_not_allowed')
    expectError(
      await read({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }),
      403,
      'origin_not_allowed',
    )
  })

  test('opens nothing but names and checks, and nothing is kept', async () => {
    const key = (await keyOf(node)) ?? ''
    const headers = { origin: OURS }
    expectError(await node.call('/v1/history', { key, headers }), 403, 'insufficient_scope')
    expect((await generate(node, key)).status).toBe(200)
    expect(await rowsOf('history')).toEqual([])
    expect(await rowsOf('member')).toEqual([])
  })

  test('lets one visitor have two hundred names at once, and others go on when those are gone', async () => {
    const key = await keyOf(node)
    const from = addressOf()
    const body = { description: 'a bakery', count: 50 }
    for (let i = 0; i < 4; i++) expect((await generate(node, key, { from, body })).status).toBe(200)
    expectError(await generate(node, key, { from, body }), 429, 'rate_limited')
    expect((await generate(node, key, { body })).status).toBe(200)
  })
})

describe('the operator', () => {
  test('sets how much all of them together may have', async () => {
    await using own = await startApp({
      own: true,
      settings: {
        NAMEWRIGHT_PUBLIC_URL: OURS,
        NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
        NAMEWRIGHT_PUBLIC_ALLOWANCE: '60',
      },
    })
    const small = await own.startNode()
    const key = await keyOf(small)
    const ask = (count: number) => generate(small, key, { body: { description: 'a ferry', count } })
    expect((await ask(50)).json.data.suggestions).toHaveLength(50)
    expectError(await ask(20), 429, 'quota_exceeded')
    expect((await ask(10)).status).toBe(200)
    expectError(await ask(1), 429, 'quota_exceeded')
  })

  test('moves the service, and the key moves along', async () => {
    const before = await keyOf(node)
    const moved = await world.startNode({ NAMEWRIGHT_PUBLIC_URL: 'https://moved.example' })
    const key = await keyOf(moved)
    expect(key).toBe(before)
    expect((await generate(moved, key, { origin: 'https://moved.example' })).status).toBe(200)
    expectError(await generate(moved, key), 403, 'origin_not_allowed')
    expect(await rowsOf('api_key')).toHaveLength(1)
    await moved.stop()
  })

  test('changes the secret, and pages that stand open go on for an hour', async () => {
    const before = await keyOf(node)
    const changed = await world.startNode({ NAMEWRIGHT_SECRET: 'y'.repeat(40) })
    const after = await keyOf(changed)
    expect(after).not.toBe(before)
    expect((await generate(changed, after)).status).toBe(200)
    expect((await generate(changed, before)).status).toBe(200)
    const { rows } = await world.owner.query<{ lives: boolean }>(
      `SELECT expires_at IS NULL AS lives FROM key_secret WHERE expires_at IS NULL OR expires_at <= now() + interval '1 hour'`,
    )
    expect(rows.filter(({ lives }) => lives)).toHaveLength(1)
    expect(rows).toHaveLength((await rowsOf('key_secret')).length)
    expect(await rowsOf('api_key')).toHaveLength(1)
    await changed.stop()
  })

  test('switches it off, and a key from before opens nothing', async () => {
    const key = await keyOf(node)
    const off = await world.startNode({ NAMEWRIGHT_PUBLIC_ALLOWANCE: '0' })
    expect((await off.call('/web/session')).json.data.visitor).toBeNull()
    expectError(await generate(off, key), 401, 'invalid_token')
    await off.stop()
  })
})

test('nobody can get at the account of visitors', async () => {
  await keyOf(node)
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/keys'],
  ] as const) {
    const answer = await node.call(`/settings/accounts/${VISITORS}${path}`, { method, headers: { origin: OURS } })
    expectError(answer, 401, 'sign_in_required')
  }
})
