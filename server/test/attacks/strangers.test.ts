/** Whoever has shown no credential takes no place of accounts, and one address takes few of those of strangers. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'
import { holdSocket, holdSockets, letGo, slowPost } from './held-sockets.ts'
import type { HeldSocket } from './held-sockets.ts'
import { findLargeFile, holdUnread, inFlight, makeOthers, STRANGERS } from './strangers.ts'

const OF_AN_ADDRESS = 50
// Together more than the node has places, also without what the kernel takes for a connection.
const [CONNECTIONS, UNREAD] = [5, 24]

let world: World
let node: Node
beforeAll(async () => {
  // The limit that a node starts with. One that adapts would also shed what a busy machine is slow with.
  world = await startApp({ own: true, settings: { NAMEWRIGHT_OVERLOAD: '512' } })
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

/** As many as get in. */
async function holdFrom(addresses: readonly string[]): Promise<void> {
  const path = await findLargeFile(node)
  const from = addresses.flatMap((address) => Array.from({ length: CONNECTIONS }, () => address))
  const sockets = from.map((address) => holdUnread(node, address, path, UNREAD))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await expect.poll(held).toBe(0)
  })
  await expect.poll(held).toBeGreaterThan((addresses.length * OF_AN_ADDRESS) / 2)
}

const held = async () => (await inFlight(node, 'strangers')) + (await inFlight(node, 'node'))

test('strangers who never read what they asked for take nothing from accounts, nor from readers of a shared list', async () => {
  const others = await makeOthers(world, node)
  const failed = await others.ask()
  await holdFrom(STRANGERS)
  for (let turn = 0; turn < 5; turn++)
    failed.push(...(await Promise.all([others.ask(), others.ask(), others.ask()])).flat())
  expect(failed).toEqual([])
})

test('one address has a bounded number of places, however many are free', async () => {
  await holdFrom(STRANGERS.slice(0, 1))
  expect(await held()).toBeLessThanOrEqual(OF_AN_ADDRESS)
})

test('pages that one address asks for at once count beside each other, though each takes one turn of the event loop', async () => {
  const times = 4 * OF_AN_ADDRESS
  const page = 'GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const asking = holdSocket(Number(new URL(node.url).port), page.repeat(times), STRANGERS[0])
  onTestFinished(() => letGo([asking]))
  const statuses = () => [...asking.text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  await expect.poll(statuses).toHaveLength(times)
  expect(new Set(statuses())).toEqual(new Set(['200', '503']))
})

test('bodies of strangers that arrive all at once need places again', async () => {
  const [origin, limit] = ['http://localhost', 8]
  const narrow = await world.startNode({ NAMEWRIGHT_OVERLOAD: String(limit), NAMEWRIGHT_PUBLIC_URL: origin })
  const { list } = await makeOthers(world, narrow)
  const headers = { Origin: origin, 'Namewright-Voter': 'a'.repeat(22) }
  const bytes = slowPost(`${list}/votes`, headers).replace('POST', 'PUT')
  const slow: HeldSocket[] = []
  onTestFinished(() => letGo(slow))
  while (slow.length < 3 * limit) {
    // A few at a time: until they are known to be slow they hold places, as every request does.
    slow.push(...holdSockets(limit / 2, Number(new URL(narrow.url).port), bytes, STRANGERS[0]))
    await expect.poll(() => inFlight(narrow, 'receiving')).toBe(slow.length)
  }
  for (const { socket } of slow) socket.write(`"votes":{}}`.padEnd(199))
  await expect.poll(() => slow.filter(({ status }) => status === undefined)).toEqual([])
  expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([200, 503]))
  await expect.poll(() => inFlight(narrow, 'strangers')).toBe(0)
})
