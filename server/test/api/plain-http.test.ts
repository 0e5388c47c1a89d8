/**
 * What a port that speaks HTTPS says to everything else: plain HTTP gets 403 and no redirect, noise ends
 * its own connection only.
 *
 * The first byte of a connection decides, so the tests lean on what could get lost there: requests in pieces, bodies
 * that do not come, callers who stop half way.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectPlain } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { talk } from '../raw-talk.ts'
import { openSecureWorld } from './secure-world.ts'
import type { SecureWorld } from './secure-world.ts'

let secure: SecureWorld
beforeAll(async () => {
  secure = await openSecureWorld()
})
afterAll(() => secure[Symbol.asyncDispose]())

const isRefusal = (requestId: unknown) => ({
  status: 'error',
  error: {
    code: 'https_required',
    message: expect.any(String),
    request_id: requestId,
    hint: expect.any(String),
    docs: expect.stringContaining('https_required'),
  },
})

function expectNoWayOn(headers: IncomingHttpHeaders) {
  expect(headers).not.toHaveProperty('location')
  expect(headers).not.toHaveProperty('refresh')
  // RFC 6797 §7.2: only over secure transport.
  expect(headers).not.toHaveProperty('strict-transport-security')
}

describe('plain HTTP at the HTTPS port', () => {
  test('is refused with 403 https_required in the error envelope and not redirected', async () => {
    const { status, headers, json: body } = await secure.ask('http', '/v1/history')
    expect(status).toBe(403)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['x-request-id']).toMatch(/^[\w-]{20,}$/)
    expect(body).toStrictEqual(isRefusal(headers['x-request-id']))
    expectNoWayOn(headers)
  })

  test.each(['/', '/v1/history', '/openapi.json', '/docs', '/healthz', '/no/such/path'])(
    'is refused at %s',
    async (path) => {
      const answer = await secure.ask('http', path)
      expect(answer.status).toBe(403)
      expectNoWayOn(answer.headers)
    },
  )

  test('is refused with a working key too, and nothing is done with it', async () => {
    const body = { description: 'a chess club', count: 1 }
    const answer = await secure.ask('http', '/v1/generate', { headers: secure.bearer, body })
    expect(answer.status).toBe(403)
    expect(answer.json).toStrictEqual(isRefusal(answer.headers['x-request-id']))
    expectNoWayOn(answer.headers)
    const { rows } = await secure.world.owner.query<{ count: string }>('SELECT count(*) FROM history')
    expect(rows).toEqual([{ count: '0' }])
  })

  test('echoes the request id it was given', async () => {
    const { headers, json: body } = await secure.ask('http', '/', { headers: { 'x-request-id': 'mine-7' } })
    expect(headers['x-request-id']).toBe('mine-7')
    expect(body).toStrictEqual(isRefusal('mine-7'))
  })

  test.each(['de', 'ja', 'ar'])('is refused in the language of Accept-Language: %s', async (language) => {
    const { headers, json: body } = await secure.ask('http', '/', {
      headers: { 'accept-language': `xx, ${language};q=0.9` },
    })
    const texts = await readFile(new URL(`../../data/messages/${language}.json`, import.meta.url), 'utf8')
    const { https_required: words } = (JSON.parse(texts) as { errors: Record<string, object> }).errors
    expect(headers['content-language']).toBe(language)
    expect(body).toMatchObject({ error: { ...words } })
  })

  test('is refused as problem+json on request', async () => {
    const answer = await secure.ask('http', '/', { headers: { accept: 'application/problem+json' } })
    expect(answer.status).toBe(403)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.json).toStrictEqual({
      type: expect.stringContaining('https_required'),
      title: expect.any(String),
      status: 403,
      detail: expect.any(String),
      code: 'https_required',
      request_id: answer.headers['x-request-id'],
    })
  })

  const HEAD = 'POST /v1/generate HTTP/1.1\r\nHost: localhost\r\n'
  test.each<[string, string[], { pauseMs?: number; hangUp?: boolean }]>([
    ['byte by byte', Array.from('GET /v1/history HTTP/1.1\r\nHost: localhost\r\n\r\n'), { pauseMs: 2 }],
    ['with its headers cut in two', ['GET / HTT', 'P/1.1\r\nHost: localhost\r\n\r\n'], { pauseMs: 50 }],
    ['with a body that does not come', [`${HEAD}Content-Length: 900\r\n\r\n{"desc`], {}],
    ['with a body of 60 KB', [`${HEAD}Content-Length: 60000\r\n\r\n`, 'a'.repeat(60_000)], {}],
    ['without a host', ['GET / HTTP/1.1\r\n\r\n'], {}],
    ['in HTTP/1.0', ['GET / HTTP/1.0\r\n\r\n'], {}],
    ['from a caller who has stopped sending', ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'], { hangUp: true }],
  ])('is refused when it comes %s', async (_how, pieces, options) => {
    const answer = await talk(secure.port, pieces, options)
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    expect(answer).toContain('"code":"https_required"')
    expect(answer).not.toMatch(/^location:/im)
  })

  test('is refused before its body is asked for', async () => {
    const answer = await talk(secure.port, [`${HEAD}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n`])
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })
})

describe('bytes that are neither', () => {
  test.each<[string, Buffer, RegExp]>([
    ['text that is no HTTP', Buffer.from('hello there\r\n\r\n'), /^HTTP\/1\.1 400 [^]*"code":"malformed_http"/],
    ['zeros and noise', Buffer.from([0, 1, 2, 3, 128, 255, 254]), /^HTTP\/1\.1 400 [^]*"code":"malformed_http"/],
    ['HTTP/2 in the clear', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /^HTTP\/1\.1 400 /],
    ['a handshake of noise', Buffer.concat([Buffer.from([22, 3, 1, 0, 200]), Buffer.alloc(4000, 90)]), /^(?!HTTP)/],
    ['an alert instead of a handshake', Buffer.from([21, 3, 3, 0, 2, 2, 40]), /^HTTP\/1\.1 400 /],
  ])('%s ends that connection and nothing else', async (_what, bytes, expected) => {
    expect(await talk(secure.port, [bytes])).toMatch(expected)
    expect((await secure.ask('https', '/healthz')).status).toBe(200)
  })

  test('a caller who leaves at the first byte of a handshake does no harm', async () => {
    await Promise.all(Array.from({ length: 20 }, () => talk(secure.port, [Buffer.from([22])], { hangUp: true })))
    expect((await secure.ask('https', '/healthz')).status).toBe(200)
    expect(secure.node.process.exitCode).toBeNull()
    expect(secure.node.output()).not.toMatch(/"level":[56]0/)
  })

  test('a caller who goes on talking after the refusal is cut off', async () => {
    const caller = connectPlain({ port: secure.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
    caller.write('hello there\r\n\r\n')
    await once(caller.resume(), 'end')
    const closed = new Promise((resolve) => caller.once('close', () => resolve('cut off')))
    const prodding = setInterval(() => caller.write('still here'), 20)
    expect(await Promise.race([closed, sleep(20_000, 'kept')])).toBe('cut off')
    clearInterval(prodding)
  })

  test('text that is no HTTP is told so inside TLS too', async () => {
    const answer = await talk(secure.port, ['hello there\r\n\r\n'], { socket: secure.connect() })
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*"code":"malformed_http"/)
  })
})
