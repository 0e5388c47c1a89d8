/** Invented tokens are refused before the database is asked, without a real credential of the same address being lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, makeSecret } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const BURST = 100

let world: World
let node: Node
let account: AccountId
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode({ NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1' })
  account = await world.makeAccount()
})
afterAll(() => world[Symbol.asyncDispose]())

const read = (key: string, from: string) => node.call('/v1/usage', { key, headers: { 'x-forwarded-for': from } })

test('after a hundred unknown keys an address gets 429, and known keys of the same address keep working', async () => {
  const [known, unseen] = await Promise.all([world.makeKey(account), world.makeKey(account)])
  expect((await read(known.secret, '192.0.2.1')).status).toBe(200)
  const statuses: number[] = []
  for (let i = 0; i < 3 * BURST; i++) statuses.push((await read(makeSecret(), '192.0.2.1')).status)
  expect(statuses.slice(0, BURST)).toEqual(Array.from({ length: BURST }, () => 401))
  // A few more are allowed while the test runs.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1.5 * BURST)
  const refused = await read(makeSecret(), '192.0.2.1')
  expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await read(known.secret, '192.0.2.1')).status).toBe(200)
  // A text without a valid checksum never costs a read of the database.
  expect((await read('nw_typo', '192.0.2.1')).status).toBe(401)
  expect((await read(unseen.secret, '192.0.2.2')).status).toBe(200)
  expect((await read(unseen.secret, '192.0.2.1')).status).toBe(200)
})

test('real keys that a node has not seen yet do not count, however many come from one address', async () => {
  const keys = await Promise.all(Array.from({ length: 2 * BURST }, () => world.makeKey(account)))
  const answers = await Promise.all(keys.map(({ secret }) => read(secret, '192.0.2.3')))
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
})
