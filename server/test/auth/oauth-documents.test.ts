/**
 * Applications that introduce themselves by a document at an address of their own
 * (draft-ietf-oauth-client-id-metadata-document): what is read, and what is not believed or not even fetched.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { CALLBACK, createOAuthClient, locationOf, refusalOf } from '../oauth-client.ts'
import type { App, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

// Several, because documents are fetched twenty times at once from one host.
const HOSTS = ['agent-1.example', 'agent-2.example', 'agent-3.example', 'agent-4.example'] as const
const [HOST] = HOSTS

let certificate: Certificate
let server: Server
let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
/** What stands at a path, and how often it was fetched. */
const shelf = new Map<string, { answer: (response: ServerResponse) => void; fetched: number }>()
beforeAll(async () => {
  certificate = await makeCertificate([...HOSTS])
  const [cert, key] = await Promise.all([
    readFile(certificate.env.NAMEWRIGHT_TLS_CERT_FILE),
    readFile(certificate.env.NAMEWRIGHT_TLS_KEY_FILE),
  ])
  server = createServer({ cert, key }, (request, response) => {
    const found = shelf.get(request.url ?? '')
    if (found) {
      found.fetched++
      found.answer(response)
    } else response.writeHead(404).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  at = await startApp({
    people: true,
    own: true,
    settings: {
      NAMEWRIGHT_OUTBOUND_ROUTES: HOSTS.map((host) => `${host}=127.0.0.1:${portOf()}`).join(','),
      NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
    },
  })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
  await certificate[Symbol.asyncDispose]()
})

const portOf = () => (server.address() as AddressInfo).port

let made = 0
type Put = (id: string) => unknown
/** Puts a document at a new address; the address is the application's id. */
function put(document: Put, headers: Record<string, string> = {}, status = 200): App {
  const path = `/clients/${++made}`
  const id = `https://${HOSTS[made % HOSTS.length]}${path}`
  const body = document(id)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  shelf.set(path, { answer, fetched: 0 })
  return { id, redirectUri: CALLBACK }
}

const right = (id: string) => ({ client_id: id, client_name: 'Agent', redirect_uris: [CALLBACK] })
const right200 = (response: ServerResponse, id: string) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(right(id)))
const fetchesOf = ({ id }: App) => shelf.get(new URL(id).pathname)?.fetched

async function expectUnknown(app: App): Promise<void> {
  const reply = await oauth.ask(ada, app)
  const place = new URL(locationOf(reply))
  expect([place.origin, place.searchParams.get('error')]).toEqual([at.url, 'invalid_client'])
  const returned = { url: place, code: 'x', error: null, verifier: 'x'.repeat(43) }
  expect(refusalOf(await oauth.redeem(app, returned))).toBe('400 invalid_grant')
}

describe('an application with a right document', () => {
  test('is asked about by its name and host, and gets tokens that work', async () => {
    const agent = put(right)
    const page = await oauth.page(ada, locationOf(await oauth.ask(ada, agent)))
    expect(page.text).toContain('<bdi>Agent</bdi> requests access')
    const tokens = await oauth.grant(ada, agent, { resource: oauth.resource('mcp') })
    expect((await oauth.show(tokens.access_token, 'mcp')).status).toBe(200)
    const next = await oauth.refresh(agent, tokens.refresh_token)
    expect(next.status, next.text).toBe(200)
    expect((await oauth.revoke(agent, next.json.refresh_token)).status).toBe(200)
  })

  test('is read once in an hour, however often it asks', async () => {
    const agent = put(right)
    for (let i = 0; i < 4; i++) await oauth.ask(ada, agent)
    await oauth.grant(ada, agent)
    expect(fetchesOf(agent)).toBe(1)
  })

  test('may send people back to its own origin', async () => {
    const agent = put((id) => ({ ...right(id), redirect_uris: [`${new URL(id).origin}/back`] }))
    const tokens = await oauth.grant(ada, { ...agent, redirectUri: `${new URL(agent.id).origin}/back` })
    expect((await oauth.show(tokens.access_token)).status).toBe(200)
  })

  test('is a public one: it cannot act for itself', async () => {
    const agent = put((id) => ({ ...right(id), grant_types: ['client_credentials', 'authorization_code'] }))
    await oauth.grant(ada, agent)
    const reply = await oauth.token({ grant_type: 'client_credentials', client_id: agent.id })
    expect(refusalOf(reply)).toBe('400 unauthorized_client')
  })

  test('is held to the addresses in it', async () => {
    const reply = await oauth.ask(ada, { ...put(right), redirectUri: 'https://evil.example/' })
    expect(new URL(locationOf(reply)).origin).toBe(at.url)
  })

  test('whose home page or picture is a script has neither', async () => {
    const agent = put((id) => ({ ...right(id), client_uri: 'javascript:alert(1)', logo_uri: 'data:text/html,x' }))
    await oauth.grant(ada, agent)
    const text = 'SELECT uri, icon FROM people.oauth_client WHERE client_id = $1'
    expect((await at.world.owner.query(text, [agent.id])).rows).toEqual([{ uri: null, icon: null }])
  })

  test('ends where its document is found to have become wrong', async () => {
    const agent = put(right)
    const { refresh_token } = await oauth.grant(ada, agent)
    const place = shelf.get(new URL(agent.id).pathname)
    if (place) place.answer = (response) => void response.writeHead(410).end()
    // Another node has not read it yet, and reads it where somebody is about to be asked.
    const { url } = await at.startNode()
    const query = new URLSearchParams({ client_id: agent.id, response_type: 'code', redirect_uri: CALLBACK })
    const asked = await at.visitor().ask(`${url}/auth/oauth2/authorize?${query.toString()}`)
    expect(locationOf(asked)).toContain('error=invalid_client')
    expect(refusalOf(await oauth.refresh(agent, refresh_token))).toMatch(/^40[01] /)
    if (place) place.answer = (response) => right200(response, agent.id)
    const { url: third } = await at.startNode()
    await at.visitor().ask(`${third}/auth/oauth2/authorize?${query.toString()}`)
    expect((await oauth.refresh(agent, refresh_token)).status).toBe(200)
  })
})

describe('an application is unknown when its document', () => {
  test.each<[sentence: string, document: Put, headers?: Record<string, string>, status?: number]>([
    ['names another application', (id) => ({ ...right(id), client_id: `${new URL(id).origin}/other` })],
    ['names none', () => ({ redirect_uris: [CALLBACK] })],
    ['has a secret', (id) => ({ ...right(id), client_secret: 'x' })],
    ['has an empty secret', (id) => ({ ...right(id), client_secret: '' })],
    [
      'wants to prove itself by a secret',
      (id) => ({ ...right(id), token_endpoint_auth_method: 'client_secret_basic' }),
    ],
    [
      'wants to prove itself by keys',
      (id) => ({ ...right(id), token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `https://${HOST}/keys` }),
    ],
    ['sends people to another origin', (id) => ({ ...right(id), redirect_uris: ['https://evil.example/cb'] })],
    [
      'sends some people to another origin',
      (id) => ({ ...right(id), redirect_uris: [CALLBACK, 'https://evil.example/'] }),
    ],
    ['sends people to another port', (id) => ({ ...right(id), redirect_uris: [`${new URL(id).origin}:8443/cb`] })],
    ['sends people back without TLS', (id) => ({ ...right(id), redirect_uris: [`http://${new URL(id).host}/cb`] })],
    ['sends people to an address with a fragment', (id) => ({ ...right(id), redirect_uris: [`${CALLBACK}#x`] })],
    ['sends people to a script', (id) => ({ ...right(id), redirect_uris: ['javascript:alert(1)'] })],
    ['sends nobody back', (id) => ({ ...right(id), redirect_uris: [] })],
    ['says nothing of where it sends people', (id) => ({ client_id: id })],
    ['is larger than it needs to be', (id) => ({ ...right(id), padding: 'x'.repeat(9_000) })],
    ['is no JSON', () => 'client_id=x'],
    ['is no object', (id) => [right(id)]],
    ['is nothing', () => 'null'],
    ['is a page', right, { 'content-type': 'text/html' }],
    ['is packed', right, { 'content-encoding': 'gzip' }],
    ['is gone', right, {}, 404],
    ['is elsewhere', right, { location: `https://${HOST}/clients/1` }, 302],
    ['is behind a broken server', right, {}, 500],
  ])('%s', async (_sentence, document, headers, status) => {
    const app = put(document, headers, status)
    await expectUnknown(app)
    // Nor is it fetched at every try.
    expect(fetchesOf(app)).toBe(1)
  })

  test('takes longer than anybody waits', async () => {
    const app = put(right)
    const place = shelf.get(new URL(app.id).pathname)
    let heldMs = Infinity
    if (place)
      place.answer = (response) => {
        const startedAt = runningMs()
        response.once('close', () => (heldMs = runningMs() - startedAt))
        response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      }
    await expectUnknown(app)
    // Whatever else the machine is doing, the service hangs up after its five seconds.
    await expect.poll(() => heldMs).toBeLessThan(8_000)
  })
})

describe('nothing is fetched from', () => {
  test.each<[sentence: string, id: () => string]>([
    ['an address without TLS', () => `http://${HOST}/clients/1`],
    ['our own machine', () => `https://127.0.0.1:${portOf()}/clients/1`],
    ['our own machine by its name', () => `https://localhost:${portOf()}/clients/1`],
    ['our own machine, written otherwise', () => `https://[::ffff:127.0.0.1]:${portOf()}/clients/1`],
    ['where machines keep their secrets', () => 'https://169.254.169.254/latest/meta-data'],
    ['a machine nearby', () => 'https://10.0.0.1/client'],
    ['an address with a name and a password', () => `https://ada:pw@${HOST}/clients/1`],
    ['an address with a fragment', () => `https://${HOST}/clients/1#x`],
    ['an address with a query', () => `https://${HOST}/clients/1?x=1`],
    ['an address with dots in its path', () => `https://${HOST}/x/../clients/1`],
    ['an address in other letters', () => `https://${HOST.toUpperCase()}/clients/1`],
    ['an address without a path', () => `https://${HOST}/`],
    ['an address with its default port', () => `https://${HOST}:443/clients/1`],
  ])('%s', async (_sentence, id) => {
    const before = [...shelf.values()].reduce((sum, { fetched }) => sum + fetched, 0)
    await expectUnknown({ id: id(), redirectUri: CALLBACK })
    expect([...shelf.values()].reduce((sum, { fetched }) => sum + fetched, 0)).toBe(before)
  })
})
