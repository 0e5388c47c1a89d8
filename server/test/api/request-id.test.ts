/** Every answer carries an id by which it can be found in the logs: the caller's own when it is sane, else a new one. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const MADE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const PATHS = ['/v1/history', '/v1/favorites', '/v1/nowhere', '/v1/history?limit=0', '/healthz', '/docs']

test.each(PATHS)('%s gets an id of its own each time', async (path) => {
  const answers = await Promise.all([node.call(path, { key }), node.call(path, { key })])
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  for (const id of ids) expect(id).toMatch(MADE)
  expect(ids[0]).not.toBe(ids[1])
})

test.each(['7', 'order-4711', '0198d2c4-0000-7000-8000-000000000000', 'a.b:c_D-9', 'x'.repeat(128)])(
  'the sane id %s is taken and echoed, also in an error',
  async (id) => {
    const headers = { 'x-request-id': id }
    expect((await node.call('/v1/history', { key, headers })).headers.get('x-request-id')).toBe(id)
    for (const [status, code, path] of [
      [401, 'missing_token', '/v1/history'],
      [404, 'not_found', '/v1/nowhere'],
      [405, 'method_not_allowed', '/v1/generate'],
    ] as const) {
      expect(expectError(await node.call(path, { headers }), status, code).request_id).toBe(id)
    }
  },
)

test.each(['two words', 'x'.repeat(129), 'ä', '<script>', '"', "'; DROP TABLE account", '{"a":1}', 'a,b', ''])(
  'the id %j is not taken, a new one is made',
  async (id) => {
    const answer = await node.call('/v1/nowhere', { headers: { 'x-request-id': id } })
    expect(expectError(answer, 404, 'not_found').request_id).toMatch(MADE)
  },
)

test('a failure of ours is logged under the id that its caller was given, without the reason in the answer', async () => {
  const { secret } = await world.makeKey(await world.makeAccount())
  await world.owner.query('ALTER TABLE favorite RENAME TO favorite_gone')
  const answer = await node.call('/v1/favorites', { key: secret, headers: { 'x-request-id': 'find-me' } })
  await world.owner.query('ALTER TABLE favorite_gone RENAME TO favorite')
  expectError(answer, 500, 'internal')
  expect(answer.text).not.toMatch(/favorite|relation|sql/i)
  const findLine = () =>
    node
      .output()
      .split('\n')
      .find((one) => one.includes('find-me'))
  const line = await vi.waitUntil(findLine, { timeout: 45_000 })
  expect(line).toContain('relation')
  expect(line).not.toContain(secret)
  expect((await node.call('/v1/favorites', { key: secret })).status).toBe(200)
})
