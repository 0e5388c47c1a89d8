/**
 * How a request is refused before any of its fields is read: one envelope, a code of the closed table, the HTTP
 * status that belongs to it. What can be wrong with a field is in fields.test.ts, the words are in languages.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const BODY_LIMIT = 64 * 1024

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const generate = (body: unknown, headers: Record<string, string> = {}) =>
  node.call('/v1/generate', { key, body, headers })

describe('a body that cannot be read', () => {
  test.each(['{', '{"count":1', 'nonsense', "{'count':1}", '{"count":1}}', '\u0000', '{"a":1,}'])(
    'is 400 invalid_json when it is %j',
    async (body) => {
      const error = expectError(await generate(body), 400, 'invalid_json')
      expect(error.errors).toBeUndefined()
    },
  )

  test('is 413 body_too_large from the first byte beyond 64 KiB, and not before', async () => {
    const bodyOf = (bytes: number) => {
      const empty = JSON.stringify({ description: '', count: 1 })
      return JSON.stringify({ description: 'a'.repeat(bytes - empty.length), count: 1 })
    }
    // Read in full, and then refused for its 2000 characters only.
    expectError(await generate(bodyOf(BODY_LIMIT)), 400, 'invalid_request')
    expectError(await generate(bodyOf(BODY_LIMIT + 1)), 413, 'body_too_large')
  })

  test('is 413 body_too_large also when its length is not announced', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 5; i++) controller.enqueue(Buffer.alloc(16 * 1024, ' '))
        controller.close()
      },
    })
    const response = await fetch(`${node.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half',
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: 'body_too_large' } })
  })

  test('is 400 body_too_deep beyond eight levels, and not before', async () => {
    const nested = (levels: number) => `{"styles":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expectError(await generate(nested(8)), 400, 'invalid_request')
    expectError(await generate(nested(9)), 400, 'body_too_deep')
    expectError(await generate('['.repeat(60_000)), 400, 'body_too_deep')
  })

  test('may hold any number of brackets inside a text', async () => {
    const { status } = await generate({ description: `a bakery ${'['.repeat(50)}${'"'.repeat(9)}`, count: 1 })
    expect(status).toBe(200)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data'])(
    'is 415 unsupported_media_type when it says it is %s',
    async (type) => {
      expectError(
        await generate('{"description":"a","count":1}', { 'content-type': type }),
        415,
        'unsupported_media_type',
      )
    },
  )

  test('is JSON with or without a charset', async () => {
    const body = { description: 'a bakery', count: 1 }
    expect((await generate(body, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200)
    expect((await generate(body, { 'content-type': 'Application/JSON' })).status).toBe(200)
  })

  test('is 400 invalid_request when it is missing', async () => {
    for (const path of ['/v1/generate', '/v1/favorites']) {
      expectError(await node.call(path, { key, method: 'POST' }), 400, 'invalid_request')
      const empty = { key, method: 'POST', headers: { 'content-type': 'application/json' } }
      expectError(await node.call(path, empty), 400, 'invalid_request')
    }
  })

  test.each(['null', '[]', '"text"', '7', 'true'])(
    'is 400 invalid_request when it is %s and not an object',
    async (body) => {
      const error = expectError(await generate(body), 400, 'invalid_request')
      expect(error.errors).toMatchObject([{ pointer: '', code: 'wrong_type' }])
    },
  )
})

describe('an address', () => {
  test.each(['/v1', '/v1/', '/v1/generat', '/v2/generate', '/v1/history/x/y', '/admin', '/v1/generate/'])(
    'is 404 not_found when it is %s',
    async (path) => {
      expectError(await node.call(path, { key }), 404, 'not_found')
    },
  )

  test('is 404 not_found for an id that is none, or nobody has', async () => {
    for (const id of ['x', '%00', '0198d2c4-0000-7000-8000-000000000000', '..%2f..', 'a'.repeat(99)]) {
      for (const list of ['history', 'favorites']) {
        expectError(await node.call(`/v1/${list}/${id}`, { key }), 404, 'not_found')
        expectError(await node.call(`/v1/${list}/${id}`, { key, method: 'DELETE' }), 404, 'not_found')
      }
    }
  })

  test.each([
    ['GET', '/v1/generate', ['POST']],
    ['DELETE', '/v1/generate', ['POST']],
    ['PUT', '/v1/favorites', ['GET', 'POST']],
    ['PATCH', '/v1/history', ['GET', 'DELETE']],
    ['POST', '/v1/history/0198d2c4-0000-7000-8000-000000000000', ['GET', 'DELETE']],
    ['PUT', '/v1/favorites/0198d2c4-0000-7000-8000-000000000000', ['GET', 'PATCH', 'DELETE']],
    ['OPTIONS', '/healthz', ['GET']],
    ['POST', '/healthz', ['GET']],
  ])('answers %s %s with 405 and what is allowed there', async (method, path, allowed) => {
    const answer = await node.call(path, { key, method })
    expectError(answer, 405, 'method_not_allowed')
    const named = (answer.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD')
    expect(named.toSorted()).toEqual(allowed.toSorted())
  })
})

describe('the envelope', () => {
  test('links to words about its code that this node really serves', async () => {
    const page = await node.call('/docs/errors')
    for (const answer of [await generate('{'), await node.call('/v1/nowhere'), await node.call('/v1/history')]) {
      const anchor = String(answer.json.error.docs).split('#')[1]
      expect(page.text).toContain(`id="${anchor}"`)
    }
  })

  test('is never cached', async () => {
    const answer = await generate('{')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each([
    'application/problem+json',
    'application/problem+json, application/json',
    'application/json;q=0.5, application/problem+json;q=0.9',
    'application/problem+json;q=0.4, */*;q=0.1',
  ])('is a pure RFC 9457 problem for a caller that accepts %s', async (accept) => {
    const answer = await generate({ count: 0 }, { accept, 'accept-language': 'it' })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json\b/)
    expect(answer.headers.get('vary')).toMatch(/\baccept\b(?!-)/i)
    const { type, title, status, detail, code, request_id, errors, ...more } = answer.json
    expect(more).toEqual({})
    expect({ status, code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(URL.canParse(type, node.url)).toBe(true)
    expect(title).toBe('Alcuni campi non sono validi.')
    expect(detail).toEqual(expect.any(String))
    expect(request_id).toBe(answer.headers.get('x-request-id'))
    const pointers = (errors as { pointer: string }[]).map(({ pointer }) => pointer)
    expect(pointers.toSorted()).toEqual(['/count', '/description'])
  })

  test.each([
    '*/*',
    'application/json',
    'text/html',
    'application/problem+json;q=0',
    'application/problem+json;q=0.2, application/json',
  ])('stays as it is for a caller that accepts %s', async (accept) => {
    expectError(await generate({ count: 0 }, { accept }), 400, 'invalid_request')
  })
})
