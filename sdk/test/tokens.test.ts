/** An application that gets itself tokens: one request for all who need one, again in time, and once more when refused. */
import { describe, expect, test } from 'vitest'
import { fetch as undiciFetch } from 'undici'
import { createOAuthClient } from '../../server/test/oauth-client.ts'
import { sharePeopleWorld } from '../../server/test/people-world.ts'
import type { Fetch } from '../src/exchange.ts'
import { createNamewright } from '../src/namewright.ts'
import { json, openScripted, refuse, reset, success } from './scripted.ts'
import type { Asked, Reply } from './scripted.ts'

const CREDENTIALS = { clientId: 'app/1', clientSecret: 'a+b:c%d é', scopes: ['usage:read', 'generate'] }
const isForToken = ({ url }: Asked) => url === '/auth/oauth2/token'
const token = (text: string, expires_in = 3600) => json(200, { access_token: text, token_type: 'Bearer', expires_in })

/** One list of replies for the token endpoint, one for the rest; the last of each is repeated. */
function openService(tokens: readonly Reply[], answers: readonly Reply[]) {
  let [nthToken, nthAnswer] = [0, 0]
  return openScripted((response, asked) => {
    const reply = isForToken(asked)
      ? tokens[Math.min(nthToken++, tokens.length - 1)]
      : answers[Math.min(nthAnswer++, answers.length - 1)]
    reply?.(response, asked)
  })
}

const clientOf = (baseUrl: string, more: object = {}) =>
  createNamewright({ baseUrl, clientCredentials: CREDENTIALS, random: () => 0, ...more })
const USAGE = success({ usage: { key: {} } })
const isTokenOf =
  (text: string): Reply =>
  (response, asked) =>
    (asked.headers.authorization === `Bearer ${text}` ? USAGE : refuse(401, 'invalid_token'))(response, asked)

describe('a token', () => {
  test('is asked for as RFC 6749 has it', async () => {
    await using service = await openService([token('t1')], [isTokenOf('t1')])
    await clientOf(service.url).usage()
    const [asked] = service.asked
    expect(asked?.method).toBe('POST')
    expect(asked?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'usage:read generate',
    })
    const [scheme, basic = ''] = asked?.headers.authorization?.split(' ') ?? []
    expect(scheme).toBe('Basic')
    const [user, password] = atob(basic)
      .split(':')
      .map((part) => new URLSearchParams(`_=${part}`).get('_'))
    expect([user, password]).toEqual([CREDENTIALS.clientId, CREDENTIALS.clientSecret])
  })

  test('is asked for once by a hundred callers, and kept', async () => {
    await using service = await openService([token('t1')], [isTokenOf('t1')])
    const client = clientOf(service.url)
    await Promise.all(Array.from({ length: 100 }, () => client.usage()))
    await client.usage()
    expect(service.asked.filter(isForToken)).toHaveLength(1)
    expect(service.asked).toHaveLength(102)
  })

  test('is renewed a minute before its end, and not before', async () => {
    let now = 0
    await using service = await openService([token('t1'), token('t2')], [USAGE])
    const client = clientOf(service.url, { now: () => now })
    const renewals = async (at: number) => {
      now = at
      await client.usage()
      return service.asked.filter(isForToken).length
    }
    expect(await renewals(0)).toBe(1)
    expect(await renewals(3_539_000)).toBe(1)
    expect(await renewals(3_541_000)).toBe(2)
    expect(service.asked.at(-1)?.headers.authorization).toBe('Bearer t2')
  })

  test('that is refused is replaced once, also for all who used it at the same time', async () => {
    await using service = await openService([token('t1'), token('t2')], [isTokenOf('t2')])
    const client = clientOf(service.url)
    await Promise.all(Array.from({ length: 20 }, () => client.usage()))
    expect(service.asked.filter(isForToken)).toHaveLength(2)
  })

  test('whose successor is refused, too, ends the call', async () => {
    await using service = await openService([token('t1'), token('t2')], [refuse(401, 'invalid_token')])
    await expect(clientOf(service.url).usage()).rejects.toMatchObject({ code: 'invalid_token', tries: 1 })
    expect(service.asked).toHaveLength(4)
  })

  test('is asked for again after faults that pass, and the next call asks anew after one that does not', async () => {
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
    expect(service.asked.filter(isForToken)).toHaveLength(4)
  })

  test('is not lost to others when one of those who wait gives up', async () => {
    let answer = () => {}
    const late: Reply = (response, asked) => {
      answer = () => token('t1')(response, asked)
    }
    await using service = await openService([late], [isTokenOf('t1')])
    const client = clientOf(service.url)
    const controller = new AbortController()
    const first = client.usage({}, { signal: controller.signal })
    const second = client.usage()
    await expect.poll(() => service.asked.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    answer()
    await second
    expect(service.asked.filter(isForToken)).toHaveLength(1)
  })
})

test(
  'an application of an account calls the real service, and is let in again after its token was revoked',
  { timeout: 60_000 },
  async () => {
    await using at = await sharePeopleWorld()
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

describe('a token that the caller gets', () => {
  test('is asked for once by a hundred calls, and again when it is refused', async () => {
    await using service = await openService([], [isTokenOf('t2')])
    let nth = 0
    const accessToken = async () => ({ token: `t${++nth}`, expiresAt: new Date(Date.now() + 3_600_000) })
    const client = createNamewright({ baseUrl: service.url, accessToken, random: () => 0 })
    await Promise.all(Array.from({ length: 100 }, () => client.usage()))
    expect(nth).toBe(2)
  })

  test('is asked for again shortly before it ends', async () => {
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

  test('that cannot be had is the failure of the call', async () => {
    await using service = await openService([], [USAGE])
    const accessToken = () => Promise.reject(new TypeError('signed out'))
    await expect(createNamewright({ baseUrl: service.url, accessToken }).usage()).rejects.toThrow('signed out')
    expect(service.asked).toHaveLength(0)
  })
})
