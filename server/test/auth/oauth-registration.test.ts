/** What an application learns about us before it asks (RFC 8414, RFC 9728), and how it registers itself (RFC 7591). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../source.ts'
import { CALLBACK, createOAuthClient, refusalOf } from '../oauth-client.ts'
import type { OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

describe('the metadata', () => {
  const SERVER = '/.well-known/oauth-authorization-server'

  test.each([`${SERVER}/auth`, `/auth${SERVER}`, SERVER])(
    'at %s says all that holds, and nothing else',
    async (path) => {
      const reply = await at.visitor().ask(path)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      // Read by scripts of any page; there is nothing of anybody in it.
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      const methods = ['client_secret_basic', 'client_secret_post']
      expect(reply.json).toEqual({
        // RFC 8414 §3.3: "MUST be identical to the issuer identifier value into which the well-known URI string was inserted".
        issuer: oauth.issuer,
        authorization_endpoint: `${oauth.issuer}/oauth2/authorize`,
        token_endpoint: `${oauth.issuer}/oauth2/token`,
        registration_endpoint: `${oauth.issuer}/oauth2/register`,
        revocation_endpoint: `${oauth.issuer}/oauth2/revoke`,
        introspection_endpoint: `${oauth.issuer}/oauth2/introspect`,
        scopes_supported: [...SCOPES, 'offline_access'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', ...methods],
        revocation_endpoint_auth_methods_supported: ['none', ...methods],
        introspection_endpoint_auth_methods_supported: methods,
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      })
    },
  )

  test.each(['v1', 'mcp'] as const)(
    'of the resource /%s says who grants tokens for it (RFC 9728 §3.2)',
    async (audience) => {
      const { json } = await at.visitor().ask(`/.well-known/oauth-protected-resource/${audience}`)
      const { scopes_supported, ...rest } = json
      expect(rest).toEqual({
        resource: oauth.resource(audience),
        authorization_servers: [oauth.issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'Namewright',
        resource_documentation: `${at.url}/docs`,
      })
      for (const scope of scopes_supported) expect(SCOPES).toContain(scope)
    },
  )

  test('is found from a refusal, as an agent finds it (RFC 9728 §5.1)', async () => {
    const refused = await at.visitor().ask('/mcp', { body: {} })
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    const { json: resource } = await at.visitor().ask(address)
    const issuer = new URL(resource.authorization_servers[0])
    const { json } = await at.visitor().ask(`${issuer.origin}${SERVER}${issuer.pathname}`)
    expect(json.issuer).toBe(issuer.href)
  })

  test('promises no identity: there is no OpenID configuration', async () => {
    for (const path of ['/.well-known/openid-configuration', '/auth/.well-known/openid-configuration', '/auth/jwks'])
      expect((await at.visitor().ask(path)).status).toBe(404)
  })
})

describe('an application that registers itself', () => {
  test('without a secret gets an id, and what it registered (RFC 7591 §3.2.1)', async () => {
    const reply = await oauth.register()
    expect(reply.status).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.json).toMatchObject({
      client_id: expect.any(String),
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    expect(reply.json).not.toHaveProperty('client_secret')
  })

  test.each(['client_secret_basic', 'client_secret_post'])(
    'with %s gets a secret that works that way',
    async (method) => {
      const app = await oauth.makePublic({ token_endpoint_auth_method: method })
      expect(app.secret).toMatch(/^nwc_/)
      const returned = await oauth.authorize(ada, app)
      const { secret: _secret, ...bare } = app
      const [right, wrong] = method.endsWith('basic') ? [app, bare] : [bare, app]
      const posted = { client_secret: app.secret }
      const refused = await oauth.redeem(wrong, returned, wrong === bare ? posted : {})
      expect(refused.json.error).toBe('invalid_client')
      const again = await oauth.authorize(ada, app)
      expect((await oauth.redeem(right, again, right === bare ? posted : {})).status).toBe(200)
    },
  )

  test('for the own machine need not say that it is no web page (RFC 8252 §7.3)', async () => {
    expect((await oauth.register({ application_type: undefined })).status).toBe(201)
  })

  test('does not choose its own id or secret, its owner, or that nobody is asked', async () => {
    const wish = {
      client_id: 'admin',
      client_secret: 'known',
      reference_id: ada.userId,
      user_id: ada.userId,
      client_credentials_scopes: ['generate'],
      require_pkce: false,
      disabled: false,
    }
    const { json, status } = await oauth.register(wish)
    expect(status).toBe(201)
    expect(json.client_id).not.toBe('admin')
    const { rows } = await at.world.owner.query(
      `SELECT client_secret, reference_id, user_id, client_credentials_scopes, skip_consent, require_pkce
       FROM people.oauth_client WHERE client_id = $1`,
      [json.client_id],
    )
    expect(rows[0]).toMatchObject({ client_secret: null, reference_id: null, user_id: null, skip_consent: null })
    expect(rows[0].client_credentials_scopes ?? []).toEqual([])
    expect(rows[0].require_pkce).not.toBe(false)
    expect(refusalOf(await oauth.register({ skip_consent: true }))).toBe('400 invalid_client_metadata')
  })

  test('as often as it likes is stopped', async () => {
    const visitor = at.visitor()
    const body = { redirect_uris: [CALLBACK], application_type: 'native', token_endpoint_auth_method: 'none' }
    const tries = Array.from({ length: 24 }, () => visitor.ask('/auth/oauth2/register', { body }))
    expect((await Promise.all(tries)).some(({ status }) => status === 429)).toBe(true)
  })

  // RFC 9700 §2.1, §4.1; RFC 8252 §7.1, §8.4.
  describe('is refused with invalid_redirect_uri (RFC 7591 §3.2.2) for', () => {
    test.each<[sentence: string, metadata: Record<string, unknown>]>([
      ['an address without TLS', { redirect_uris: ['http://app.example/cb'] }],
      [
        'an address without TLS, as a web application',
        { application_type: 'web', redirect_uris: ['http://app.example/cb'] },
      ],
      ['the own machine, as a web application', { application_type: 'web' }],
      ['a machine nearby', { redirect_uris: ['http://192.168.1.2/cb'] }],
      ['a host that only looks like the own machine', { redirect_uris: ['http://127.0.0.1.evil.example/cb'] }],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }],
      ['data', { redirect_uris: ['data:text/html,<script>alert(1)</script>'] }],
      ['a file', { redirect_uris: ['file:///etc/passwd'] }],
      ['a scheme that anybody could own', { redirect_uris: ['myapp:/cb'] }],
      ['a fragment', { redirect_uris: ['https://app.example/cb#x'] }],
      ['an empty fragment', { redirect_uris: ['https://app.example/cb#'] }],
      ['a name and a password', { redirect_uris: ['https://ada:pw@app.example/cb'] }],
      ['a wildcard', { redirect_uris: ['https://*.app.example/cb'] }],
      ['a wildcard in the path', { redirect_uris: ['https://app.example/*'] }],
      ['a line break', { redirect_uris: ['https://app.example/cb\r\nx'] }],
      ['a backslash', { redirect_uris: ['https://app.example\\@evil.example/'] }],
      ['a path alone', { redirect_uris: ['/cb'] }],
      ['one wrong address among right ones', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
      ['no address', { redirect_uris: [] }],
      ['nothing said about addresses', { redirect_uris: undefined }],
      [
        'more addresses than anybody needs',
        { redirect_uris: Array.from({ length: 21 }, (_, i) => `http://127.0.0.1/${i}`) },
      ],
      ['an address without an end', { redirect_uris: [`https://app.example/${'x'.repeat(2_000)}`] }],
    ])('%s', async (_sentence, metadata) => {
      expect(refusalOf(await oauth.register(metadata))).toBe('400 invalid_redirect_uri')
    })
  })

  describe('is refused with invalid_client_metadata for', () => {
    test.each<[sentence: string, metadata: Record<string, unknown>]>([
      ['keys to be fetched from its address', { jwks_uri: 'https://evil.example/keys' }],
      ['keys', { jwks: { keys: [{ kty: 'RSA' }] } }],
      ['assertions in place of a secret', { token_endpoint_auth_method: 'private_key_jwt' }],
      ['another way to prove itself', { token_endpoint_auth_method: 'tls_client_auth' }],
      ['tokens bound to a key', { dpop_bound_access_tokens: true }],
      ['acting for itself', { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_basic' }],
      ['the implicit grant', { grant_types: ['implicit'] }],
      ['the password grant', { grant_types: ['password'] }],
      ['tokens from the authorization endpoint', { response_types: ['token'] }],
      ['being told of sign-outs', { backchannel_logout_uri: 'https://evil.example/' }],
      ['a home page that is a script', { client_uri: 'javascript:alert(1)' }],
      ['a logo that is a script', { logo_uri: 'data:text/html,x' }],
      ['terms that are a script', { tos_uri: 'javascript:alert(1)' }],
      ['a name that is a book', { client_name: 'x'.repeat(1_001) }],
      ['an empty name', { client_name: ' ' }],
    ])('%s', async (_sentence, metadata) => {
      expect(refusalOf(await oauth.register(metadata))).toBe('400 invalid_client_metadata')
    })
  })

  test('for a scope that does not exist is refused', async () => {
    expect(refusalOf(await oauth.register({ scope: 'history:read admin' }))).toBe('400 invalid_scope')
  })

  test('with a body that is too large, or none, is refused', async () => {
    expect((await oauth.register({ contacts: ['x'.repeat(40_000)] })).status).toBe(413)
    for (const body of [1, 'x', []]) {
      const reply = await at.visitor().ask('/auth/oauth2/register', { body })
      expect(reply.status, reply.text).toBe(400)
    }
    const form = await at.visitor().ask('/auth/oauth2/register', { form: { client_name: 'x' } })
    expect(refusalOf(form)).toBe('415 invalid_request')
  })
})
