import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openStream } from './writer.ts'
import type { EventStream, StreamWriterOptions } from './writer.ts'

/** A server that streams the events of the test, and a reader. */
async function open(options: Partial<StreamWriterOptions>, tell: (stream: EventStream) => Promise<void>) {
  const app = fastify()
  app.get('/', async (_request, reply) => {
    const stream = openStream(reply, { format: 'sse', ...options })
    await tell(stream)
    stream.end()
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  return socket
}

const tick = (data: string) => ({ event: 'tick', data })

test.each([
  ['sse', ':\n\n'],
  ['ndjson', '{"event":"heartbeat"}\n'],
] as const)('as %s a heartbeat is written while nothing else is', async (format, heartbeat) => {
  const heard = Promise.withResolvers<void>()
  const socket = await open({ format, heartbeatMs: 20 }, async (stream) => {
    expect(stream.isOpen).toBe(false)
    while (!stream.isOpen) await sleep(5)
    await heard.promise
    await stream.send(tick('1'))
  })
  let text = ''
  for await (const part of socket.setEncoding('utf8')) {
    text += part
    if (text.split(heartbeat).length > 3) heard.resolve()
  }
  expect(text.split(heartbeat).length).toBeGreaterThan(3)
  expect(text).toContain('tick')
})

test('a reader who does not read holds up who sends; when it reads, all comes in its order', async () => {
  const COUNT = 20_000
  const data = JSON.stringify('x'.repeat(1000))
  let sent = 0
  const socket = await open({}, async (stream) => {
    for (; sent < COUNT; sent++) await stream.send({ event: 'tick', id: String(sent), data })
  })
  socket.pause()
  // Until the operating system buffers no more.
  let before = -1
  const isHeldUp = () => {
    const isSame = before === sent
    before = sent
    return isSame && sent > 0
  }
  await expect.poll(isHeldUp, { interval: 300, timeout: 20_000 }).toBe(true)
  expect(sent).toBeLessThan(COUNT)
  const text = (await socket.setEncoding('utf8').toArray()).join('')
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  expect(ids).toEqual(Array.from({ length: COUNT }, (_, i) => i))
})

test('a reader who takes nothing any more is cut off, and who sends to it goes on', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = await open({ stalledMs: 300, heartbeatMs: 50 }, async (stream) => {
    for (let i = 0; i < 100_000 && !stream.isGone; i++) await stream.send(tick(JSON.stringify('x'.repeat(1000))))
    resolve(stream.isGone)
  })
  socket.pause()
  expect(await promise).toBe(true)
})

test('a reader who is idle because nothing is told stays', async () => {
  const socket = await open({ stalledMs: 200, heartbeatMs: 20 }, async (stream) => {
    await stream.send(tick('1'))
    await sleep(1000)
    await stream.send(tick('2'))
  })
  const text = (await socket.setEncoding('utf8').toArray()).join('')
  expect(text).toContain('data: 2')
})

test('a long event to a slow reader is no stall as long as it is taken', async () => {
  const long = JSON.stringify('x'.repeat(12_000_000))
  const socket = await open({ stalledMs: 5000 }, (stream) => stream.send(tick(long)))
  let bytes = 0
  socket.pause()
  socket.on('readable', () => {})
  const reading = setInterval(() => {
    let chunk: Buffer | null
    for (let taken = 0; taken < 400_000 && (chunk = socket.read() as Buffer | null) !== null; taken += chunk.length) {
      bytes += chunk.length
    }
  }, 50)
  await once(socket, 'end')
  clearInterval(reading)
  expect(bytes).toBeGreaterThan(long.length)
})
