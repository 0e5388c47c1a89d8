/**
 * The authorization endpoint: where somebody is sent back to, and where never (RFC 6749 §4.1.2.1, RFC 9700 §4.1).
 *
 * What is wrong with the application or with its address is said on a page of ours; everything else is reported to the
 * application, with its state and with who says so.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOAuthClient, locationOf, navigate, refusalOf, returnOf } from '../oauth-client.ts'
import type { App, Fields, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

const HOME = 'https://app.example/callback'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
let web: App
let device: App
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
  web = await oauth.makePublic({ application_type: 'web', redirect_uris: [HOME] })
  device = await oauth.makePublic()
})
afterAll(() => at[Symbol.asyncDispose]())

/** Nobody is sent anywhere but to our own page, and nothing of what was asked goes along. */
async function expectNoReturn(app: App, changes: Fields): Promise<void> {
  const reply = await oauth.ask(ada, app, changes)
  const { origin, searchParams } = new URL(locationOf(reply))
  expect(origin).toBe(at.url)
  expect([...searchParams.keys()].toSorted()).toEqual(['error', 'error_description'])
}

describe('a redirect address that was not registered, character by character, is not used (RFC 9700 §4.1.3):', () => {
  test.each<[sentence: string, redirect: string | undefined]>([
    ['a slash at its end', `${HOME}/`],
    ['a longer path', `${HOME}/next`],
    ['a shorter path', 'https://app.example/'],
    ['a query', `${HOME}?next=https://evil.example`],
    ['another port', 'https://app.example:444/callback'],
    ['its default port, written out', 'https://app.example:443/callback'],
    ['a host in other letters', 'https://APP.example/callback'],
    ['a path in other letters', 'https://app.example/Callback'],
    ['a dot segment', 'https://app.example/x/../callback'],
    ['an encoded dot segment', 'https://app.example/callback/%2e%2e/callback'],
    ['an encoded slash', 'https://app.example/callback%2f..'],
    ['an encoded letter', 'https://app.example/%63allback'],
    ['a name in front of the host', 'https://ada@app.example/callback'],
    ['our host as a name in front of another', 'https://app.example@evil.example/callback'],
    ['a backslash', 'https://app.example\\@evil.example/callback'],
    ['a host that only begins alike', 'https://app.example.evil.example/callback'],
    ['a host that only ends alike', 'https://evilapp.example/callback'],
    ['a fragment (RFC 6749 §3.1.2)', `${HOME}#x`],
    ['no TLS', 'http://app.example/callback'],
    ['a script', 'javascript:alert(1)//https://app.example/callback'],
    ['no scheme', '//app.example/callback'],
    ['a line break', `${HOME}\r\nx`],
    ['nothing', ''],
    ['none at all', undefined],
  ])('%s', async (_sentence, redirect_uri) => {
    await expectNoReturn(web, { redirect_uri })
  })

  test('one of another application', () => expectNoReturn(web, { redirect_uri: device.redirectUri }))
})

describe('an app on a device', () => {
  test('may listen on any port (RFC 8252 §7.3)', async () => {
    const reply = await oauth.ask(ada, device, { redirect_uri: 'http://127.0.0.1:50001/callback' })
    expect(locationOf(reply)).toMatch(/\/consent\?/)
  })

  test('may not listen under another name of the machine (RFC 8252 §8.3)', () =>
    expectNoReturn(device, { redirect_uri: 'http://localhost:9876/callback' }))

  test('may not listen on another path', () => expectNoReturn(device, { redirect_uri: 'http://127.0.0.1:9876/other' }))

  test('may not listen beyond the machine', () =>
    expectNoReturn(device, { redirect_uri: 'http://127.0.0.1.evil.example:9876/callback' }))
})

describe('an application that is', () => {
  test('missing sends nobody anywhere (RFC 6749 §4.1.2.1)', () => expectNoReturn(web, { client_id: undefined }))
  test('unknown sends nobody anywhere', () => expectNoReturn(web, { client_id: 'nobody' }))
  test('another than the address belongs to sends nobody anywhere', () => expectNoReturn(web, { client_id: device.id }))

  test('disabled sends nobody anywhere', async () => {
    const app = await oauth.makePublic({ application_type: 'web', redirect_uris: [HOME] })
    await at.world.owner.query('UPDATE people.oauth_client SET disabled = true WHERE client_id = $1', [app.id])
    await expectNoReturn(app, {})
  })

  test('not made for people sends nobody anywhere', async () => {
    const robot = await oauth.makeConfidential(ada, { redirect_uris: [] })
    await expectNoReturn(robot, { redirect_uri: HOME })
  })
})

