/** What no HTTP client would send, sent over a bare socket: it is refused in the same envelope, and the node lives on. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { sendRaw } from './raw-http.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

const POST = 'POST /v1/generate HTTP/1.1\r\nHost: x\r\n'

test.each([
  ['no request line', 'hello\r\n\r\n'],
  ['a TLS handshake on a plain port', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ['an unknown method', 'BREW /v1/generate HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown version', 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
  ['a header with a space in its name', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX y: z\r\n\r\n'],
  ['a length that is no number', `${POST}Content-Length: many\r\n\r\n`],
  ['two lengths that differ', `${POST}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`],
  [
    'a length and chunks, the trick of request smugglers',
    `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a chunk size that is no number', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('%s is 400 malformed_http', async (_what, bytes) => {
  const answer = await sendRaw(node.url, bytes)
  expectError(answer, 400, 'malformed_http')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('a method without routes is refused like any other, also the one that must say what its body is', async () => {
  const query = 'QUERY /v1/history HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
  expectError(await sendRaw(node.url, `${query}\r\n`), 415, 'unsupported_media_type')
  const typed = `${query}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
  expectError(await sendRaw(node.url, typed), 405, 'method_not_allowed')
})

test('an address that cannot be decoded is 400 malformed_http', async () => {
  for (const path of ['/%', '/v1/history/%zz', '/v1/favorites/%c3']) {
    const answer = await sendRaw(node.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expectError(answer, 400, 'malformed_http')
  }
})

test('headers beyond 16 KiB are 431 headers_too_large', async () => {
  const bytes = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17 * 1024)}\r\n\r\n`
  expectError(await sendRaw(node.url, bytes), 431, 'headers_too_large')
})

test('an address beyond 16 KiB is 431 headers_too_large', async () => {
  const bytes = `GET /healthz?${'a'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`
  expectError(await sendRaw(node.url, bytes), 431, 'headers_too_large')
})

test('after all of that the node still answers, and has written no error', async () => {
  expect((await node.call('/healthz')).status).toBe(200)
  expect(node.output()).not.toMatch(/"level":(?:50|60)/)
})

test('who is refused while sending a body hears why, also where the connection is closed then', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendSlowly(refusedRequest())))
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 401 /)
})

test('who is refused and pauses while sending hears why, and counts in no pool meanwhile', async () => {
  const started = await world.startNode({ NAMEWRIGHT_OVERLOAD: '1' })
  const paused = Promise.withResolvers<void>()
  const isChecked = Promise.withResolvers<void>()
  const answer = sendSlowly(refusedRequest(), {
    to: started,
    pause() {
      paused.resolve()
      return isChecked.promise
    },
  })
  await paused.promise
  // The pool has one place: until the refused request has left it, the answer is 503.
  await expect.poll(async () => (await started.call('/v1/usage')).status, { timeout: 45_000 }).toBe(401)
  await sleep(1_500)
  isChecked.resolve()
  expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
})

function refusedRequest(): string {
  const body = '['.repeat(50_000)
  const head = `POST /v1/domains/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer nobody\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** In pieces, and reads only then, as a simple client does: what came back, or how the connection broke. */
async function sendSlowly(text: string, { to = node, pause = async () => {} } = {}): Promise<string> {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1').setNoDelay(true)
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk))).pause()
  const result = new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(String(error))).once('close', () => resolve(received))
  })
  const half = Math.ceil(text.length / 2)
  for (let at = 0; at < text.length && !socket.destroyed; at += 2_000) {
    if (at <= half && half < at + 2_000) await pause()
    socket.write(text.slice(at, at + 2_000))
    await sleep(2)
  }
  socket.resume()
  return result
}
