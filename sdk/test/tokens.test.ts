/** Access tokens: requested once for concurrent calls, renewed in time, and renewed once when refused. */
import { describe, expect, test } from 'vitest'
import { fetch as undiciFetch } from 'undici'
import { createOAuthClient } from '../../server/test/oauth-client.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { Fetch } from '../src/exchange.ts'
import { createNamewright } from '../src/namewright.ts'
import { json, openScripted, refuse, reset, success } from './scripted.ts'
import type { RecordedRequest, Reply } from './scripted.ts'

const CREDENTIALS = { clientId: 'app/1', clientSecret: 'a+b:c%d é', scopes: ['usage:read', 'generate'] }
const isForToken = ({ url }: RecordedRequest) => url === '/auth/oauth2/token'
const token = (text: string, expires_in = 3600) => json(200, { access_token: text, token_type: 'Bearer', expires_in })

/** One list of replies for the token endpoint, one for the API; the last of each is repeated. */
function openService(tokens: readonly Reply[], answers: readonly Reply[]) {
  let [nthToken, nthAnswer] = [0, 0]
  return openScripted((response, request) => {
    const reply = isForToken(request)
      ? tokens[Math.min(nthToken++, tokens.length - 1)]
      : answers[Math.min(nthAnswer++, answers.length - 1)]
    reply?.(response, request)
  })
}

const clientOf = (baseUrl: string, more: object = {}) =>
  createNamewright({ baseUrl, clientCredentials: CREDENTIALS, random: () => 0, ...more })
const USAGE = success({ usage: { key: {} } })
const isTokenOf =
  (text: string): Reply =>
  (response, request) =>
    (request.headers.authorization === `Bearer ${text}` ? USAGE : refuse(401, 'invalid_token'))(response, request)

describe('a token', () => {
  test('is requested as specified by RFC 6749', async () => {
    await using service = await openService([token('t1')], [isTokenOf('t1')])
    await clientOf(service.url).usage()
    const [request] = service.requests
    expect(request?.method).toBe('POST')
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'usage:read generate',
    })
    const [scheme, basic = ''] = request?.headers.authorization?.split(' ') ?? []
    expect(scheme).toBe('Basic')
    const [user, password] = atob(basic)
      .split(':')
      .map((part) => new URLSearchParams(`_=${part}`).get('_'))
    expect([user, password]).toEqual([CREDENTIALS.clientId, CREDENTIALS.clientSecret])
  })

  test('is requested once for a hundred concurrent calls, and kept', async () => {
    await using service = await openService([token('t1')], [isTokenOf('t1')])
    const client = clientOf(service.url)
    await Promise.all(Array.from({ length: 100 }, () => client.usage()))
    await client.usage()
    expect(service.requests.filter(isForToken)).toHaveLength(1)
    expect(service.requests).toHaveLength(102)
  })

  test('is renewed a minute before it expires, and not earlier', async () => {
    let now = 0
    await using service = await openService([token('t1'), token('t2')], [USAGE])
    const client = clientOf(service.url, { now: () => now })
    const renewals = async (at: number) => {
      now = at
      await client.usage()
      return service.requests.filter(isForToken).length
    }
    expect(await renewals(0)).toBe(1)
    expect(await renewals(3_539_000)).toBe(1)
    expect(await renewals(3_541_000)).toBe(2)
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer t2')
  })

  test('that is refused is renewed once, also for concurrent calls', async () => {
    await using service = await openService([token('t1'), token('t2')], [isTokenOf('t2')])
    const client = clientOf(service.url)
    await Promise.all(Array.from({ length: 20 }, () => client.usage()))
    expect(service.requests.filter(isForToken)).toHaveLength(2)
  })

  test('whose successor is refused, too, fails the call', async () => {
    await using service = await openService([token('t1'), token('t2')], [refuse(401, 'invalid_token')])
    await expect(clientOf(service.url).usage()).rejects.toMatchObject({ code: 'invalid_token', tries: 1 })
    expect(service.requests).toHaveLength(4)
  })

  test('is requested again after retryable failures, and by the next call after a permanent one', async () => {
    const refused = json(401, { error: 'invalid_client', error_description: 'no such client' })
    await using service = await openService([reset, refuse(503, 'unavailable'), refused, token('t1')], [USAGE])
    const client = clientOf(service.url)
    await expect(client.usage()).rejects.toMatchObject({
      name: 'NamewrightError',
      code: 'token_refused',
      status: 401,
      message: 'invalid_client: no such client',
    })
    await client.usage()
    expect(service.requests.filter(isForToken)).toHaveLength(4)
  })

  test('is still used by others when one waiting call aborts', async () => {
    let answer = () => {}
    const late: Reply = (response, request) => {
      answer = () => token('t1')(response, request)
    }
    await using service = await openService([late], [isTokenOf('t1')])
    const client = clientOf(service.url)
    const controller = new AbortController()
    const first = client.usage({}, { signal: controller.signal })
    const second = client.usage()
    await expect.poll(() => service.requests.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    answer()
    await second
    expect(service.requests.filter(isForToken)).toHaveLength(1)
  })
})

