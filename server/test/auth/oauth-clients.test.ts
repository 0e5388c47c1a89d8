/** Applications that prove who they are and act for themselves, and what the token endpoint does not take (RFC 6749 §2.3, §3.2, §4.4, §5.2). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, createOAuthClient, refusalOf } from '../oauth-client.ts'
import type { App, Fields, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
let robot: App
let app: App
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
  robot = await oauth.makeConfidential(ada)
  app = await oauth.makePublic()
})
afterAll(() => at[Symbol.asyncDispose]())

const byItself = (changes: Fields = {}, authorization = basic(robot.id, robot.secret ?? '')) =>
  oauth.token({ grant_type: 'client_credentials', ...changes }, { authorization })

/** RFC 6749 §5.2: "MUST respond with an HTTP 401 … and include the "WWW-Authenticate" response header field". */
function expectUnproved(reply: Reply): void {
  expect(refusalOf(reply)).toBe('401 invalid_client')
  expect(reply.headers.get('www-authenticate')).toBe('Basic realm="namewright"')
  expect(reply.headers.get('cache-control')).toBe('no-store')
}

describe('an application of an account', () => {
  test('gets a token for itself with its secret as Basic', async () => {
    const reply = await byItself()
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'history:read favorites:read' })
    // RFC 6749 §4.4.3: "A refresh token SHOULD NOT be included."
    expect(reply.json).not.toHaveProperty('refresh_token')
    expect((await oauth.show(reply.json.access_token)).status).toBe(200)
    expect((await oauth.show(reply.json.access_token, 'mcp')).status).toBe(401)
  })

  test('gets a token for itself with its secret in the form, where it is registered for that', async () => {
    const poster = await oauth.makeConfidential(ada)
    const text = `UPDATE people.oauth_client SET token_endpoint_auth_method = 'client_secret_post' WHERE client_id = $1`
    await at.world.owner.query(text, [poster.id])
    const fields = { grant_type: 'client_credentials', client_id: poster.id, client_secret: poster.secret }
    const reply = await oauth.token(fields)
    expect(reply.status, reply.text).toBe(200)
    expect((await oauth.show(reply.json.access_token)).status).toBe(200)
  })

  test('gets a token for /mcp, or for less than it may', async () => {
    const reply = await byItself({ resource: oauth.resource('mcp'), scope: 'favorites:read' })
    expect(reply.json.scope).toBe('favorites:read')
    expect((await oauth.show(reply.json.access_token, 'mcp')).status).toBe(200)
    expect((await oauth.show(reply.json.access_token)).status).toBe(401)
  })

  test.each<[sentence: string, changes: Fields, expected: string]>([
    ['gets no scope that it was not given (RFC 6749 §3.3)', { scope: 'history:read generate' }, '400 invalid_scope'],
    ['gets no scope that does not exist', { scope: 'everything' }, '400 invalid_scope'],
    [
      'gets no token that is refreshed: there is nobody to be offline',
      { scope: 'offline_access' },
      '400 invalid_scope',
    ],
    ['gets no token for an unknown resource (RFC 8707 §2)', { resource: 'https://evil.example' }, '400 invalid_target'],
    ['gets no token for what is no address', { resource: 'v1' }, '400 invalid_target'],
    ['gets no token for two resources', { resource: ['https://a.example', 'https://b.example'] }, '400 invalid_target'],
    ['does not repeat a parameter (RFC 6749 §3.2)', { scope: ['history:read', 'generate'] }, '400 invalid_request'],
    ['does not prove itself in two ways (RFC 6749 §2.3)', { client_secret: 'nwc_x' }, '400 invalid_request'],
    ['does not prove itself by an assertion', { client_assertion: 'e30.e30.x' }, '400 invalid_request'],
  ])('%s', async (_sentence, changes, expected) => {
    expect(refusalOf(await byItself(changes))).toBe(expected)
  })
})

