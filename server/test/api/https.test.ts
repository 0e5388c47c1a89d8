/**
 * The service over HTTPS, on the port that also has to recognise plain HTTP by its first byte.
 *
 * The tests lean on what could get lost there: large bodies, handshakes cut in pieces, many connections at once, and
 * connections that are kept alive.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createServer } from 'node:tls'
import type { SecureVersion } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDrip } from '../raw-talk.ts'
import { openSecureWorld, portOf } from './secure-world.ts'
import type { SecureWorld } from './secure-world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

let secure: SecureWorld
beforeAll(async () => {
  secure = await openSecureWorld()
})
afterAll(() => secure[Symbol.asyncDispose]())

describe('HTTPS', () => {
  test('tells browsers to stay with it', async () => {
    const { status, headers } = await secure.ask('https', '/v1/history', { headers: secure.bearer })
    expect(status).toBe(200)
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/)
  })

  test('serves several requests on one connection', async () => {
    using agent = disposable(new Agent({ keepAlive: true, maxSockets: 1 }))
    const ports = new Set<number | undefined>()
    agent.on('free', (socket: Socket) => ports.add(socket.localPort))
    for (let round = 0; round < 5; round++) {
      const answer = await secure.ask('https', '/v1/history', { agent, headers: secure.bearer })
      expect(answer.status).toBe(200)
    }
    expect(ports.size).toBe(1)
  })

  test('loses nothing of a large body', async () => {
    const tags = Array.from({ length: 20 }, (_, at) => `tag-${at}`.padEnd(40, 'x'))
    const note = 'é'.repeat(2000)
    const small = await secure.ask('https', '/v1/favorites', {
      headers: secure.bearer,
      body: { domain: 'lantern.com', note, tags },
    })
    expect(small.status).toBe(201)
    expect(small.json).toMatchObject({ data: { favorite: { note, tags } } })
    // Nothing valid is this large, so the refusal must name the field at the very end: all of it was read.
    const body = { description: 'a'.repeat(60_000), count: 1, at_the_end: true }
    const large = await secure.ask('https', '/v1/generate', { headers: secure.bearer, body })
    expect(large.status).toBe(400)
    expect(large.json).toMatchObject({
      error: {
        code: 'invalid_request',
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/at_the_end' })]),
      },
    })
  })

  test('carries fifty connections at once, each with a request of its own', async () => {
    using agent = disposable(new Agent({ keepAlive: true, maxFreeSockets: 50 }))
    const ids = Array.from({ length: 50 }, (_, at) => `id-${at}`)
    const answers = await Promise.all(
      ids.map((id) => secure.ask('https', '/v1/history', { agent, headers: { ...secure.bearer, 'x-request-id': id } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(ids)
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(50)
  })

  test('is spoken with a caller whose handshake arrives in pieces', async () => {
    await using proxy = await openDrip(secure.port)
    expect((await secure.ask('https', '/healthz', { port: proxy.port })).status).toBe(200)
  })

  test('is spoken from TLS 1.2 on and not before', async () => {
    const cipher = { ciphers: 'DEFAULT@SECLEVEL=0' }
    const shake = async (to: number, version: SecureVersion) => {
      const only = { minVersion: version, maxVersion: version, ...cipher }
      const socket = connect({ port: to, host: '127.0.0.1', ca: secure.certificate.ca, ...only })
      try {
        await once(socket, 'secureConnect')
        return socket.getProtocol()
      } catch (error) {
        return (error as Error).message
      } finally {
        socket.destroy()
      }
    }
    // A server that does allow it shows that this client can.
    const [cert, privateKey] = await Promise.all(
      Object.values(secure.certificate.env).map((file) => readFile(file, 'utf8')),
    )
    const old = createServer({ cert, key: privateKey, minVersion: 'TLSv1.1', ...cipher }).listen(0, '127.0.0.1')
    await once(old, 'listening')
    expect(await shake((old.address() as AddressInfo).port, 'TLSv1.1')).toBe('TLSv1.1')
    old.close()
    expect(await shake(secure.port, 'TLSv1.1')).toMatch(/protocol version/)
    expect(await shake(secure.port, 'TLSv1.2')).toBe('TLSv1.2')
    expect(await shake(secure.port, 'TLSv1.3')).toBe('TLSv1.3')
  })

  test('a node that is told to stop finishes the answer under way and ends, whatever is kept alive', async () => {
    const stopping = await secure.world.startNode(secure.certificate.env)
    const url = { port: portOf(stopping), host: '127.0.0.1', ca: secure.certificate.ca }
    using agent = disposable(new Agent({ keepAlive: true }))
    const unused = connect(url).on('error', () => {})
    await once(unused, 'secureConnect')
    const headers = { ...secure.bearer, 'content-type': 'application/json', expect: '100-continue' }
    const sent = request({ ...url, agent, path: '/v1/generate', method: 'POST', headers })
    sent.flushHeaders()
    await once(sent, 'continue')
    const began = runningMs()
    const ended = stopping.stop()
    while (!stopping.output().includes('draining')) await sleep(5)
    sent.end(JSON.stringify({ description: 'a sailing school', count: 3 }))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
    expect(await json(answer)).toMatchObject({ status: 'success' })
    expect(await ended).toBe(0)
    expect(runningMs() - began).toBeLessThan(5000)
  })
})

function disposable(agent: Agent): Agent & Disposable {
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}