test(
  'an application of an account calls the real service, and is authorized again after its token was revoked',
  { timeout: 60_000 },
  async () => {
    await using at = await startApp({ people: true })
    const ada = await at.signUp('Ada')
    const app = await createOAuthClient(at).makeConfidential(ada, { own_scopes: ['history:read', 'favorites:read'] })
    const trusting: Fetch = (url, init) => undiciFetch(url, { ...init, dispatcher: at.agent })
    const notes: number[] = []
    const namewright = createNamewright({
      baseUrl: at.url,
      clientCredentials: { clientId: app.id, clientSecret: app.secret ?? '', scopes: ['history:read'] },
      fetch: trusting,
      onAnswer: ({ status }) => notes.push(status),
    })
    expect(await namewright.history.page()).toEqual({ items: [], nextCursor: null })
    await expect(namewright.favorites.page()).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 })

    await at.world.owner.query('DELETE FROM people.oauth_access_token')
    await expect
      .poll(
        async () => {
          await namewright.history.page()
          return notes.includes(401)
        },
        { timeout: 10_000 },
      )
      .toBe(true)
    expect(notes.at(-1)).toBe(200)

    const wrong = createNamewright({
      baseUrl: at.url,
      clientCredentials: { clientId: app.id, clientSecret: 'wrong' },
      fetch: trusting,
    })
    await expect(wrong.history.page()).rejects.toMatchObject({ code: 'token_refused', status: 401 })
  },
)

describe('a token from a function of the caller', () => {
  test('is requested once for a hundred calls, and again when it is refused', async () => {
    await using service = await openService([], [isTokenOf('t2')])
    let nth = 0
    const accessToken = async () => ({ token: `t${++nth}`, expiresAt: new Date(Date.now() + 3_600_000) })
    const client = createNamewright({ baseUrl: service.url, accessToken, random: () => 0 })
    await Promise.all(Array.from({ length: 100 }, () => client.usage()))
    expect(nth).toBe(2)
  })

  test('is requested again shortly before it expires', async () => {
    await using service = await openService([], [USAGE])
    let [nth, at] = [0, 0]
    const accessToken = async () => ({ token: `t${++nth}`, expiresAt: new Date(Date.now() + 3_600_000) })
    const client = createNamewright({ baseUrl: service.url, accessToken, now: () => at })
    await client.usage()
    at = 3_500_000
    await client.usage()
    expect(nth).toBe(1)
    at = 3_545_000
    await client.usage()
    expect(nth).toBe(2)
  })

  test('that fails is the failure of the call', async () => {
    await using service = await openService([], [USAGE])
    const accessToken = () => Promise.reject(new TypeError('signed out'))
    await expect(createNamewright({ baseUrl: service.url, accessToken }).usage()).rejects.toThrow('signed out')
    expect(service.requests).toHaveLength(0)
  })
})
