/** The timeouts that docs/limits.md states are those that a slow caller meets, to a second and what a busy machine adds. */
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningMs } from '../../../../scripts/test/running-ms.ts'
import { makeCertificate } from '../../certificate.ts'
import type { Certificate } from '../../certificate.ts'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'
import { holdSocket, slowPost } from '../../attacks/held-sockets.ts'

const HEADERS_SECONDS = 15
const REQUEST_SECONDS = 30
// Connections are compared with the timeouts once a second.
const LATE_SECONDS = 3

let world: World
let certificate: Certificate
let plainPort: number
let securePort: number
beforeAll(async () => {
  certificate = await makeCertificate()
  world = await startApp({ own: true })
  const portOf = async (env: Record<string, string>) => Number(new URL((await world.startNodeProcess(env)).url).port)
  ;[plainPort, securePort] = await Promise.all([portOf({}), portOf({ ...certificate.env })])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await certificate[Symbol.asyncDispose]()
})

const HALF_A_HEAD = 'GET /v1/usage HTTP/1.1\r\nHost: loc'
const HALF_A_BODY = slowPost('/auth/sign-in/email')

async function closePlain(bytes: string): Promise<void> {
  await once(holdSocket(plainPort, bytes).socket, 'close')
}

async function closeSecure(bytes: string): Promise<void> {
  const socket = connectTls({ port: securePort, host: '127.0.0.1', servername: 'localhost', ca: certificate.ca })
  await once(socket, 'secureConnect')
  socket.resume().on('error', () => {})
  if (bytes !== '') socket.write(bytes)
  await once(socket, 'close')
}

const CASES = [
  { what: 'plain HTTP, nothing', close: closePlain, bytes: '', within: HEADERS_SECONDS },
  { what: 'plain HTTP, half a head', close: closePlain, bytes: HALF_A_HEAD, within: HEADERS_SECONDS },
  { what: 'plain HTTP, half a body', close: closePlain, bytes: HALF_A_BODY, within: REQUEST_SECONDS },
  { what: 'HTTPS, nothing', close: closeSecure, bytes: '', within: HEADERS_SECONDS },
  { what: 'HTTPS, half a head', close: closeSecure, bytes: HALF_A_HEAD, within: HEADERS_SECONDS },
  { what: 'HTTPS, half a body', close: closeSecure, bytes: HALF_A_BODY, within: REQUEST_SECONDS },
]

test('a connection that sends nothing or half a head is closed after 15 seconds, half a body after 30', async () => {
  const all = await Promise.all(
    CASES.map(async ({ what, close, bytes, within }) => {
      const [startedAt, ranAt] = [performance.now(), runningMs()]
      await close(bytes)
      return { what, within, wallMs: performance.now() - startedAt, ranMs: runningMs() - ranAt }
    }),
  )
  for (const { what, within, wallMs, ranMs } of all) {
    expect(wallMs, what).toBeGreaterThan((within - 1) * 1000)
    expect(ranMs, what).toBeLessThan((within + LATE_SECONDS) * 1000)
  }
})
