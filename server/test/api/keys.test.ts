/**
 * Who gets in: what an Authorization header must be, from where a key may come, and what each scope opens.
 *
 * The shape of a key is in key-format.test.ts; what happens when it is revoked or rotated in key-changes.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { SCOPES, UNKNOWN_KEY } from './contract.ts'
import type { AccountId, Node, Scope, World } from '../world.ts'

let world: World
let node: Node
let account: AccountId
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const ID = '0198d2c4-0000-7000-8000-000000000000'
const ENDPOINTS: readonly { method: string; path: string; scope: Scope; body?: unknown }[] = [
  { method: 'POST', path: '/v1/generate', scope: 'generate', body: { description: 'a bakery', count: 1 } },
  { method: 'GET', path: '/v1/history', scope: 'history:read' },
  { method: 'GET', path: `/v1/history/${ID}`, scope: 'history:read' },
  { method: 'DELETE', path: `/v1/history/${ID}`, scope: 'history:write' },
  { method: 'DELETE', path: '/v1/history?all=true', scope: 'history:write' },
  { method: 'GET', path: '/v1/favorites', scope: 'favorites:read' },
  { method: 'GET', path: `/v1/favorites/${ID}`, scope: 'favorites:read' },
  { method: 'POST', path: '/v1/favorites', scope: 'favorites:write', body: { domain: 'free-for-sure-a.com' } },
  { method: 'PATCH', path: `/v1/favorites/${ID}`, scope: 'favorites:write', body: { watch: true } },
  { method: 'DELETE', path: `/v1/favorites/${ID}`, scope: 'favorites:write' },
]

describe('the Authorization header', () => {
  test.each(ENDPOINTS)(
    '$method $path without one is 401 missing_token with a challenge',
    async ({ method, path, body }) => {
      const answer = await node.call(path, { method, body })
      expectError(answer, 401, 'missing_token')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b(?!.*error=)/)
    },
  )

  test.each(['Basic dXNlcjpwYXNz', 'Digest x', 'Bearer', 'Bearer ', 'Token abc', 'Bearer two tokens', 'nw_'])(
    '%j is 401 missing_token',
    async (authorization) => {
      const answer = await node.call('/v1/history', { headers: { authorization } })
      expectError(answer, 401, 'missing_token')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
    },
  )

  test('is the only way in: a key elsewhere is not looked at', async () => {
    for (const path of [`/v1/history?access_token=${key}`, `/v1/history?key=${key}`]) {
      expectError(await node.call(path), 401, 'missing_token')
    }
    for (const headers of [
      { 'x-api-key': key },
      { cookie: `token=${key}` },
      { 'proxy-authorization': `Bearer ${key}` },
    ]) {
      expectError(await node.call('/v1/history', { headers }), 401, 'missing_token')
    }
  })

  test('may write its scheme in any case (RFC 9110 §11.1)', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const { status } = await node.call('/v1/history', { headers: { authorization: `${scheme} ${key}` } })
      expect(status).toBe(200)
    }
  })

  test.each([
    ['a well-formed key that was never given out', () => UNKNOWN_KEY],
    ['something that is no key', () => 'eyJhbGciOiJub25lIn0.e30.'],
    ['a key in the wrong case', () => key.toLowerCase()],
    ['a very long text', () => 'nw_'.repeat(3000)],
    ['SQL', () => "'OR'1'='1"],
  ])('with %s is 401 invalid_token with a challenge', async (_what, tokenOf) => {
    const answer = await node.call('/v1/history', { key: tokenOf() })
    expectError(answer, 401, 'invalid_token')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/)
  })

  test('is judged before the body: a stranger cannot make us parse', async () => {
    expectError(await node.call('/v1/generate', { body: '{{{' }), 401, 'missing_token')
  })
})

describe('expiry', () => {
  test('a key that expired is 401 expired_token', async () => {
    const { secret } = await world.makeKey(account, { expiresAt: new Date(Date.now() - 1000) })
    const answer = await node.call('/v1/history', { key: secret })
    expectError(answer, 401, 'expired_token')
    expect(answer.headers.get('www-authenticate')).toMatch(/error="invalid_token"/)
  })

  test('a key stops at its moment, also on a node that remembers it', async () => {
    const expiresAt = Date.now() + 6_000
    const { secret } = await world.makeKey(account, { expiresAt: new Date(expiresAt) })
    expect((await node.call('/v1/history', { key: secret })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now() + 20))
    expectError(await node.call('/v1/history', { key: secret }), 401, 'expired_token')
  })
})

describe('scopes', () => {
  test.each(ENDPOINTS)(
    '$method $path without $scope is 403 insufficient_scope',
    async ({ method, path, scope, body }) => {
      const { secret } = await world.makeKey(account, { scopes: SCOPES.filter((one) => one !== scope) })
      const answer = await node.call(path, { key: secret, method, body })
      const error = expectError(answer, 403, 'insufficient_scope')
      expect(error.message + error.hint).toContain(scope)
      const challenge = answer.headers.get('www-authenticate')
      expect(challenge).toMatch(/^Bearer .*error="insufficient_scope"/)
      expect(challenge).toContain(`scope="${scope}"`)
    },
  )

  test.each(ENDPOINTS)('$method $path needs $scope and nothing else', async ({ method, path, scope, body }) => {
    const { secret } = await world.makeKey(account, { scopes: [scope] })
    const { status } = await node.call(path, { key: secret, method, body })
    expect(path.endsWith(ID) ? [404] : [200, 201]).toContain(status)
  })

  test('a key without any scope opens nothing', async () => {
    const { secret } = await world.makeKey(account, { scopes: [] })
    for (const { method, path, body } of ENDPOINTS) {
      expectError(await node.call(path, { key: secret, method, body }), 403, 'insufficient_scope')
    }
  })
})
