/** When a call is retried, when it fails, and with which error. */
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isErrorCode, NamewrightError, NetworkError, TimeBudgetError } from '../src/errors.ts'
import { createNamewright } from '../src/namewright.ts'
import type { Namewright } from '../src/namewright.ts'
import { json, openScripted, refuse, reset, silence, success } from './scripted.ts'
import type { Reply, Scripted } from './scripted.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const BODY = { description: 'a bakery', count: 1 }
const GENERATED = { suggestions: [] }

type Options = Partial<Parameters<typeof createNamewright>[0]>

/** Without jitter, so that the tests do not wait. */
const clientOf = (url: string, options: Options = {}): Namewright =>
  createNamewright({ baseUrl: url, apiKey: 'nw_test', random: () => 0, ...options } as Parameters<
    typeof createNamewright
  >[0])

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const keysOf = ({ requests }: Scripted) => new Set(requests.map(({ headers }) => headers['idempotency-key']))

describe('when nothing listens at the URL', () => {
  /** A port that was just closed. */
  async function deadUrl(): Promise<string> {
    await using server = await openScripted(success(GENERATED))
    return server.url
  }

  test('a call fails within a second, with the URL and the cause', async () => {
    const url = await deadUrl()
    // The longest waits: 200 and 400 ms. The next, of 800 ms, would end after a second.
    const failure = await failureOf(clientOf(url, { random: () => 1 }).generate(BODY))
    expect(failure).toBeInstanceOf(NetworkError)
    expect((failure as NetworkError).tries).toBeLessThanOrEqual(3)
    expect((failure as Error).message).toBe(
      `the service at ${url} could not be reached: connect ECONNREFUSED ${new URL(url).host}`,
    )
  })

  test('a service that has responded before is retried, because it may only restart', async () => {
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    })
    await using server = await openScripted(success(GENERATED), success(GENERATED))
    // Each reading of the clock is half a second later, so that the outage is longer than a first call would wait.
    let [at, calls] = [0, 0]
    const client = clientOf(server.url, {
      now: () => (at += 500),
      fetch: async (url: string, init: object) => {
        calls += 1
        if (calls > 1 && calls < 6) throw refused
        return fetch(url, init)
      },
    })
    expect(await client.generate(BODY)).toEqual(GENERATED)
    expect(await client.generate(BODY)).toEqual(GENERATED)
    expect(calls).toBe(6)
  })

  test.each([undefined, ''])('a key that is %j is reported as missing', (apiKey) => {
    expect(() => createNamewright({ baseUrl: 'http://127.0.0.1:1', apiKey } as never)).toThrow('apiKey is missing')
  })
})

describe('a call is retried', () => {
  const passing: readonly (readonly [string, Reply])[] = [
    ['a 408', refuse(408, 'request_timeout')],
    ['a 409 while the first is running', refuse(409, 'idempotency_in_progress', { 'retry-after': '0' })],
    ['a 425', json(425, {})],
    ['a 429', refuse(429, 'rate_limited', { 'retry-after': '0' })],
    ['a 500', refuse(500, 'internal')],
    ['a 502 of a proxy', (response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>')],
    ['a 503', refuse(503, 'unavailable', { 'retry-after': '0' })],
    ['a connection that was reset', reset],
    [
      'a response that was cut off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"status":"succ', () => response.socket?.resetAndDestroy())
      },
    ],
  ]
  test.for(passing)('after %s, with the same key', async ([, reply]) => {
    await using server = await openScripted(reply, reply, success(GENERATED))
    expect(await clientOf(server.url).generate(BODY)).toEqual(GENERATED)
    expect(server.requests).toHaveLength(3)
    expect([...keysOf(server)]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1)
  })

  test('after a try without a response, long before the budget is used up', async () => {
    await using server = await openScripted(silence, success(GENERATED))
    // 100 ms for the service, 5 s for the network.
    expect(await clientOf(server.url).generate({ ...BODY, deadline_ms: 100 })).toEqual(GENERATED)
    expect(server.requests).toHaveLength(2)
  })

  test('not before Retry-After', async () => {
    await using server = await openScripted(refuse(503, 'unavailable', { 'retry-after': '1' }), success(GENERATED))
    await clientOf(server.url).generate(BODY)
    const [first, second] = server.requests
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990)
  })

  test('and two calls have two keys, unless the caller sets one', async () => {
    await using server = await openScripted(success(GENERATED))
    const client = clientOf(server.url)
    await Promise.all([client.generate(BODY), client.generate(BODY)])
    expect(keysOf(server).size).toBe(2)
    for (const key of keysOf(server)) expect(key).toMatch(/^[0-9a-f]{32}$/)
    await client.generate(BODY, { idempotencyKey: 'order-4711' })
    expect(keysOf(server)).toContain('order-4711')
  })
})

