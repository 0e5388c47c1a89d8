/** POST /v1/favorites with an Idempotency-Key: one effect and one answer, whoever else does the same at that moment. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectError } from '../../../test/expect-error.ts'
import { startApp } from '../../../test/start-app.ts'
import type { AccountId, Node, World } from '../../../test/world.ts'

const DOMAIN = 'free-for-sure-race.com'

let world: World
let nodes: [Node, Node]
beforeAll(async () => {
  // A constraint that refuses commits must not disturb others.
  world = await startApp({ own: true })
  nodes = await Promise.all([world.startNode(), world.startNode()])
})
afterAll(() => world[Symbol.asyncDispose]())

let account: AccountId
let key: string
beforeEach(async () => {
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})

const add = (idempotencyKey: string, body: unknown = { domain: DOMAIN }, node: Node = nodes[0]) =>
  node.call('/v1/favorites', { key, body, headers: { 'Idempotency-Key': idempotencyKey } })
const countRows = async (table: 'favorite' | 'idempotent_answer') =>
  (await world.owner.query(`SELECT FROM ${table} WHERE account_id = $1`, [account])).rowCount

test('of thirty callers at once, each with a key, one creates the favorite, and each key replays its own answer', async () => {
  const keys = Array.from({ length: 30 }, () => randomUUID())
  const send = (one: string, i: number) => add(one, undefined, nodes[i % 2])
  const answers = await Promise.all(keys.map(send))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(29)
  for (const { json } of answers) expect(json).toEqual(answers[0]?.json)
  const again = await Promise.all(keys.map((one, i) => send(one, i + 1)))
  expect(again.map(({ status, text }) => [status, text])).toEqual(answers.map(({ status, text }) => [status, text]))
  for (const { headers } of again) expect(headers.get('idempotent-replayed')).toBe('true')
  expect([await countRows('favorite'), await countRows('idempotent_answer')]).toEqual([1, 30])
})

test('a body with its fields in another order is the same request', async () => {
  const one = await add('order', '{"domain":"order-of-fields.com","note":"x"}')
  const other = await add('order', '{ "note": "x", "domain": "order-of-fields.com" }', nodes[1])
  expect([one.status, other.status, other.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
  expect(other.text).toBe(one.text)
})

test('a commit that fails leaves neither favorite nor answer, and the same key may try again', async () => {
  await world.owner.query(`ALTER TABLE idempotent_answer ADD CONSTRAINT never CHECK (key <> 'fails')`)
  expectError(await add('fails'), 500, 'internal')
  expect([await countRows('favorite'), await countRows('idempotent_answer')]).toEqual([0, 0])
  await world.owner.query('ALTER TABLE idempotent_answer DROP CONSTRAINT never')
  const mended = await add('fails')
  expect([mended.status, mended.headers.has('idempotent-replayed')]).toEqual([201, false])
})

test('a key beside a change or a deletion is ignored', async () => {
  const { id } = (await add('created')).json.data.favorite
  const headers = { 'Idempotency-Key': 'beside' }
  const change = () =>
    nodes[0].call(`/v1/favorites/${id}`, { key, method: 'PATCH', body: { note: 'changed' }, headers })
  for (const changed of [await change(), await change()])
    expect([changed.status, changed.json.data.favorite.note]).toEqual([200, 'changed'])
  expect((await nodes[0].call(`/v1/favorites/${id}`, { key, method: 'DELETE', headers })).status).toBe(204)
  expect(await countRows('idempotent_answer')).toBe(1)
})
