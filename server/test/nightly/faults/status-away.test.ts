/** A node whose primary dies: /v1/status and /metrics say so, go on answering, and say when it is over. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnPostgres } from '../../own-postgres.ts'
import type { OwnPostgres } from '../../own-postgres.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'

let postgres: OwnPostgres
let world: World
let node: Node
let key: string
beforeAll(async () => {
  postgres = await openOwnPostgres()
  world = await startApp({ own: true, server: postgres.adminUrl })
  node = await world.startNodeProcess()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(async () => {
  await postgres.start().catch(() => {})
  await world[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

const status = async () => (await node.call('/v1/status', { key })).json?.data
const metric = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await node.metrics())?.[1])

test('while the primary is away the status says which part and which rungs, and when it is back that all is well', async () => {
  expect((await status()).parts.database).toBe('ok')
  const body = { description: 'a bakery', count: 2 }
  expect((await node.call('/v1/generate', { key, body })).status).toBe(200)
  expect(await metric('namewright_primary_down')).toBe(0)

  await postgres.crash()
  // Somebody has to ask before the node can know.
  await node.call('/v1/generate', { key, body })
  await expect.poll(async () => (await status())?.parts.database, { timeout: 15_000 }).toBe('away')
  expect((await status()).in_force).toEqual([])
  expect(await metric('namewright_primary_down')).toBe(1)
  expect((await node.call('/v1/generate', { key, body })).status).toBe(503)
  expect((await node.call('/v1/favorites', { key, body: { domain: 'free-for-sure-example.com' } })).status).toBe(503)

  await postgres.start()
  await expect.poll(async () => (await status())?.parts.database, { timeout: 15_000 }).toBe('ok')
  expect((await status()).in_force).toEqual([])
  expect((await status()).last_hour.down).toBeGreaterThanOrEqual(1)
}, 90_000)
