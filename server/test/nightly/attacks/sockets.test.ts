/**
 * One address that opens connections and sends headers and bodies slowly or never: it is capped, and whoever calls from
 * another address is served.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { callFrom, holdSocket, holdSockets, letGo, OTHER, slowPost } from '../../attacks/held-sockets.ts'
import type { HeldSocket } from '../../attacks/held-sockets.ts'

const PLACES = 50
const SIGN_IN = slowPost('/auth/sign-in/email')
const favoriteWith = (secret: string) => slowPost('/v1/favorites', { Authorization: `Bearer ${secret}` })

let world: World
let node: Node
let port: number
let key: string
beforeAll(async () => {
  world = await startApp({ own: true })
  node = await world.startNodeProcess({ NAMEWRIGHT_OVERLOAD: String(PLACES) })
  port = Number(new URL(node.url).port)
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const openOf = (sockets: readonly HeldSocket[]) => sockets.filter(({ isOpen }) => isOpen).length
const answersOf = (sockets: readonly HeldSocket[], status: number) =>
  sockets.filter((one) => one.status === status).length

describe('connections of one address', () => {
  test('are capped, idle or with half-sent headers, and another address is served', async () => {
    const idle = holdSockets(400, port)
    const halfSent = holdSockets(400, port, 'GET /v1/usage HTTP/1.1\r\nHost: loc')
    const all = [...idle, ...halfSent]
    await expect.poll(() => openOf(all)).toBeLessThanOrEqual(500)
    expect(openOf(all)).toBeGreaterThan(450)
    expect((await callFrom(OTHER, `${node.url}/v1/usage`, { key })).status).toBe(200)
    letGo(all)
    // What was released can be taken again.
    await expect.poll(async () => (await callFrom('127.0.0.1', `${node.url}/healthz`)).status).toBe(200)
  })

  test('are not capped for a trusted proxy, and its callers send bodies by their own addresses', async () => {
    const behind = await world.startNodeProcess({
      NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    })
    const at = Number(new URL(behind.url).port)
    const idle = holdSockets(600, at)
    const favorite = (address: string) =>
      slowPost('/v1/favorites', { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address })
    const slow = holdSockets(130, at, favorite('203.0.113.7'))
    await expect.poll(() => answersOf(slow, 429)).toBe(30)
    expect(openOf(idle)).toBe(600)
    const other = holdSocket(at, favorite('203.0.113.8'))
    other.socket.write(`"domain":"example.com"}`.padEnd(199))
    await expect.poll(() => other.status).toBe(201)
    letGo([...idle, ...slow, other])
    await behind.stop()
  })
})

describe('bodies that do not arrive', () => {
  test('take no place from others', async () => {
    const slow = await holdBodies(PLACES)
    for (const path of ['/v1/usage', '/v1/history', '/auth/get-session'])
      expect((await callFrom(OTHER, `${node.url}${path}`, { key })).status, path).toBe(200)
    letGo(slow)
    await expect.poll(() => inFlight(node, 'receiving')).toBe(0)
  })

  test('are capped for one address, and the rest is refused at once', async () => {
    const held = await holdBodies(100)
    const slow = [...held, ...holdSockets(30, port, favoriteWith(key))]
    await expect.poll(() => answersOf(slow, 429)).toBe(30)
    expect(slow.find(({ status }) => status === 429)?.text).toContain('"code":"concurrency_limited"')
    await expect.poll(() => openOf(slow)).toBe(100)
    letGo(slow)
  })

  test('count as attempts at a password', async () => {
    const slow = holdSockets(40, port, SIGN_IN)
    await expect.poll(() => answersOf(slow, 429)).toBe(10)
    expect(slow.find(({ status }) => status === 429)?.text).toContain('"code":"rate_limited"')
    letGo(slow)
  })

  test('are not waited for in a form from another site', async () => {
    const form = slowPost('/sign-in', {
      Origin: 'https://elsewhere.example',
      'Content-Type': 'application/x-www-form-urlencoded',
    })
    const foreign = holdSocket(port, form)
    await expect.poll(() => foreign.status).toBe(403)
    letGo([foreign])
  })

  test('that arrive in the end are worked on', async () => {
    const slow = holdSocket(port, favoriteWith(key))
    await expect.poll(() => inFlight(node, 'receiving')).toBe(1)
    slow.socket.write(`"domain":"example.net"}`.padEnd(199))
    await expect.poll(() => slow.status).toBe(201)
    expect(await inFlight(node, 'receiving')).toBe(0)
    letGo([slow])
    await expect.poll(() => inFlight(node, 'node')).toBe(0)
  })
})

test('two Host headers are refused, in any case of letters', async () => {
  for (const second of ['Host: evil.example', 'host: localhost', 'HOST: localhost']) {
    const sent = holdSocket(port, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${second}\r\n\r\n`)
    await expect.poll(() => sent.status).toBe(400)
    expect(sent.text).toContain('"code":"malformed_http"')
    letGo([sent])
  }
})

/** A few at a time: until they are known to be slow they hold places, as every request does. */
async function holdBodies(count: number): Promise<HeldSocket[]> {
  const held: HeldSocket[] = []
  while (held.length < count) {
    held.push(...holdSockets(10, port, favoriteWith(key)))
    await expect.poll(() => underWay()).toBe(held.length)
  }
  return held
}

const underWay = async () => (await inFlight(node, 'node')) + (await inFlight(node, 'receiving'))

async function inFlight(of: Node, pool: string): Promise<number> {
  const text = await of.metrics()
  return Number(new RegExp(`namewright_in_flight\\{lane="${pool}",pool="${pool}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}