describe('whoever', () => {
  test('has not proved to be the application is told to, whatever is wrong with the proof', async () => {
    const other = await oauth.makeConfidential(ada)
    const secret = robot.secret ?? ''
    const secrets = ['wrong', '', secret.toLowerCase(), other.secret ?? '']
    const somebody = secrets.map((one) => basic(robot.id, one))
    const nobody = [basic('nobody', secret), basic('', ''), basic(app.id, 'nwc_x')]
    const noBasic = ['Basic %%%', 'Basic', `Basic ${Buffer.from('no colon').toString('base64')}`]
    for (const header of [...somebody, ...nobody, ...noBasic, 'Bearer nwa_x', 'Digest username="ada"']) {
      expectUnproved(await byItself({}, header))
    }
  })

  test('sends the secret in the address gets nothing for it (RFC 6749 §2.3.1)', async () => {
    const query = new URLSearchParams({ client_id: robot.id, client_secret: robot.secret ?? '' }).toString()
    const form = { grant_type: 'client_credentials' }
    expect(refusalOf(await at.visitor().ask(`/auth/oauth2/token?${query}`, { form }))).toBe('400 invalid_request')
    const named = { ...form, client_id: robot.id }
    expect(refusalOf(await at.visitor().ask(`/auth/oauth2/token?${query}`, { form: named }))).toBe('400 invalid_client')
  })

  test('has no secret cannot act for itself (RFC 6749 §4.4)', async () => {
    const reply = await oauth.token({ grant_type: 'client_credentials', client_id: app.id })
    expect(refusalOf(reply)).toBe('400 unauthorized_client')
  })

  test('has registered itself cannot act for itself, secret or not', async () => {
    const stranger = await oauth.makePublic({ token_endpoint_auth_method: 'client_secret_basic' })
    const reply = await byItself({}, basic(stranger.id, stranger.secret ?? ''))
    expect(refusalOf(reply)).toBe('400 unauthorized_client')
  })

  test('was disabled gets no token', async () => {
    const closed = await oauth.makeConfidential(ada)
    await at.world.owner.query('UPDATE people.oauth_client SET disabled = true WHERE client_id = $1', [closed.id])
    expectUnproved(await byItself({}, basic(closed.id, closed.secret ?? '')))
  })

  test('has signed in with a cookie has proved nothing of an application', async () => {
    const form = { grant_type: 'client_credentials', client_id: robot.id }
    expect(refusalOf(await ada.ask('/auth/oauth2/token', { form }))).toBe('400 invalid_client')
  })
})

describe('the token endpoint', () => {
  test.each<[sentence: string, grant: string | undefined, expected: string]>([
    ['takes no password of a person (RFC 9700 §2.4)', 'password', '400 unsupported_grant_type'],
    ['has no implicit grant (RFC 9700 §2.1.2)', 'implicit', '400 unsupported_grant_type'],
    ['exchanges no tokens', 'urn:ietf:params:oauth:grant-type:token-exchange', '400 unsupported_grant_type'],
    ['takes no assertions', 'urn:ietf:params:oauth:grant-type:jwt-bearer', '400 unsupported_grant_type'],
    ['takes no device codes', 'urn:ietf:params:oauth:grant-type:device_code', '400 unsupported_grant_type'],
    ['takes no grant of other letters', 'CLIENT_CREDENTIALS', '400 unsupported_grant_type'],
    ['takes no empty grant', '', '400 invalid_request'],
    ['needs a grant (RFC 6749 §5.2)', undefined, '400 invalid_request'],
  ])('%s', async (_sentence, grant_type, expected) => {
    const reply = await byItself({ grant_type, username: ada.email, password: 'x' })
    expect(refusalOf(reply)).toBe(expected)
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  test('is not read with GET (RFC 6749 §3.2)', async () => {
    const query = 'grant_type=client_credentials'
    const headers = { authorization: basic(robot.id, robot.secret ?? '') }
    const reply = await at.visitor().ask(`/auth/oauth2/token?${query}`, { headers })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
    for (const path of ['revoke', 'introspect', 'register'])
      expect((await at.visitor().ask(`/auth/oauth2/${path}`)).status).toBe(405)
  })

  test('reads forms, not JSON (RFC 6749 §3.2)', async () => {
    const headers = { authorization: basic(robot.id, robot.secret ?? '') }
    const reply = await at.visitor().ask('/auth/oauth2/token', { body: { grant_type: 'client_credentials' }, headers })
    expect(refusalOf(reply)).toBe('415 invalid_request')
  })

  test('reads parameters from the form only', async () => {
    const headers = { authorization: basic(robot.id, robot.secret ?? '') }
    const reply = await at.visitor().ask('/auth/oauth2/token?grant_type=client_credentials', { form: {}, headers })
    expect(refusalOf(reply)).toBe('400 invalid_request')
  })

  test('does not read more than it needs', async () => {
    expect((await byItself({ scope: 'x'.repeat(40_000) })).status).toBe(413)
  })

  test('says nothing of a code, a secret or a token that it refuses', async () => {
    const secrets = { code: 'Xk29-code', code_verifier: `Xk29${'v'.repeat(43)}`, refresh_token: 'Xk29-refresh' }
    for (const grant_type of ['authorization_code', 'refresh_token', 'client_credentials']) {
      const reply = await oauth.token({ grant_type, client_id: app.id, client_secret: 'Xk29-secret', ...secrets })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.text).not.toContain('Xk29')
      expect(Object.keys(reply.json).toSorted()).toEqual(['error', 'error_description'])
    }
  })

  test('is slowed down for whoever tries many secrets of one application', async () => {
    const tries = await Promise.all(
      Array.from({ length: 200 }, () =>
        oauth.token({ grant_type: 'client_credentials', client_id: 'guessed', client_secret: 'x' }),
      ),
    )
    const refused = tries.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
