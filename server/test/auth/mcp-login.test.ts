/**
 * An agent that knows nothing but the address of /mcp gets in by itself, with the official client library: 401 →
 * metadata → registration → the person's consent → token → a tool. The only help it has is a person with a browser.
 */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

/** What an agent keeps; the person's browser is where it sends them. */
class Agent implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata: OAuthClientMetadata = { client_name: 'Helpful Agent', redirect_uris: [CALLBACK] }
  sentTo: URL | undefined
  kept: { client?: StoredOAuthClientInformation; tokens?: StoredOAuthTokens; verifier?: string } = {}

  state() {
    return 'state-of-the-agent'
  }
  clientInformation() {
    return this.kept.client
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.kept.client = client
  }
  tokens() {
    return this.kept.tokens
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.kept.tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(verifier: string) {
    this.kept.verifier = verifier
  }
  codeVerifier() {
    return this.kept.verifier ?? ''
  }
}

function transportOf(authProvider: OAuthClientProvider): StreamableHTTPClientTransport {
  const trusting = ((url: string | URL, init?: object) =>
    fetch(url, { ...init, dispatcher: at.agent })) as typeof globalThis.fetch
  return new StreamableHTTPClientTransport(new URL(`${at.url}/mcp`), { authProvider, fetch: trusting })
}

test('it finds its way, is let in by a person, and calls a tool', async () => {
  const agent = new Agent()
  const first = transportOf(agent)
  const stranger = new Client({ name: 'agent', version: '1' })
  await expect(stranger.connect(first)).rejects.toThrow(UnauthorizedError)
  expect(agent.kept.client?.client_id).toBeTruthy()
  expect(agent.sentTo?.searchParams.get('code_challenge_method')).toBe('S256')
  expect(agent.sentTo?.searchParams.get('resource')).toBe(`${at.url}/mcp`)

  const ada = await at.signUp('Ada')
  const oauth = createOAuthClient(at)
  const sent = await ada.ask(agent.sentTo?.href ?? '')
  const page = await oauth.page(ada, String(sent.headers.get('location') ?? sent.json?.url))
  expect(page.text).toContain('Helpful Agent')
  const back = await oauth.decide(ada, page)
  expect(back.searchParams.get('state')).toBe('state-of-the-agent')
  expect(back.searchParams.get('iss')).toBe(oauth.issuer)
  await first.finishAuth(back.searchParams)

  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(transportOf(agent))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(['check', 'saved', 'suggest_names'])
  const result = await client.callTool({ name: 'suggest_names', arguments: { description: 'a bakery', count: 2 } })
  expect(result.isError ?? false).toBe(false)
  await client.close()

  // The same token is invalid for the other resource.
  const token = agent.kept.tokens?.access_token ?? ''
  at.leaks.record(token)
  const refused = await oauth.show(token, 'v1')
  expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_token'])
  expect((await oauth.show(token, 'mcp')).status).toBe(200)
})

test('an application that lacks a scope is asked by a 403 to come back with it, and can', async () => {
  const ada = await at.signUp('Ada')
  const oauth = createOAuthClient(at)
  const app = await oauth.makePublic()
  const call = (token: string) =>
    at.visitor().ask('/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'saved', arguments: {} } },
      headers: { authorization: `Bearer ${token}` },
    })
  const resource = oauth.resource('mcp')
  const { access_token: narrow } = await oauth.grant(ada, app, { resource, scope: 'domains:check' })
  const refused = await call(narrow)
  expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer realm="namewright", error="insufficient_scope", scope="favorites:read", resource_metadata="${at.url}/.well-known/oauth-protected-resource/mcp"`,
  )
  const { access_token: wide } = await oauth.grant(ada, app, { resource, scope: 'domains:check favorites:read' })
  const allowed = await call(wide)
  expect(allowed.json.result.structuredContent).toEqual({ favorites: [], next_cursor: null })
})
