/** What a page of another origin may read: the API, where a key is sent in a header, and nothing that goes by cookies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseList } from './structured-fields.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const ORIGIN = 'https://shop.example'

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode({ NAMEWRIGHT_PUBLIC_URL: 'https://names.example' })
})
afterAll(() => world[Symbol.asyncDispose]())

interface Asked {
  readonly key?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** As a page of another origin, and no further than the answer: a redirect is an answer, too. */
async function ask(path: string, { key, body, method = body === undefined ? 'GET' : 'POST', headers }: Asked = {}) {
  const answer = await fetch(`${node.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      origin: ORIGIN,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const preflight = (path: string, method = 'POST') =>
  ask(path, {
    method: 'OPTIONS',
    headers: {
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

describe('a preflight', () => {
  test.each([
    '/v1/generate',
    '/v1/history/0198d2c4-0000-7000-8000-000000000000',
    '/v1/domains/check?x=1',
    '/auth/oauth2/token',
  ])('for %s is answered without a key', async (path) => {
    const { status, headers, text } = await preflight(path)
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PATCH, DELETE')
    expect(headers.get('access-control-allow-headers')).toBe(
      'authorization, content-type, accept, accept-language, idempotency-key, x-request-id',
    )
    expect(headers.get('access-control-max-age')).toBe('7200')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('content-type')).toBeNull()
  })

  test('counts in no quota', async () => {
    const quota = { perMinute: 1, burst: 2, perDay: null, perMonth: null }
    const { secret } = await world.makeKey(await world.makeAccount(), { quota })
    for (let i = 0; i < 5; i++) expect((await ask('/v1/history', { method: 'OPTIONS', key: secret })).status).toBe(204)
    const answer = await ask('/v1/history', { key: secret })
    expect(answer.status).toBe(200)
    expect(parseList(answer.headers.get('ratelimit')).get('rate')?.r).toBe(1)
  })
})

describe('an answer can be read by a page', () => {
  const expectOpen = ({ headers }: { headers: Headers }) => {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toBe(
      'x-request-id, ratelimit, ratelimit-policy, retry-after, idempotent-replayed, content-language, link, location, namewright-sandbox',
    )
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  }

  test('when it is a success, whole or streamed', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount())
    const body = { description: 'a bakery', count: 1 }
    const whole = await ask('/v1/generate', { key, body })
    expect(whole.status).toBe(200)
    expectOpen(whole)
    for (const accept of ['application/x-ndjson', 'text/event-stream']) {
      const streamed = await ask('/v1/generate', { key, body, headers: { accept } })
      expect(streamed.headers.get('content-type')).toContain(accept)
      expectOpen(streamed)
    }
  })

  test('when it is a refusal', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount(), { scopes: ['history:read'] })
    const statuses = []
    for (const [path, call] of [
      ['/v1/history', {}],
      ['/v1/generate', { key, body: {} }],
      ['/v1/history?limit=x', { key }],
      ['/v1/nothing', { key }],
      ['/v1/history', { key, method: 'PUT' }],
    ] as const) {
      const answer = await ask(path, call)
      statuses.push(answer.status)
      expectOpen(answer)
    }
    expect(statuses).toEqual([401, 403, 400, 404, 405])
  })

  test('when it is a token, or none', async () => {
    const answer = await ask('/auth/oauth2/token', {
      body: 'grant_type=client_credentials&client_id=nobody&client_secret=nothing',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expectOpen(answer)
  })
})

describe('what goes by a cookie stays closed:', () => {
  test.each([
    '/settings/me',
    '/settings/accounts',
    '/auth/get-session',
    '/auth/oauth2/authorize',
    '/auth/oauth2/register',
    '/auth/oauth2/tokens',
    '/sign-in',
    '/consent',
    '/docs',
    '/openapi.json',
    '/mcp',
    '/v1',
    '/V1/generate',
    '/',
  ])('%s', async (path) => {
    for (const answer of [await ask(path), await ask(path, { body: {} }), await preflight(path)]) {
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect(names).toEqual([])
    }
    expect((await preflight(path)).status).toBeGreaterThanOrEqual(400)
  })
})
