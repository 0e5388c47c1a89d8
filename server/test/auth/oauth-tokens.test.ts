/** The life of tokens: refreshed, revoked, asked about (RFC 6749 §6, RFC 7009, RFC 7662, RFC 9700 §4.14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOAuthClient, inTurn, refusalOf } from '../oauth-client.ts'
import type { App, Fields, OAuthClient, Tokens } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
let nextPerson: () => SignedIn
let app: App
let other: App
let robot: App
let second: string
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
  nextPerson = inTurn([ada, await at.signUp('Bea')])
  app = await oauth.makePublic()
  other = await oauth.makePublic()
  robot = await oauth.makeConfidential(ada)
  second = (await at.startNode()).url
})
afterAll(() => at[Symbol.asyncDispose]())

const grant = (changes?: Fields) => oauth.grant(nextPerson(), app, changes)

async function refreshed(token: string): Promise<Tokens> {
  const reply = await oauth.refresh(app, token)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as Tokens
}

/** On both nodes, within the five seconds that are promised. */
async function expectEnd(token: string): Promise<void> {
  for (const node of [second, at.url]) {
    const status = async () => (await oauth.show(token, 'v1', node)).status
    await expect.poll(status, { timeout: 5_000, interval: 100 }).toBe(401)
  }
}

async function expectLife(token: string): Promise<void> {
  for (const node of [second, at.url]) expect((await oauth.show(token, 'v1', node)).status).toBe(200)
}

