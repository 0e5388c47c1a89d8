/** From a person's yes to a token: the authorization code, PKCE, and everything that is no code (RFC 6749, 7636, 9700). */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { challengeOf, createOAuthClient, inTurn, refusalOf } from '../oauth-client.ts'
import type { App, Fields, OAuthClient, Returned } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
let app: App
let nextPerson: () => SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
  nextPerson = inTurn([ada, await at.signUp('Bea'), await at.signUp('Cleo')])
  app = await oauth.makePublic()
})
afterAll(() => at[Symbol.asyncDispose]())

const code = (changes?: Fields) => oauth.authorize(nextPerson(), app, changes)
const untilRefused = (token: string) =>
  expect.poll(async () => (await oauth.show(token)).status, { timeout: 5_000, interval: 100 }).toBe(401)

describe('a code', () => {
  test('becomes a token for /v1 when no resource is named, and says who issued it', async () => {
    const returned = await code({ state: 'xyz {"a":1} ü' })
    expect(returned.url.href).toMatch(/^http:\/\/127\.0\.0\.1:9876\/callback\?code=/)
    // RFC 6749 §4.1.2: "The exact value received from the client."
    expect(returned.url.searchParams.get('state')).toBe('xyz {"a":1} ü')
    // RFC 9207 §2, against mix-up (RFC 9700 §4.4).
    expect(returned.url.searchParams.get('iss')).toBe(oauth.issuer)
    const reply = await oauth.redeem(app, returned)
    expect(reply.status).toBe(200)
    // RFC 6749 §5.1: "the "Cache-Control" response header field with a value of "no-store"".
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: expect.any(String) })
    expect(reply.json.access_token).toMatch(/^nwa_/)
    expect(reply.json.refresh_token).toMatch(/^nwr_/)
    expect((await oauth.show(reply.json.access_token)).status).toBe(200)
  })

  test('becomes a token for /mcp when that is named, and such a token is none for /v1 (RFC 8707 §2.2)', async () => {
    const { access_token } = await oauth.grant(ada, app, { resource: oauth.resource('mcp') })
    expect((await oauth.show(access_token, 'mcp')).status).toBe(200)
    const elsewhere = await oauth.show(access_token, 'v1')
    expect(elsewhere.status).toBe(401)
    expect(elsewhere.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test('of an application with a secret takes the secret and PKCE', async () => {
    const robot = await oauth.makeConfidential(ada)
    const { access_token } = await oauth.grant(ada, robot)
    expect((await oauth.show(access_token)).status).toBe(200)
  })

  test('is stored as a hash only, and lasts a minute (RFC 6749 §4.1.2)', async () => {
    const returned = await code()
    const { rows } = await at.world.owner.query<{ seconds: number; value: string }>(
      `SELECT extract(epoch FROM expires_at - now())::int AS seconds, value FROM people.verification
       WHERE value LIKE '%authorization_code%' ORDER BY created_at DESC LIMIT 1`,
    )
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60)
    expect(rows[0]?.value).not.toContain(returned.code)
  })
})

describe('PKCE', () => {
  test.each<[sentence: string, changes: Fields, expected: string]>([
    ['a code without its verifier is refused (RFC 7636 §4.5)', { code_verifier: undefined }, '400 invalid_request'],
    ['a code with an empty verifier is refused', { code_verifier: '' }, '400 invalid_request'],
    ['a code with another verifier is refused (RFC 7636 §4.6)', { code_verifier: 'x'.repeat(43) }, '400 invalid_grant'],
    ['a verifier of 42 characters is none (RFC 7636 §4.1)', { code_verifier: 'x'.repeat(42) }, '400 invalid_request'],
    ['a verifier of 129 characters is none (RFC 7636 §4.1)', { code_verifier: 'x'.repeat(129) }, '400 invalid_request'],
    ['a verifier with other characters is none', { code_verifier: `${'x'.repeat(43)} ü` }, '400 invalid_request'],
  ])('%s', async (_sentence, changes, expected) => {
    expect(refusalOf(await oauth.redeem(app, await code(), changes))).toBe(expected)
  })

  test('the challenge itself is no verifier: only S256 is taken (RFC 9700 §2.1.1)', async () => {
    const returned = await code()
    const changes = { code_verifier: challengeOf(returned.verifier) }
    expect(refusalOf(await oauth.redeem(app, returned, changes))).toBe('400 invalid_grant')
  })

  test('a verifier too short to be safe is refused even where it fits its challenge', async () => {
    const returned = await code({ code_challenge: challengeOf('abc') })
    expect(refusalOf(await oauth.redeem(app, returned, { code_verifier: 'abc' }))).toBe('400 invalid_request')
  })

  test('an application with a secret cannot do without it (RFC 9700 §2.1.1)', async () => {
    const robot = await oauth.makeConfidential(ada)
    const returned = await oauth.authorize(ada, robot)
    // Whoever has agreed to it before is sent back at once.
    const asked = await oauth.authorize(ada, robot, { code_challenge: undefined, code_challenge_method: undefined })
    expect(asked.error).toBe('invalid_request')
    expect(refusalOf(await oauth.redeem(robot, returned, { code_verifier: undefined }))).toBe('400 invalid_request')
  })
})

