/** Where a token is shown: which are taken, from whom, for what, and what is said to all others (RFC 6750, RFC 9728). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '../source.ts'
import { basic, createOAuthClient } from '../oauth-client.ts'
import type { App, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
let app: App
let token: string
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
  app = await oauth.makePublic()
  token = (await oauth.grant(ada, app)).access_token
})
afterAll(() => at[Symbol.asyncDispose]())

const metadata = (audience: 'v1' | 'mcp') =>
  `resource_metadata="${at.url}/.well-known/oauth-protected-resource/${audience}"`
const challengeOf = (reply: Reply) => reply.headers.get('www-authenticate')
const show = (headers: Record<string, string>, path = '/v1/favorites') => at.visitor().ask(path, { headers })

/** RFC 6750 §3.1: no token, so no error; where to get one is said (RFC 9728 §5.1). */
function expectMissing(reply: Reply, audience: 'v1' | 'mcp' = 'v1'): void {
  expect([reply.status, challengeOf(reply)]).toEqual([401, `Bearer realm="namewright", ${metadata(audience)}`])
}

function expectInvalid(reply: Reply, audience: 'v1' | 'mcp' = 'v1'): void {
  const challenge = `Bearer realm="namewright", error="invalid_token", ${metadata(audience)}`
  expect([reply.status, challengeOf(reply)]).toEqual([401, challenge])
}

async function expectEnd(ended: string): Promise<void> {
  const status = async () => (await oauth.show(ended)).status
  await expect.poll(status, { timeout: 5_000, interval: 100 }).toBe(401)
  expectInvalid(await oauth.show(ended))
}

describe('a token', () => {
  test('in the header is taken, however the scheme is written (RFC 6750 §2.1)', async () => {
    expect((await show({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await show({ authorization: `bearer ${token}` })).status).toBe(200)
  })

  test('in the address is not (RFC 6750 §2.3, RFC 9700 §4.3.2)', async () => {
    expectMissing(await show({}, `/v1/favorites?access_token=${token}`))
  })

  test('in a form is not (RFC 6750 §2.2)', async () => {
    expectMissing(await at.visitor().ask('/v1/favorites', { form: { access_token: token } }))
    expectMissing(await at.visitor().ask('/mcp', { form: { access_token: token } }), 'mcp')
  })

  test('in a cookie is not', async () => {
    expectMissing(await show({ cookie: `access_token=${token}` }))
  })

  test('in the address and in the header is a mistake (RFC 6750 §2)', async () => {
    const reply = await show({ authorization: `Bearer ${token}` }, `/v1/favorites?access_token=${token}`)
    expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_request'])
  })

  test.each<[sentence: string, header: () => string]>([
    ['given as Basic', () => basic('token', token)],
    ['without a scheme', () => token],
    ['with an unknown scheme', () => `DPoP ${token}`],
    ['given twice', () => `Bearer ${token}, Bearer ${token}`],
    ['of no characters', () => 'Bearer '],
  ])('%s is none', async (_sentence, header) => {
    expectMissing(await show({ authorization: header() }))
  })

  test.each<[sentence: string, text: () => string]>([
    ['that is garbage', () => 'garbage'],
    ['with one letter changed', () => `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`],
    ['with more behind it', () => `${token}x`],
    ['that looks like one', () => `nwa_${'x'.repeat(36)}`],
    ['that is signed by nobody', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.'],
    ['that is its hash', () => hashOf(token).toString('hex')],
  ])('%s is invalid', async (_sentence, text) => {
    expectInvalid(await oauth.show(text(), 'v1'))
    expectInvalid(await oauth.show(text(), 'mcp'), 'mcp')
  })

  test('for /v1 opens no /mcp, and one for /mcp no /v1 (RFC 8707 §3)', async () => {
    expectInvalid(await oauth.show(token, 'mcp'), 'mcp')
    const agent = await oauth.grant(ada, app, { resource: oauth.resource('mcp') })
    expect((await oauth.show(agent.access_token, 'mcp')).status).toBe(200)
    expectInvalid(await oauth.show(agent.access_token, 'v1'))
  })

  test('without the scope is told which it needs (RFC 6750 §3.1)', async () => {
    const reply = await show({ authorization: `Bearer ${token}` }, '/v1/usage')
    expect(reply.status).toBe(403)
    expect(challengeOf(reply)).toBe(
      `Bearer realm="namewright", error="insufficient_scope", scope="usage:read", ${metadata('v1')}`,
    )
  })

  test('opens no settings and no session', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const settings = await show(headers, `/settings/accounts/${ada.userId}/keys`)
    expect([settings.status, settings.json.error.code]).toEqual([401, 'sign_in_required'])
    expect((await show(headers, '/auth/get-session')).json ?? null).toBe(null)
  })

  test('that has expired is invalid', async () => {
    const { access_token } = await oauth.grant(ada, app)
    expect((await oauth.show(access_token)).status).toBe(200)
    const text = `UPDATE people.oauth_access_token SET expires_at = now() - interval '1 second' WHERE token = $1`
    await at.world.owner.query(text, [hashOf(access_token).toString('hex')])
    await expectEnd(access_token)
  })
})

describe('a token ends', () => {
  test('while its application is disabled', async () => {
    const fresh = await oauth.makePublic()
    const { access_token, refresh_token } = await oauth.grant(ada, fresh)
    await at.world.owner.query('UPDATE people.oauth_client SET disabled = true WHERE client_id = $1', [fresh.id])
    expectInvalid(await oauth.show(access_token))
    expect((await oauth.refresh(fresh, refresh_token)).json.error).toBe('invalid_client')
  })

  test('when the grant is taken back, and is not refreshed', async () => {
    const fresh = await oauth.makePublic()
    const { access_token, refresh_token } = await oauth.grant(ada, fresh)
    expect((await oauth.show(access_token)).status).toBe(200)
    const grants = `/settings/accounts/${ada.userId}/grants`
    const { json } = await ada.ask(grants)
    const row = (json.data.grants as { id: string; client_id: string }[]).find((one) => one.client_id === fresh.id)
    expect((await ada.ask(`${grants}/${row?.id}`, { method: 'DELETE', body: {} })).status).toBe(200)
    await expectEnd(access_token)
    expect((await oauth.refresh(fresh, refresh_token)).json.error).toBe('invalid_grant')
  })

  test('with the person who gave it', async () => {
    const bob = await at.signUp('Bob')
    const { access_token, refresh_token } = await oauth.grant(bob, app)
    await at.world.owner.query('DELETE FROM people."user" WHERE id = $1', [bob.userId])
    await expectEnd(access_token)
    expect((await oauth.refresh(app, refresh_token)).json.error).toBe('invalid_grant')
  })
})
