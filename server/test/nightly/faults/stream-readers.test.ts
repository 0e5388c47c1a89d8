/** Readers who are slow, or do not read at all: they cost a bounded queue each, and in the end their connection. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'

const READERS = 500
const SECONDS = 60
// The server feels of a reader only that the system takes more, which it does when three quarters of what it held were
// read; at this pace that is every ten seconds.
const BYTES_PER_SECOND = 16_384

let world: World
let key: string
let directory: string
let path: string
let server: ReturnType<typeof fork>
beforeAll(async () => {
  world = await startApp({ own: true })
  key = (await world.makeKey(await world.makeAccount())).secret
  directory = await mkdtemp(`${tmpdir()}/namewright-stream-`)
  path = `${directory}/socket`
  server = fork(new URL('stream-server.ts', import.meta.url).pathname, [path], {
    env: { PATH: process.env.PATH ?? '', ...world.env },
    execArgv: [],
  })
  await once(server, 'message')
})
afterAll(async () => {
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
  await world[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

async function ask(question: 'memory' | 'connections'): Promise<number> {
  const answer = once(server, 'message')
  server.send(question)
  return Number((await answer)[0])
}

/** The least of a few readings: what lives for a moment is not held for anybody. */
async function memoryHeld(): Promise<number> {
  const readings: number[] = []
  for (let i = 0; i < 3; i++) readings.push(await ask('memory'))
  return Math.min(...readings)
}

interface Reader {
  readonly socket: Socket
  bytes: number
}

/** Takes a piece at a time, and none unasked. */
function openReader(text: string): Reader {
  const reader: { socket?: Socket; bytes: number } = { bytes: 0 }
  const onread = {
    buffer: Buffer.alloc(BYTES_PER_SECOND),
    callback: (count: number) => {
      reader.bytes += count
      return false
    },
  }
  const socket = connect({ path, onread })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(text)
  return Object.assign(reader, { socket })
}

function requestOf(method: string, route: string, body?: string): string {
  const head = [
    `${method} ${route} HTTP/1.1`,
    'host: localhost',
    'accept: text/event-stream',
    `authorization: Bearer ${key}`,
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`
}

test(`${READERS} slow readers for ${SECONDS} s leave the memory flat`, { timeout: 240_000 }, async () => {
  // One in five reads an answer of more than a megabyte, the others one that never ends.
  const domains = Array.from({ length: 1000 }, (_, i) => `no domain ${i} ${'x'.repeat(230)}`)
  const check = requestOf('POST', '/v1/domains/check', JSON.stringify({ domains }))
  const endless = requestOf('GET', '/endless')
  const readers: Reader[] = []
  const reading = setInterval(() => {
    for (const { socket } of readers) socket.resume()
  }, 1000)
  for (let i = 0; i < READERS; i++) {
    readers.push(openReader(i % 5 === 0 ? check : endless))
    if (i % 25 === 24) await expect.poll(() => readers.every(({ bytes }) => bytes > 0), { timeout: 30_000 }).toBe(true)
  }
  const samples = [await memoryHeld()]
  for (let second = 0; second < SECONDS; second += 5) {
    await sleep(5000)
    samples.push(await memoryHeld())
  }
  clearInterval(reading)
  console.log(`memory of the server in MB: ${samples.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')}`)
  expect(await ask('connections'), 'nobody was cut off').toBe(READERS)
  for (const { bytes } of readers) expect(bytes).toBeGreaterThan((BYTES_PER_SECOND * SECONDS) / 2)
  const [before = 0] = samples
  for (const bytes of samples) expect(bytes / before).toBeLessThan(1.1)
  // What they held goes with them.
  for (const { socket } of readers) socket.destroy()
  await expect.poll(() => ask('memory'), { timeout: 20_000, interval: 1000 }).toBeLessThan(before / 2 + 60e6)
})

test('who reads nothing for half a minute is cut off, and who reads is not', { timeout: 90_000 }, async () => {
  await expect.poll(() => ask('connections'), { timeout: 20_000 }).toBe(0)
  openReader(requestOf('GET', '/endless'))
  const slow = openReader(requestOf('GET', '/endless'))
  const startedAt = performance.now()
  const reading = setInterval(() => slow.socket.resume(), 200)
  await expect.poll(() => ask('connections')).toBe(2)
  // A socket that nobody reads from does not show that its other end has gone; the server knows.
  await expect.poll(() => ask('connections'), { timeout: 60_000, interval: 500 }).toBe(1)
  expect(performance.now() - startedAt).toBeGreaterThan(29_000)
  const bytes = slow.bytes
  // More than can still be on its way.
  await expect.poll(() => slow.bytes, { timeout: 20_000 }).toBeGreaterThan(bytes + 400_000)
  clearInterval(reading)
})
