/** From where a key may be used: the peer's own address, or what a proxy that we trust says it was. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { AccountId, Node, World } from '../world.ts'

let world: World
let account: AccountId
let direct: Node
let proxied: Node
beforeAll(async () => {
  world = await startApp()
  account = await world.makeAccount()
  direct = await world.startNode()
  // The test is the proxy.
  proxied = await world.startNode({ NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(node: Node, allowedIps: readonly string[], forwarded?: string) {
  const { secret } = await world.makeKey(account, { allowedIps })
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return node.call('/v1/history', { key: secret, headers })
}

describe('a caller who comes directly', () => {
  test.each([[['127.0.0.1']], [['127.0.0.0/8']], [['::1', '10.0.0.0/8', '127.0.0.1/32']], [[]]])(
    'is let in by %j',
    async (allowed) => {
      expect((await ask(direct, allowed)).status).toBe(200)
    },
  )

  test.each([[['127.0.0.2']], [['203.0.113.0/24']], [['::1']], [['126.0.0.0/8', '128.0.0.0/8']]])(
    'is 403 ip_not_allowed with %j',
    async (allowed) => {
      expectError(await ask(direct, allowed), 403, 'ip_not_allowed')
    },
  )

  test('changes nothing by claiming to be somebody else', async () => {
    expectError(await ask(direct, ['203.0.113.0/24'], '203.0.113.9'), 403, 'ip_not_allowed')
    expect((await ask(direct, ['127.0.0.1'], '203.0.113.9')).status).toBe(200)
  })
})

describe('a caller behind a proxy that we trust', () => {
  test.each([
    ['203.0.113.9', ['203.0.113.0/24']],
    ['203.0.113.9, 10.1.2.3', ['203.0.113.9']],
    ['198.51.100.1, 203.0.113.9', ['203.0.113.9']],
    ['2001:db8::7', ['2001:db8::/32']],
    ['::ffff:203.0.113.9', ['203.0.113.9']],
  ])('%s is let in by %j', async (forwarded, allowed) => {
    expect((await ask(proxied, allowed, forwarded)).status).toBe(200)
  })

  test.each([
    ['198.51.100.1', ['203.0.113.0/24']],
    // What is left of the first address that we do not trust was written by the caller.
    ['203.0.113.9, 198.51.100.1', ['203.0.113.0/24']],
    ['203.0.113.9', ['127.0.0.1']],
    ['2001:db9::7', ['2001:db8::/32']],
  ])('%s is 403 ip_not_allowed with %j', async (forwarded, allowed) => {
    expectError(await ask(proxied, allowed, forwarded), 403, 'ip_not_allowed')
  })

  test.each(['banana', 'unknown', '_hidden', '203.0.113.9:4711', '[2001:db8::7]:443', '999.1.1.1'])(
    '%j is no address of ours to know, and never a failure',
    async (forwarded) => {
      expectError(await ask(proxied, ['203.0.113.0/24'], forwarded), 403, 'ip_not_allowed')
    },
  )
})
