/**
 * Applications of strangers: nobody may have us fetch from a victim's host or fill our tables without a person being asked,
 * and nobody may use our address to send people somewhere else.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPeoplePool, removeExpired } from '../source.ts'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { CALLBACK, createOAuthClient, locationOf, navigate, returnOf } from '../oauth-client.ts'
import type { OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

const HOSTS = ['victim.example', 'other.example'] as const
const EVIL = 'https://evil.example/landing'

let certificate: Certificate
let server: Server
let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
/** Host and path of every document that was fetched. */
const fetched: string[] = []
beforeAll(async () => {
  certificate = await makeCertificate([...HOSTS])
  const [cert, key] = await Promise.all([
    readFile(certificate.env.NAMEWRIGHT_TLS_CERT_FILE),
    readFile(certificate.env.NAMEWRIGHT_TLS_KEY_FILE),
  ])
  server = createServer({ cert, key }, (request, response) => {
    const client_id = `https://${request.headers.host}${request.url}`
    fetched.push(client_id)
    const document = { client_id, client_name: 'Agent', redirect_uris: [CALLBACK] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  at = await startApp({
    people: true,
    own: true,
    settings: {
      NAMEWRIGHT_OUTBOUND_ROUTES: HOSTS.map((host) => `${host}=127.0.0.1:${port}`).join(','),
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

async function storedAt(host: string): Promise<number> {
  const text = 'SELECT count(*)::integer AS n FROM people.oauth_client WHERE client_id LIKE $1'
  const { rows } = await at.world.owner.query<{ n: number }>(text, [`https://${host}/%`])
  return rows[0]?.n ?? 0
}

const queryOf = (id: string, more: Record<string, string> = {}) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: CALLBACK,
    scope: 'history:read',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ...more,
  }).toString()

describe('a document of an application', () => {
  test('is not fetched, and nothing is stored, by a request to the token, revocation or introspection endpoint', async () => {
    const before = fetched.length
    for (let i = 0; i < 10; i++) {
      const form = {
        client_id: `https://victim.example/doc/${i}`,
        token: 'x',
        grant_type: 'refresh_token',
        refresh_token: 'x',
      }
      for (const path of ['token', 'revoke', 'introspect']) await at.visitor().ask(`/auth/oauth2/${path}`, { form })
    }
    expect(fetched.slice(before)).toEqual([])
    expect(await storedAt('victim.example')).toBe(0)
  })

  test('is fetched ten times at once for one address, and no more', async () => {
    const before = fetched.length
    const mallory = at.visitor()
    const statuses: number[] = []
    for (let i = 0; i < 15; i++) {
      const id = `https://other.example/by-address/${i}`
      statuses.push((await mallory.ask(`/auth/oauth2/authorize?${queryOf(id)}`)).status)
    }
    expect(fetched.length - before).toBe(10)
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429, 429])
  })

  test('is fetched twenty times at once from one host, from however many addresses', async () => {
    const before = fetched.length
    for (let i = 0; i < 30; i++) {
      const id = `https://victim.example/by-host/${i}`
      await at.visitor().ask(`/auth/oauth2/authorize?${queryOf(id)}`)
    }
    expect(fetched.length - before).toBe(20)
    expect(await storedAt('victim.example')).toBe(20)
  })
})

describe('an application that registered itself', () => {
  const age = (column: string, id: string, interval: string) =>
    at.world.owner.query(`UPDATE people.oauth_client SET ${column} = now() - $2::interval WHERE client_id = $1`, [
      id,
      interval,
    ])

  test('expires a day later when nobody used it, and 90 days after its last use', async () => {
    const [fresh, unused, used, old] = await Promise.all([1, 2, 3, 4].map(() => oauth.makePublic()))
    if (!fresh || !unused || !used || !old) throw new Error('four were made')
    const robot = await oauth.makeConfidential(ada)
    for (const app of [used, old]) await oauth.grant(ada, app)
    await age('created_at', fresh.id, '23 hours')
    for (const { id } of [unused, used, old, robot]) await age('created_at', id, '400 days')
    await age('used_at', used.id, '89 days')
    await age('used_at', old.id, '91 days')
    const pool = openPeoplePool({ url: at.world.databaseUrl })
    await removeExpired(pool)
    await pool.close()
    const ids = [fresh, unused, used, old, robot].map(({ id }) => id)
    const text = 'SELECT client_id FROM people.oauth_client WHERE client_id = ANY ($1)'
    const { rows } = await at.world.owner.query<{ client_id: string }>(text, [[...ids, 'namewright-web']])
    expect(rows.map(({ client_id }) => client_id).toSorted()).toEqual(
      [fresh.id, used.id, robot.id, 'namewright-web'].toSorted(),
    )
  })
})

describe('a request that fails sends nobody to an application that they did not agree to:', () => {
  const ways: readonly [sentence: string, changes: Record<string, string>][] = [
    ['when nobody may be asked', { prompt: 'none' }],
    ['with an unknown scope', { scope: 'everything' }],
    ['with an unknown resource', { resource: 'https://evil.example/v1' }],
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['with a request object', { request: 'e30.e30.' }],
  ]

  test.each(ways)('%s', async (_sentence, changes) => {
    const app = await oauth.makePublic({ application_type: 'web', redirect_uris: [EVIL] })
    for (const visitor of [at.visitor(), ada]) {
      const query = queryOf(app.id, { redirect_uri: EVIL, ...changes })
      for (const path of ['/auth/oauth2/authorize', '/consent']) {
        const reply = await navigate(at, visitor, `${path}?${query}`)
        // A visitor is asked to sign in first; that page is ours.
        expect(new URL(locationOf(reply) || '/', at.url).origin, path).toBe(at.url)
        if (locationOf(reply) !== '') continue
        expect([reply.status, returnOf(reply).to], path).toEqual([400, EVIL])
        expect(reply.text).toContain('<bdi>evil.example</bdi>')
        expect(reply.text).not.toContain('http-equiv="refresh"')
      }
    }
  })

  test('and sends whoever agreed to it back at once', async () => {
    const app = await oauth.makePublic({ application_type: 'web', redirect_uris: [EVIL] })
    await oauth.grant(ada, app)
    const reply = await oauth.ask(ada, app, { prompt: 'none' })
    expect(returnOf(reply)).toMatchObject({ to: EVIL, error: 'consent_required' })
    expect(locationOf(reply)).not.toBe('')
    // What somebody else agreed to is nothing to others.
    const ben = await at.signUp('Ben')
    expect(locationOf(await oauth.ask(ben, app, { prompt: 'none' }))).toBe('')
  })
})