describe('no token is given for a code', () => {
  test.each<[sentence: string, changes: Fields, expected: string]>([
    [
      'that comes with another redirect address (RFC 6749 §4.1.3)',
      { redirect_uri: 'http://127.0.0.1:1/callback' },
      '400 invalid_grant',
    ],
    ['that comes without its redirect address', { redirect_uri: undefined }, '400 invalid_request'],
    // Of no other test's making: whatever is a code must not be found anywhere.
    ['that nobody got', { code: randomBytes(24).toString('base64url') }, '400 invalid_grant'],
    ['that is missing', { code: undefined }, '400 invalid_request'],
    ['from nobody', { client_id: undefined }, '400 invalid_request'],
    [
      'from an application that does not exist, as it was not given to that one (RFC 6749 §5.2)',
      { client_id: 'nobody' },
      '400 invalid_grant',
    ],
    ['with a parameter twice (RFC 6749 §3.2)', { grant_type: ['authorization_code', 'x'] }, '400 invalid_request'],
    ['with its code twice', { code: ['a', 'b'] }, '400 invalid_request'],
    [
      'for two doors (RFC 8707 §2.2)',
      { resource: ['https://a.example/v1', 'https://a.example/mcp'] },
      '400 invalid_target',
    ],
  ])('%s', async (_sentence, changes, expected) => {
    expect(refusalOf(await oauth.redeem(app, await code(), changes))).toBe(expected)
  })

  test('that was given to another application (RFC 6749 §5.2), and the code is spent', async () => {
    const other = await oauth.makePublic()
    const returned = await code()
    expect(refusalOf(await oauth.redeem(other, returned))).toBe('400 invalid_grant')
    expect(refusalOf(await oauth.redeem(app, returned))).toBe('400 invalid_grant')
  })

  test('that has expired (RFC 6749 §4.1.2)', async () => {
    const returned = await code()
    await at.world.owner.query(
      `UPDATE people.verification SET expires_at = now() - interval '1 second' WHERE value LIKE '%' || $1 || '%'`,
      [app.id],
    )
    expect(refusalOf(await oauth.redeem(app, returned))).toBe('400 invalid_grant')
  })

  test('after the person has signed out', async () => {
    const again = await at.signIn(ada.email, ada.password)
    const fresh = await oauth.makePublic()
    const returned = await oauth.authorize(again, fresh)
    expect((await again.ask('/auth/sign-out', { body: {} })).status).toBe(200)
    expect(refusalOf(await oauth.redeem(fresh, returned))).toBe('400 invalid_grant')
  })

  test('after the person is gone', async () => {
    const bob = await at.signUp('Bob')
    const returned = await oauth.authorize(bob, app)
    await at.world.owner.query('DELETE FROM people."user" WHERE id = $1', [bob.userId])
    expect(refusalOf(await oauth.redeem(app, returned))).toBe('400 invalid_grant')
  })

  test('with the wrong secret of its application', async () => {
    const robot = await oauth.makeConfidential(ada)
    const returned = await oauth.authorize(ada, robot)
    const reply = await oauth.redeem({ ...robot, secret: `${robot.secret}x` }, returned)
    expect(refusalOf(reply)).toBe('401 invalid_client')
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="namewright"')
  })

  test('of an application with a secret that comes without it', async () => {
    const robot = await oauth.makeConfidential(ada)
    const returned = await oauth.authorize(ada, robot)
    const { secret: _secret, ...bare } = robot
    expect(refusalOf(await oauth.redeem(bare, returned))).toBe('400 invalid_client')
  })
})

describe('a code that is used twice', () => {
  async function usedTwice(): Promise<{ returned: Returned; access: string; refresh: string }> {
    const returned = await code()
    const first = await oauth.redeem(app, returned)
    expect((await oauth.show(first.json.access_token)).status).toBe(200)
    expect(refusalOf(await oauth.redeem(app, returned))).toBe('400 invalid_grant')
    return { returned, access: first.json.access_token, refresh: first.json.refresh_token }
  }

  // RFC 6749 §4.1.2: "SHOULD revoke (when possible) all tokens previously issued based on that authorization code."
  test('ends the access token that came of it', async () => {
    await untilRefused((await usedTwice()).access)
  })

  test('ends the refresh token that came of it', async () => {
    expect(refusalOf(await oauth.refresh(app, (await usedTwice()).refresh))).toBe('400 invalid_grant')
  })

  test('ends what was refreshed from it, too', async () => {
    const returned = await code()
    const first = await oauth.redeem(app, returned)
    const second = await oauth.refresh(app, first.json.refresh_token)
    expect(second.status).toBe(200)
    expect(refusalOf(await oauth.redeem(app, returned))).toBe('400 invalid_grant')
    await untilRefused(second.json.access_token)
    expect(refusalOf(await oauth.refresh(app, second.json.refresh_token))).toBe('400 invalid_grant')
  })

  test('at the same moment gives at most one token', async () => {
    const returned = await code()
    const replies = await Promise.all(Array.from({ length: 6 }, () => oauth.redeem(app, returned)))
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })
})