describe('a refresh token', () => {
  test('changes at every use (RFC 9700 §4.14.2)', async () => {
    const first = await grant()
    const next = await refreshed(first.refresh_token)
    expect(next.refresh_token).not.toBe(first.refresh_token)
    expect(next.access_token).not.toBe(first.access_token)
    expect(next.scope).toBe(first.scope)
    await expectLife(next.access_token)
  })

  test('that is used twice ends its whole family, also what came later, on every node', async () => {
    const first = await grant()
    const next = await refreshed(first.refresh_token)
    const last = await refreshed(next.refresh_token)
    await expectLife(last.access_token)
    expect(refusalOf(await oauth.refresh(app, first.refresh_token))).toBe('400 invalid_grant')
    expect(refusalOf(await oauth.refresh(app, last.refresh_token))).toBe('400 invalid_grant')
    for (const { access_token } of [first, next, last]) await expectEnd(access_token)
  })

  test('that two use at the same moment is given on to one of them at most', async () => {
    const { refresh_token } = await grant()
    const replies = await Promise.all(Array.from({ length: 5 }, () => oauth.refresh(app, refresh_token)))
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  test('is not given without offline_access', async () => {
    const tokens = await grant({ scope: 'history:read' })
    expect(tokens.refresh_token).toBeUndefined()
  })

  test('gives a token for the same door as the first', async () => {
    const tokens = await grant({ resource: oauth.resource('mcp') })
    const next = await refreshed(tokens.refresh_token)
    expect((await oauth.show(next.access_token, 'mcp')).status).toBe(200)
    expect((await oauth.show(next.access_token, 'v1')).status).toBe(401)
  })

  test('of another application is refused, and goes on working for its own (RFC 6749 §6)', async () => {
    const { refresh_token } = await grant()
    expect(refusalOf(await oauth.refresh(other, refresh_token))).toBe('400 invalid_grant')
    await refreshed(refresh_token)
  })

  test.each<[sentence: string, changes: Fields, expected: string]>([
    [
      'does not give more than was given (RFC 6749 §6)',
      { scope: 'history:read usage:read offline_access' },
      '400 invalid_scope',
    ],
    ['does not give a token that outlives its family', { scope: 'history:read' }, '400 invalid_scope'],
    ['does not give a token for an unknown resource', { resource: 'https://evil.example/' }, '400 invalid_target'],
    [
      'does not give a token for two resources',
      { resource: ['https://a.example', 'https://b.example'] },
      '400 invalid_target',
    ],
    ['is not left out', { refresh_token: undefined }, '400 invalid_request'],
    ['is not guessed', { refresh_token: `nwr_${'x'.repeat(36)}` }, '400 invalid_grant'],
  ])('%s', async (_sentence, changes, expected) => {
    const { refresh_token } = await grant()
    expect(refusalOf(await oauth.refresh(app, refresh_token, changes))).toBe(expected)
  })

  test('for one door does not open the other (RFC 8707 §2.2)', async () => {
    const { refresh_token } = await grant({ resource: oauth.resource('mcp') })
    const wider = { resource: oauth.resource('v1') }
    expect(refusalOf(await oauth.refresh(app, refresh_token, wider))).toBe('400 invalid_target')
  })

  test('is no access token, and an access token is none', async () => {
    const tokens = await grant()
    expect((await oauth.show(tokens.refresh_token)).status).toBe(401)
    expect(refusalOf(await oauth.refresh(app, tokens.access_token))).toBe('400 invalid_grant')
  })

  test('that has expired is refused', async () => {
    const { refresh_token } = await grant()
    await at.world.owner.query(`UPDATE people.oauth_refresh_token SET expires_at = now() - interval '1 second'`)
    expect(refusalOf(await oauth.refresh(app, refresh_token))).toBe('400 invalid_grant')
  })

  test('of an application with a secret needs it', async () => {
    const tokens = await oauth.grant(ada, robot)
    const { secret: _secret, ...bare } = robot
    expect(refusalOf(await oauth.refresh(bare, tokens.refresh_token))).toBe('400 invalid_client')
    expect(refusalOf(await oauth.refresh({ ...robot, secret: 'nwc_x' }, tokens.refresh_token))).toBe(
      '401 invalid_client',
    )
  })
})

describe('a token that is revoked', () => {
  test('as an access token ends on every node, and the refresh token stays (RFC 7009 §2.1)', async () => {
    const tokens = await grant()
    await expectLife(tokens.access_token)
    expect((await oauth.revoke(app, tokens.access_token)).status).toBe(200)
    await expectEnd(tokens.access_token)
    await refreshed(tokens.refresh_token)
  })

  test('as a refresh token takes its access token with it, on every node', async () => {
    const tokens = await grant()
    await expectLife(tokens.access_token)
    expect((await oauth.revoke(app, tokens.refresh_token)).status).toBe(200)
    await expectEnd(tokens.access_token)
    expect(refusalOf(await oauth.refresh(app, tokens.refresh_token))).toBe('400 invalid_grant')
  })

  // RFC 7009 §2.1: "SHOULD also invalidate all access tokens based on the same authorization grant".
  test('as a refresh token takes the access tokens before it with it, too', async () => {
    const first = await grant()
    const next = await refreshed(first.refresh_token)
    await expectLife(first.access_token)
    expect((await oauth.revoke(app, next.refresh_token)).status).toBe(200)
    await expectEnd(next.access_token)
    await expectEnd(first.access_token)
  })

  test('by an application with a secret ends, too', async () => {
    const tokens = await oauth.grant(ada, robot)
    expect((await oauth.revoke(robot, tokens.access_token)).status).toBe(200)
    await expectEnd(tokens.access_token)
  })

  test('by another application goes on, and that one does not learn of it', async () => {
    const tokens = await grant()
    expect((await oauth.revoke(other, tokens.access_token)).status).toBe(200)
    expect((await oauth.revoke(other, tokens.refresh_token)).status).toBe(200)
    await expectLife(tokens.access_token)
    await refreshed(tokens.refresh_token)
  })

  test('though it is none is no mistake (RFC 7009 §2.2)', async () => {
    const spent = await grant()
    await oauth.revoke(app, spent.refresh_token)
    for (const token of ['garbage', `nwa_${'x'.repeat(36)}`, spent.refresh_token, spent.access_token]) {
      expect((await oauth.revoke(app, token)).status).toBe(200)
    }
  })

  test('under a hint of the wrong kind is not said to have ended (RFC 7009 §2.1)', async () => {
    const tokens = await grant()
    const reply = await oauth.revoke(app, tokens.access_token, { token_type_hint: 'refresh_token' })
    if (reply.status === 200) await expectEnd(tokens.access_token)
    else expect(refusalOf(reply)).toBe('400 invalid_request')
  })

  test.each<[sentence: string, changes: Fields, expected: string]>([
    ['by nobody is refused (RFC 7009 §2.1)', { client_id: undefined }, '401 invalid_client'],
    ['by an unknown application is refused', { client_id: 'nobody' }, '400 invalid_client'],
    ['but left out is refused', { token: undefined }, '400 invalid_request'],
    ['but given twice is refused', { token: ['a', 'b'] }, '400 invalid_request'],
  ])('%s', async (_sentence, changes, expected) => {
    expect(refusalOf(await oauth.revoke(app, 'x', changes))).toBe(expected)
  })
})

describe('who asks about a token', () => {
  test('as its own application learns what it is (RFC 7662 §2.2)', async () => {
    const tokens = await oauth.grant(ada, robot, { resource: oauth.resource('v1') })
    const { json } = await oauth.introspect(robot, tokens.access_token)
    expect(json).toMatchObject({
      active: true,
      iss: oauth.issuer,
      aud: oauth.resource('v1'),
      client_id: robot.id,
      sub: ada.userId,
      scope: tokens.scope,
      token_type: 'Bearer',
    })
    expect(json.exp - json.iat).toBe(3600)
    expect((await oauth.introspect(robot, tokens.refresh_token)).json).toMatchObject({ active: true })
  })

  test('that has ended learns only that', async () => {
    const tokens = await oauth.grant(ada, robot)
    await oauth.revoke(robot, tokens.refresh_token)
    for (const token of [tokens.access_token, tokens.refresh_token, 'garbage']) {
      expect((await oauth.introspect(robot, token)).json).toEqual({ active: false })
    }
  })

  test('of another application learns nothing (RFC 7662 §4)', async () => {
    const tokens = await grant({ resource: oauth.resource('v1') })
    const stranger = await oauth.makePublic({ token_endpoint_auth_method: 'client_secret_basic' })
    for (const asking of [robot, stranger]) {
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        expect((await oauth.introspect(asking, token)).json).toEqual({ active: false })
      }
    }
  })

  test('without a secret is refused (RFC 7662 §2.1)', async () => {
    const tokens = await grant()
    const reply = await oauth.introspect(app, tokens.access_token)
    expect(refusalOf(reply)).toBe('401 invalid_client')
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="namewright"')
  })

  test('with the wrong secret, or with the token itself, is refused', async () => {
    const { access_token } = await oauth.grant(ada, robot)
    expect(refusalOf(await oauth.introspect({ ...robot, secret: 'nwc_x' }, access_token))).toBe('401 invalid_client')
    const headers = { authorization: `Bearer ${access_token}` }
    const form = { token: access_token }
    expect(refusalOf(await at.visitor().ask('/auth/oauth2/introspect', { form, headers }))).toBe('401 invalid_client')
  })

  test('and names none is refused', async () => {
    expect(refusalOf(await oauth.introspect(robot, '', { token: undefined }))).toBe('400 invalid_request')
  })
})