describe('a call is not retried', () => {
  const final: readonly (readonly [number, string])[] = [
    [400, 'invalid_request'],
    [401, 'invalid_token'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [409, 'last_owner'],
    [413, 'body_too_large'],
    [422, 'no_names'],
    [422, 'idempotency_mismatch'],
    [501, 'internal'],
  ]
  test.for(final)('after %i %s', async ([status, code]) => {
    await using server = await openScripted(refuse(status, code), success(GENERATED))
    const error = await failureOf(clientOf(server.url).generate(BODY))
    expect(error).toBeInstanceOf(NamewrightError)
    expect(error).toMatchObject({ status, code, tries: 1, requestId: 'req-1' })
    expect(server.requests).toHaveLength(1)
  })

  test('when Retry-After is longer than the budget: it fails at once, with the time to wait', async () => {
    await using server = await openScripted(refuse(429, 'quota_exceeded', { 'retry-after': '40000' }))
    const startedAt = runningMs()
    const error = await failureOf(clientOf(server.url).generate(BODY))
    expect(isErrorCode(error, 'quota_exceeded') && error.retryAfterMs).toBe(40_000_000)
    expect(runningMs() - startedAt).toBeLessThan(5_000)
    expect(server.requests).toHaveLength(1)
  })

  test('when it is redirected: the key is not sent to the new URL', async () => {
    await using other = await openScripted(success(GENERATED))
    await using server = await openScripted((response) => void response.writeHead(307, { location: other.url }).end())
    expect(await failureOf(clientOf(server.url).generate(BODY))).toMatchObject({ code: 'unexpected', status: 307 })
    expect(other.requests).toHaveLength(0)
    expect(server.requests).toHaveLength(1)
  })

  test('when the response is a web page', async () => {
    await using server = await openScripted((response) => void response.end('<h1>Welcome to the hotel</h1>'))
    expect(await failureOf(clientOf(server.url).usage())).toMatchObject({ code: 'unexpected', status: 200 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a call fails', () => {
  test('with the last error response, when there is no time for another try', async () => {
    await using server = await openScripted(refuse(503, 'unavailable', { 'retry-after': '5' }))
    const error = await failureOf(clientOf(server.url, { timeBudgetMs: 9_900 }).generate(BODY))
    expect(error).toMatchObject({ name: 'NamewrightError', code: 'unavailable' })
    expect((error as NamewrightError).tries).toBeGreaterThan(1)
  })

  test('with the last network failure, when nothing listens', async () => {
    await using server = await openScripted(silence)
    const { url } = server
    await server[Symbol.asyncDispose]()
    const options = { timeBudgetMs: 2_000, random: () => 0.5, now: runningMs }
    const error = await failureOf(clientOf(url, options).generate(BODY))
    expect(error).toBeInstanceOf(NetworkError)
    expect((error as NetworkError).tries).toBeGreaterThan(1)
    expect((error as NetworkError).cause).toBeInstanceOf(Error)
  })

  test('when the budget is used up, however many tries hang', async () => {
    await using server = await openScripted(refuse(503, 'unavailable', { 'retry-after': '0' }), silence)
    const [startedAt, ranAt] = [performance.now(), runningMs()]
    const error = await failureOf(clientOf(server.url).generate(BODY, { timeBudgetMs: 6_000 }))
    expect(error).toBeInstanceOf(TimeBudgetError)
    expect(error).toMatchObject({ timeBudgetMs: 6_000, tries: 2, cause: { code: 'unavailable' } })
    expect(performance.now() - startedAt).toBeGreaterThan(5_990)
    expect(runningMs() - ranAt).toBeLessThan(10_000)
  })

  test('when its signal is aborted: before, during a try, and during the back-off', async () => {
    await using server = await openScripted(silence)
    const client = clientOf(server.url)
    const reason = new Error('enough')
    expect(await failureOf(client.generate(BODY, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(server.requests).toHaveLength(0)

    const during = new AbortController()
    const hanging = failureOf(client.generate(BODY, { signal: during.signal }))
    await expect.poll(() => server.requests.length).toBe(1)
    during.abort(reason)
    expect(await hanging).toBe(reason)

    await using busy = await openScripted(refuse(503, 'unavailable', { 'retry-after': '20' }))
    const between = new AbortController()
    const waiting = failureOf(clientOf(busy.url).generate(BODY, { signal: between.signal }))
    await expect.poll(() => busy.requests.length).toBe(1)
    between.abort()
    expect(await waiting).toMatchObject({ name: 'AbortError' })
  })

  test('and leaves no listeners on a signal that outlives it', async () => {
    await using server = await openScripted(success(GENERATED))
    const { signal } = new AbortController()
    let listeners = 0
    const watched = new Proxy(signal, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          if (name === 'addEventListener') listeners += 1
          if (name === 'removeEventListener') listeners -= 1
          return Reflect.apply(value, target, args)
        }
      },
    })
    await clientOf(server.url).generate(BODY, { signal: watched })
    expect(listeners).toBe(0)
  })
})

describe('a deletion', () => {
  const gone = refuse(404, 'not_found')
  test('whose response was lost and that then finds nothing has succeeded', async () => {
    await using server = await openScripted(reset, gone)
    await clientOf(server.url).favorites.delete('id-1')
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(2).fill('DELETE /v1/favorites/id-1'),
    )
  })

  test('that finds nothing on the first try fails', async () => {
    await using server = await openScripted(gone)
    expect(await failureOf(clientOf(server.url).favorites.delete('id-1'))).toMatchObject({ code: 'not_found' })
  })

  test.for(['', '.', '..'])('of %j is not sent, because that would be another path', async (id) => {
    await using server = await openScripted(success())
    expect(await failureOf(clientOf(server.url).history.delete(id))).toBeInstanceOf(TypeError)
    expect(server.requests).toHaveLength(0)
  })

  test('keeps an id from leaving its place', async () => {
    await using server = await openScripted(success())
    await clientOf(server.url).history.delete('../favorites?x#y')
    expect(server.requests[0]?.url).toBe('/v1/history/..%2Ffavorites%3Fx%23y')
  })
})

describe('a client', () => {
  test('may use a URL with a path', async () => {
    await using server = await openScripted(success({ usage: {} }))
    await clientOf(`${server.url}/names/`).usage({ days: 3 })
    expect(server.requests[0]?.url).toBe('/names/v1/usage?days=3')
  })

  test.for(['', 'names.example.com', 'ftp://x', 'https://u:p@x', 'https://x/?a', 'https://x/#a'])(
    'refuses the URL %j when it is created',
    (baseUrl) => {
      expect(() => clientOf(baseUrl)).toThrow(TypeError)
    },
  )

  test('refuses an invalid key, and does not repeat it', () => {
    for (const apiKey of ['nw_secret\n', 'nw secret'])
      expect(() => clientOf('http://127.0.0.1:1', { apiKey })).toThrow(/^(?!.*secret).*white space/s)
  })

  test('passes every response to onAnswer', async () => {
    await using server = await openScripted(
      refuse(503, 'unavailable', { 'retry-after': '0', 'x-request-id': 'one' }),
      json(
        200,
        { status: 'success', data: GENERATED },
        { ratelimit: '"rate";r=5;t=1', 'idempotent-replayed': 'true', 'namewright-sandbox': 'true' },
      ),
    )
    const notes: unknown[] = []
    await clientOf(server.url, { onAnswer: (note) => notes.push(note) }).generate(BODY)
    const operation = 'POST /v1/generate'
    expect(notes).toEqual([
      { operation, status: 503, tries: 1, requestId: 'one', rateLimit: null, isReplay: false, isSandbox: false },
      {
        operation,
        status: 200,
        tries: 2,
        requestId: null,
        rateLimit: '"rate";r=5;t=1',
        isReplay: true,
        isSandbox: true,
      },
    ])
  })

  test('reports an unknown error code as unexpected, with its status', async () => {
    await using server = await openScripted(refuse(418, 'teapot'))
    expect(await failureOf(clientOf(server.url).usage())).toMatchObject({ code: 'unexpected', status: 418 })
  })

  test('shows no secret when it is printed', () => {
    const client = clientOf('http://127.0.0.1:1', { apiKey: 'nw_hidden' })
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('nw_hidden')
  })
})
