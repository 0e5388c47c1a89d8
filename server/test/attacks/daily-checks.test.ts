/** Checks of domains have a number per account and day, counted without the database, and refused before any lookup. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../source.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { connect } from '../mcp-client.ts'
import { emptyRedis } from '../redis.ts'
import { readStream } from '../stream-reader.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const LIMIT = 10
const REDIS_DOWN = { NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1' }

let resolver: FakeResolver
let world: World
let node: Node
beforeAll(async () => {
  resolver = await openFakeResolver((query) => [answerTo(query, 'noerror')])
  world = await startApp({
    own: true,
    settings: { ...(await emptyRedis()), NAMEWRIGHT_DNS_RESOLVERS: resolver.address },
  })
  node = await world.startNode()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await resolver.close()
})

async function limitedAccount(): Promise<AccountId> {
  const account = await world.makeAccount()
  await world.owner.query('INSERT INTO account_plan (account_id, checks_per_day) VALUES ($1, $2)', [account, LIMIT])
  return account
}

let next = 0
const domains = (count: number) => Array.from({ length: count }, () => `checked-${next++}.com`)
const usageOf = async (at: Node, key: string) => (await at.call('/v1/usage', { key })).json.data.usage.account

test('all keys of an account share its checks, in lists, streams, names and tools; the next is 429 and looks nothing up', async () => {
  const account = await limitedAccount()
  const one = (await world.makeKey(account)).secret
  const other = (await world.makeKey(account)).secret
  const check = (key: string, count: number) =>
    node.call('/v1/domains/check', { key, body: { domains: domains(count) } })
  expect((await check(one, 4)).status).toBe(200)
  const streamed = await readStream(node.url, '/v1/domains/check', { key: other, body: { domains: domains(2) } })
  expect(streamed.events.at(-1)?.event).toBe('done')
  const names = { names: ['Checked One'], tlds: ['com', 'net'] }
  expect((await node.call('/v1/names/check', { key: one, body: names })).status).toBe(200)
  expect((await usageOf(node, one)).checks).toEqual({ today: 8, left: 2 })
  expect((await usageOf(node, one)).limits.checks_per_day).toBe(LIMIT)
  const before = resolver.asked.length
  const refused = await check(other, 3)
  expect([refused.status, refused.json.error.code]).toEqual([429, 'checks_exceeded'])
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(86_400)
  expect(resolver.asked.length).toBe(before)
  // What still fits is answered.
  expect((await check(other, 2)).status).toBe(200)
  expect((await check(one, 1)).status).toBe(429)
})

test('agents use the same number', async () => {
  const { secret: key } = await world.makeKey(await limitedAccount())
  const agent = await connect(node, key)
  expect((await agent.call('check', { domains: domains(LIMIT) })).isError).toBe(false)
  const refused = await agent.call('check', { domains: domains(1) })
  expect(refused.error?.code).toBe('checks_exceeded')
})

test('without Redis a node counts on its own', async () => {
  const alone = await world.startNode({ ...REDIS_DOWN, NAMEWRIGHT_NODES: '2' })
  const { secret: key } = await world.makeKey(await limitedAccount())
  const check = (count: number) => alone.call('/v1/domains/check', { key, body: { domains: domains(count) } })
  expect((await check(LIMIT / 2 + 1)).status).toBe(429)
  expect((await check(LIMIT / 2)).status).toBe(200)
  expect((await check(1)).status).toBe(429)
  await alone.stop()
})

test('an account without a limit is counted and never refused', async () => {
  const { secret: key } = await world.makeKey(await world.makeAccount())
  expect((await node.call('/v1/domains/check', { key, body: { domains: domains(200) } })).status).toBe(200)
  expect((await usageOf(node, key)).checks).toEqual({ today: 200, left: null })
})
