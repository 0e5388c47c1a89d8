import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

let echo: Server
let port: number
const received: Buffer[] = []
beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      received.push(piece)
      socket.write(piece)
    })
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  port = (echo.address() as AddressInfo).port
})
afterAll(() => void echo.close())

/** A connection through the proxy, and what came back on it. */
async function talkThrough(proxy: TcpProxy) {
  const socket: Socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  let got = Buffer.alloc(0)
  socket.on('data', (piece: Buffer) => (got = Buffer.concat([got, piece])))
  await once(socket, 'connect')
  return {
    socket,
    got: () => got,
    async until(length: number) {
      while (got.length < length) await once(socket, 'data')
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
      if (!socket.closed) await once(socket, 'close')
    },
  }
}

test('a delay is added in each direction that has one', async () => {
  await using proxy = await openTcpProxy({ host: '127.0.0.1', port })
  await using talk = await talkThrough(proxy)
  proxy.trouble({ up: { delayMs: 200 }, down: { delayMs: 300 } })
  const began = performance.now()
  talk.socket.write('a')
  await talk.until(1)
  expect(performance.now() - began).toBeGreaterThan(490)
})

test('jitter changes when things arrive, never their order', async () => {
  await using proxy = await openTcpProxy({ host: '127.0.0.1', port })
  await using talk = await talkThrough(proxy)
  proxy.trouble({ up: { jitterMs: 40 }, down: { jitterMs: 40 } })
  const sent = Array.from({ length: 200 }, (_one, index) => `${index},`)
  for (const piece of sent) {
    talk.socket.write(piece)
    if (piece.endsWith('0,')) await sleep(1)
  }
  await talk.until(sent.join('').length)
  expect(talk.got().toString()).toBe(sent.join(''))
})

test('a narrow line takes as long as its width says', async () => {
  await using proxy = await openTcpProxy({ host: '127.0.0.1', port })
  await using talk = await talkThrough(proxy)
  proxy.trouble({ down: { bytesPerSecond: 100_000 } })
  const began = performance.now()
  talk.socket.write(Buffer.alloc(150_000, 'x'))
  await talk.until(150_000)
  // The last piece, at most 64 kB, is on its way at once.
  expect(performance.now() - began).toBeGreaterThan(800)
})

test('silence in one direction lets the other through, and what was held arrives when it ends', async () => {
  await using proxy = await openTcpProxy({ host: '127.0.0.1', port })
  await using talk = await talkThrough(proxy)
  proxy.trouble({ down: { isSilent: true } })
  received.length = 0
  talk.socket.write('hello')
  while (Buffer.concat(received).length < 5) await sleep(5)
  await sleep(50)
  expect(talk.got().toString()).toBe('')
  proxy.heal()
  await talk.until(5)
  expect(talk.got().toString()).toBe('hello')
})

test('a reset ends every connection at once', async () => {
  await using proxy = await openTcpProxy({ host: '127.0.0.1', port })
  await using talk = await talkThrough(proxy)
  talk.socket.write('a')
  await talk.until(1)
  const failed = once(talk.socket, 'error').catch((error: unknown) => [error])
  proxy.reset()
  const [error] = (await failed) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNRESET')
  while (proxy.connections() > 0) await sleep(5)
})
