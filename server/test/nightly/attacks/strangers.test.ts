/**
 * 3,000 connections without a credential from seven addresses: half are idle, half ask for a page as fast as it comes,
 * and some never read what they asked for. No call of an account and no reader of a shared list fails, while the limits
 * of the node adapt.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { countAccepted } from '../../attacks/held-sockets.ts'
import { findLargeFile, makeOthers, STRANGERS } from '../../attacks/strangers.ts'

const CONNECTIONS = 3_000
// Opened at once: as many as the kernel queues for the node.
const AT_ONCE = 210
const ATTACKED_MS = 20_000
// Connections that read nothing, each of which asks for more of the largest file than the kernel takes for it.
const [UNREAD, FILES] = [140, 12]
const PAGE = 'GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n'

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp({ own: true, settings: { NAMEWRIGHT_OVERLOAD: 'adaptive' } })
  node = await world.startNodeProcess()
})
afterAll(() => world[Symbol.asyncDispose]())

test('nothing of others fails while thousands of connections of strangers are open', async () => {
  const port = Number(new URL(node.url).port)
  const others = await makeOthers(world, node)
  const failed = await others.ask()
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const open = async () =>
    (await Promise.all(STRANGERS.map((from) => countAccepted(port, from)))).reduce((sum, count) => sum + count, 0)
  while (sockets.length < CONNECTIONS) {
    for (let i = 0; i < AT_ONCE && sockets.length < CONNECTIONS; i++) sockets.push(openSocket(port, sockets.length))
    await expect.poll(open).toBe(sockets.length)
  }
  const path = await findLargeFile(node)
  // What is idle has had an answer: a connection without a request is closed after some seconds.
  for (const [at, socket] of sockets.entries())
    if (at < UNREAD) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(FILES))
    else if (at % 2 === 0) readOn(socket)
    else socket.resume().write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')

  const tookMs: number[] = []
  const endsAt = performance.now() + ATTACKED_MS
  while (performance.now() < endsAt || tookMs.length < 10) {
    const startedAt = performance.now()
    failed.push(...(await others.ask()))
    tookMs.push(Math.round(performance.now() - startedAt))
  }
  console.log(JSON.stringify({ open: await open(), tookMs, failed: failed.length }))
  expect(failed).toEqual([])
})

function openSocket(port: number, at: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: STRANGERS[at % STRANGERS.length] })
  return socket.on('error', () => {})
}

/** Asks for the page again whenever an answer begins. */
function readOn(socket: Socket): void {
  socket.on('data', (chunk) => {
    if (chunk.includes('HTTP/1.1 ')) socket.write(PAGE)
  })
  socket.write(PAGE)
}