describe('the application is told', () => {
  test.each<[sentence: string, changes: Fields, error: string]>([
    ['that there is no implicit grant (RFC 9700 §2.1.2)', { response_type: 'token' }, 'unsupported_response_type'],
    ['that there is no hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['that there are no identity tokens', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['that it named no response type (RFC 6749 §3.1.1)', { response_type: undefined }, 'invalid_request'],
    [
      'that PKCE is not optional (RFC 9700 §2.1.1)',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['that a plain challenge is none (RFC 7636 §7.2)', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['that plain is not the default, either', { code_challenge_method: undefined }, 'invalid_request'],
    ['that a method without a challenge is nothing', { code_challenge: undefined }, 'invalid_request'],
    ['that a scope is unknown (RFC 6749 §3.3)', { scope: 'history:read everything' }, 'invalid_scope'],
    ['that this is no OpenID provider', { scope: 'openid' }, 'invalid_scope'],
    ['that a resource is unknown (RFC 8707 §2)', { resource: 'https://evil.example/v1' }, 'invalid_target'],
    ['that a resource is no address (RFC 8707 §2)', { resource: '/v1' }, 'invalid_target'],
    ['that request objects are not read (RFC 9101)', { request: 'e30.e30.' }, 'request_not_supported'],
    [
      'that no address of it is fetched (RFC 9101 §10.4)',
      { request_uri: 'https://evil.example/request' },
      'request_uri_not_supported',
    ],
    ['that nobody has agreed yet, when nobody may be asked', { prompt: 'none' }, 'consent_required'],
  ])('%s', async (_sentence, changes, error) => {
    const reply = await oauth.ask(ada, web, changes)
    expect(returnOf(reply)).toEqual({ to: HOME, error, state: 'state-1', iss: oauth.issuer })
  })

  test('that nobody has signed in, when nobody may be asked (OpenID Connect Core §3.1.2.6)', async () => {
    const reply = await oauth.ask(at.visitor(), web, { prompt: 'none' })
    expect(returnOf(reply)).toEqual({ to: HOME, error: 'login_required', state: 'state-1', iss: oauth.issuer })
  })
})

const queryOf = ({ id, redirectUri }: App) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    scope: 'history:read',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  }).toString()

describe('a state', () => {
  test.each<[sentence: string, state: string]>([
    ['of other letters comes back as it was', '日本 ü & = % + #? "\'<script>'],
    ['with line breaks comes back as it was, and adds no header', 'a\r\nSet-Cookie: session=evil\r\n\r\n<html>'],
    ['of 8,000 characters comes back as it was', 'x'.repeat(8_000)],
  ])('%s', async (_sentence, state) => {
    const reply = await oauth.ask(at.visitor(), web, { prompt: 'none', state })
    expect(returnOf(reply)).toEqual({ to: HOME, error: 'login_required', state, iss: oauth.issuer })
    expect(reply.headers.getSetCookie()).toEqual([])
  })

  test('that is longer than any header may be is refused before it is read', async () => {
    const reply = await oauth.ask(at.visitor(), web, { state: 'x'.repeat(40_000) })
    expect(reply.status).toBe(431)
  })
})

describe('a parameter that is repeated is refused at once, since nobody knows which is meant (RFC 6749 §3.1):', () => {
  test.each<[name: string, values: readonly string[]]>([
    ['client_id', ['nobody', 'somebody']],
    ['redirect_uri', [HOME, 'https://evil.example/']],
    ['state', ['a', 'b']],
    ['scope', ['history:read', 'generate']],
    ['code_challenge', ['a', 'b']],
    ['response_type', ['code', 'token']],
    ['prompt', ['none', 'consent']],
  ])('%s', async (name, values) => {
    const reply = await oauth.ask(ada, web, { [name]: values })
    expect([refusalOf(reply), locationOf(reply)]).toEqual(['400 invalid_request', ''])
  })

  test('also resource, because a token is for one (RFC 8707 §2)', async () => {
    const reply = await oauth.ask(ada, web, { resource: [oauth.resource('v1'), oauth.resource('mcp')] })
    expect([refusalOf(reply), locationOf(reply)]).toEqual(['400 invalid_target', ''])
  })
})

test('a challenge that cannot be a SHA-256 is refused at once (RFC 7636 §4.2)', async () => {
  for (const code_challenge of ['abc', 'x'.repeat(42), 'x'.repeat(44), 'x'.repeat(129), `${'x'.repeat(42)}=`]) {
    expect(refusalOf(await oauth.ask(ada, web, { code_challenge }))).toBe('400 invalid_request')
  }
})

describe('whoever', () => {
  test('looks at the page that says what is wrong sees nothing of what was sent', async () => {
    const { pathname } = new URL(locationOf(await oauth.ask(ada, web, { client_id: 'nobody' })))
    const said = 'error=%3Cscript%3Epwned(1)%3C/script%3E&error_description=pwned&state=pwned'
    const page = await navigate(at, ada, `${pathname}?${said}`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.text).not.toContain('pwned')
  })

  test('sends the question as a form from another site is refused', async () => {
    const form = new URLSearchParams(queryOf(web))
    const reply = await ada.ask('/auth/oauth2/authorize', { form, headers: { origin: 'https://evil.example' } })
    expect(reply.status).toBe(403)
  })
})
