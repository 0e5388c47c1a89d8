/** Kill switches: the operator's command reaches nodes that run, and a source that is off makes `unknown`, not errors. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../run-command.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { openOwnRedis } from './own-redis.ts'
import type { OwnRedis } from './own-redis.ts'

let redis: OwnRedis
let world: World
let node: Node
let key: string
beforeAll(async () => {
  redis = await openOwnRedis()
  world = await startApp({ own: true, settings: { NAMEWRIGHT_REDIS_URL: redis.url } })
  node = await world.startNodeProcess()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

let number = 0

/** Of a domain that nobody has asked about. */
async function check(): Promise<{ status: string; available: boolean }> {
  const body = { domains: [`never-asked-${number++}-before.com`] }
  const answer = await node.call('/v1/domains/check', { key, body })
  expect(answer.status).toBe(200)
  return answer.json.data.domains[0]
}

test('a source that is switched off is not asked by a node that runs, and is asked again when it is on', async () => {
  await expect.poll(check).toMatchObject({ status: 'available', available: true })
  const off = await runCommand(['switch', 'off', 'dns', 'answers', 'nonsense'], world.env)
  expect([off.code, off.stdout.trim()]).toEqual([0, 'dns is off'])
  await expect.poll(check, { timeout: 15_000 }).toMatchObject({ status: 'unknown', available: false })
  const generated = await node.call('/v1/generate', {
    key,
    body: { description: 'a quiet mill', count: 2, deadline_ms: 30_000 },
  })
  expect([generated.status, generated.json.data.shortfall.reason]).toEqual([200, 'availability_unknown'])

  const list = await runCommand(['switch', 'list'], world.env)
  expect(list.stdout).toMatch(/^dns since \d{4}-.*Z: answers nonsense\n$/)
  expect((await runCommand(['switch', 'on', 'dns'], world.env)).stdout.trim()).toBe('dns is on again')
  await expect.poll(check, { timeout: 15_000 }).toMatchObject({ status: 'available', available: true })
})

test('what cannot be switched is refused with what can be', async () => {
  const wrong = await runCommand(['switch', 'off', 'dsn', 'typo'], world.env)
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('Sources: index dns rdap')
  expect((await runCommand(['switch', 'off', 'dns'], world.env)).code).toBe(2)
})
