/** What a node remembers of a key is forgotten in time: a revoked or rotated one stops everywhere within a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { AccountId, Node, World } from '../world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const POLL_MS = 50

let world: World
let account: AccountId
let nodes: readonly Node[]
beforeAll(async () => {
  world = await startApp({ own: true, settings: { NAMEWRIGHT_LOG_LEVEL: 'debug' } })
  account = await world.makeAccount()
  nodes = await Promise.all([world.startNode(), world.startNode()])
})
afterAll(() => world[Symbol.asyncDispose]())

const statusAt = async (node: Node, key: string) => (await node.call('/v1/history', { key })).status

/** Asks every node every 50 ms, and answers how long after the change the last call that got in was made. */
async function lastSuccess(
  key: string,
  forMs: number,
  change: Promise<unknown>,
): Promise<{ wallMs: number; ranMs: number }[]> {
  const clock = () => ({ wallMs: performance.now(), ranMs: runningMs() })
  let endsAt = Number.POSITIVE_INFINITY
  const changing = change.then(() => {
    const changed = clock()
    endsAt = changed.wallMs + forMs
    return changed
  })
  const isOver = () => performance.now() >= endsAt
  const successes = await Promise.all(
    nodes.map(async (node) => {
      let last = { wallMs: -1, ranMs: -1 }
      while (!isOver()) {
        const at = clock()
        if ((await statusAt(node, key)) === 200) last = at
        await sleep(POLL_MS)
      }
      return last
    }),
  )
  const { wallMs, ranMs } = await changing
  return successes.map((last) => ({ wallMs: last.wallMs - wallMs, ranMs: last.ranMs - ranMs }))
}

describe('a revoked key', () => {
  test('stops on every node within a second, and for good', async () => {
    const { id, secret } = await world.makeKey(account)
    for (const node of nodes) expect(await statusAt(node, secret)).toBe(200)
    const revoking = world.keys.revoke(account, id)
    const polling = lastSuccess(secret, 2500, revoking)
    expect(await revoking).toBe(true)
    for (const { ranMs } of await polling) expect(ranMs).toBeLessThan(1000)
    for (const node of nodes) expectError(await node.call('/v1/history', { key: secret }), 401, 'invalid_token')
  })

  test('takes no other key with it', async () => {
    const [one, other] = [await world.makeKey(account), await world.makeKey(account)]
    await world.keys.revoke(account, one.id)
    await sleep(500)
    for (const node of nodes) expect(await statusAt(node, other.secret)).toBe(200)
  })

  test('cannot be revoked or rotated again, or by another account', async () => {
    const { id } = await world.makeKey(account)
    const stranger = await world.makeAccount()
    expect(await world.keys.revoke(stranger, id)).toBe(false)
    expect(await world.keys.rotate(stranger, id, 60)).toBeUndefined()
    expect(await world.keys.revoke(account, id)).toBe(true)
    expect(await world.keys.revoke(account, id)).toBe(false)
    expect(await world.keys.rotate(account, id, 60)).toBeUndefined()
  })
})

describe('a rotated key', () => {
  test('works in both forms until the grace is over, then only in the new one', async () => {
    const { id, secret: old } = await world.makeKey(account)
    for (const node of nodes) expect(await statusAt(node, old)).toBe(200)
    const fresh = (await world.keys.rotate(account, id, 6))?.secret ?? ''
    expect(fresh).not.toBe(old)
    const polling = lastSuccess(old, 7500, Promise.resolve())
    for (const node of nodes) expect(await statusAt(node, fresh)).toBe(200)
    for (const { wallMs, ranMs } of await polling) {
      expect(wallMs).toBeGreaterThan(3600)
      expect(ranMs).toBeLessThan(7000)
    }
    for (const node of nodes) {
      expectError(await node.call('/v1/history', { key: old }), 401, 'expired_token')
      expect(await statusAt(node, fresh)).toBe(200)
    }
  })

  test('without a grace stops in its old form within a second', async () => {
    const { id, secret: old } = await world.makeKey(account)
    for (const node of nodes) expect(await statusAt(node, old)).toBe(200)
    const polling = lastSuccess(old, 1800, world.keys.rotate(account, id, 0))
    for (const { ranMs } of await polling) expect(ranMs).toBeLessThan(1000)
  })

  test('rotated twice does not give the first form a longer life', async () => {
    const { id, secret: first } = await world.makeKey(account)
    await world.keys.rotate(account, id, 1)
    await world.keys.rotate(account, id, 600)
    await sleep(1500)
    for (const node of nodes) expectError(await node.call('/v1/history', { key: first }), 401, 'expired_token')
  })

  test('stops in all its forms when it is revoked', async () => {
    const { id, secret: old } = await world.makeKey(account)
    const fresh = (await world.keys.rotate(account, id, 600))?.secret ?? ''
    for (const node of nodes) for (const key of [old, fresh]) expect(await statusAt(node, key)).toBe(200)
    await world.keys.revoke(account, id)
    await sleep(1000)
    for (const node of nodes) for (const key of [old, fresh]) expect(await statusAt(node, key)).toBe(401)
  })
})

test('the text of a key is nowhere in the database and nowhere in the logs', async () => {
  const { id, secret: old } = await world.makeKey(account, { name: 'findable name' })
  const fresh = (await world.keys.rotate(account, id, 600))?.secret ?? ''
  for (const node of nodes) {
    for (const key of [old, fresh]) {
      await node.call('/v1/generate', { key, body: { description: 'a bakery', count: 1 } })
      await node.call('/v1/favorites', { key, body: { domain: 'mayfly.com' }, headers: { 'idempotency-key': 'a' } })
      await node.call('/v1/generate', { key, body: '{' })
    }
  }
  const everything = await dumpAll()
  expect(everything).toContain('findable name')
  const base64Of = (text: string) => Buffer.from(text).toString('base64').slice(0, 40)
  for (const key of [old, fresh]) {
    for (const form of [key, key.slice(10, 30), Buffer.from(key).toString('hex'), base64Of(key)]) {
      expect(everything).not.toContain(form)
      for (const node of nodes) expect(node.output()).not.toContain(form)
    }
  }
})

async function dumpAll(): Promise<string> {
  const tables = await world.owner.query<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const texts = await Promise.all(
    tables.rows.map(({ name }) => world.owner.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
  )
  return texts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}
