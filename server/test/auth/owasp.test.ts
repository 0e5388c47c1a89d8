/**
 * The OWASP API Security Top 10 of 2023, one section each: what an attacker would try first at a service like this one.
 *
 * Much of it has a file of its own, and is not repeated: every scope and role (credential-matrix, role-matrix), every id of
 * another tenant (tenants), keys (../api/keys, key-addresses, key-changes), OAuth (oauth-*), the pages, plain and broken
 * HTTP (../api/plain-http, broken-http), what leaves the machine (../outbound). It is long because it is a list.
 */
import { hash, randomInt } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import type { SecureVersion } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ATTEMPT_LIMITS } from '../../src/http/attempts.ts'
import { readConfig } from '../read-config.ts'
import type { Context } from '../../src/context.ts'
import { openPeoplePool } from '../../src/platform/db/people-pool.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { SCOPES } from '../../src/model/caller.ts'
import { makeSecret } from '../../src/model/credential-text.ts'
import { createAuth } from '../../src/identity/people/auth.ts'
import type { AuthOptions } from '../../src/identity/people/auth.ts'
import { parseDocument } from '../../src/identity/people/client-documents.ts'
import { readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { sharePeopleWorld, PASSWORD } from '../people-world.ts'
import type { Asking, PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { talk } from '../raw-talk.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const page = readPage('docs/permissions.md')
const NOBODYS = '0198d2c4-0000-7000-8000-000000000000'
const WIDE = { per_minute: 1_000_000, burst: 1_000_000 }

let at: PeopleWorld
let ada: SignedIn
let own: string
let team: string
let key: { id: string; secret: string }
beforeAll(async () => {
  at = await sharePeopleWorld()
  ada = await at.signUp('Ada')
  own = `/settings/accounts/${ada.userId}`
  team = `/settings/accounts/${(await make('/settings/accounts', { name: 'team' })).account.id}`
  key = (await make(`${own}/keys`, { name: 'all', scopes: SCOPES, quota: WIDE })).key
})
afterAll(() => at[Symbol.asyncDispose]())

async function make(path: string, body: unknown, by: Visitor = ada) {
  const reply = await by.ask(path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.data
}

// Limits are kept in a Redis that other runs share.
const freshEmail = () => `nobody-${randomInt(1e12)}@people.example`
const wordsOf = (text: string) => text.trim().split(/\s+/)
const refusalOf = ({ status, json }: Reply) => `${status} ${json?.error?.code}`
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const call = (path: string, asking: Asking = {}, credential = key.secret) =>
  at.visitor().ask(path, { ...asking, headers: { ...bearer(credential), ...asking.headers } })

/** As it stands, past what an HTTP client would put right. */
async function send(line: string, headers: readonly string[] = []): Promise<{ status: number; text: string }> {
  const port = Number(new URL(at.url).port)
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: at.certificate.ca })
  const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', '']
  const text = await talk(port, [Buffer.from(head.join('\r\n'), 'latin1')], { socket })
  return { status: Number(text.split(' ')[1]), text }
}

const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
/** One may change settings 60 times at once; what is tried here is something else. */
async function forgetPace({ userId, address }: SignedIn): Promise<void> {
  const redis = new Redis(at.world.env['NAMEWRIGHT_REDIS_URL'] ?? '')
  await redis.del(...[userId, address].map((subject) => `li:{settings:${hash('sha256', subject)}}`))
  redis.disconnect()
}

/** How often the node has failed; whoever is refused has not made it fail. */
const failures = () => at.node.output().split('"level":50').length - 1

describe('API1: objects of others', () => {
  test('an id of somebody else and one of nobody are answered alike, to the byte', async () => {
    const eve = await at.signUp('Eve')
    const mine = (await make(`/settings/accounts/${eve.userId}/keys`, { name: 'eve', scopes: SCOPES }, eve)).key
    await call('/v1/generate', { body: { description: 'a bakery', count: 1 } })
    await call('/v1/favorites', { body: { domain: 'free-for-sure-owasp.com' } })
    const idOf = async (list: string) => String((await call(`/v1/${list}`)).json.data[list][0].id)
    const replyOf = async (by: Visitor, path: string, asking: Asking) => {
      const { status, text, json, headers } = await by.ask(path, asking)
      const names = ['content-type', 'content-length', 'cache-control', 'vary', 'www-authenticate', 'allow', 'link']
      return [status, text.replaceAll(json.error.request_id, ''), ...names.map((name) => headers.get(name))]
    }
    const [history, favorite] = [await idOf('history'), await idOf('favorites')]
    const settings = `/settings/accounts/${eve.userId}/keys`
    const asked: readonly (readonly [path: string, id: string, asking: Asking])[] = [
      ['/v1/history', history, {}],
      ['/v1/history', history, { method: 'DELETE' }],
      ['/v1/favorites', favorite, {}],
      ['/v1/favorites', favorite, { method: 'PATCH', body: { watch: true } }],
      ['/v1/favorites', favorite, { method: 'DELETE' }],
      [settings, key.id, { method: 'PATCH', body: { name: 'mine' } }],
      [settings, key.id, { method: 'DELETE' }],
      ['/settings/accounts', ada.userId, {}],
      ['/settings/accounts', ada.userId, { method: 'DELETE' }],
    ]
    for (const [path, id, asking] of asked) {
      const withKey = path.startsWith('/v1/') ? { ...asking, headers: bearer(mine.secret) } : asking
      const theirs = await replyOf(eve, `${path}/${id}`, withKey)
      expect(theirs[0]).toBe(404)
      expect(theirs).toEqual(await replyOf(eve, `${path}/${NOBODYS}`, withKey))
    }
  })

  test('an id in an odd spelling finds nothing and breaks nothing', async () => {
    const before = failures()
    const id = String((await call('/v1/history')).json.data.history[0].id)
    const spellings = [id.toUpperCase(), `{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), `${id} `, `${id}\0`, '\0']
    const texts = ["' OR '1'='1", '../history', '*', '%', '[]', '0', '-1', 'null', 'undefined', '\u202e', 'é']
    const lists = ['/v1/history', '/v1/favorites', '/settings/me/sessions']
    const inTeam = ['keys', 'clients', 'grants', 'invitations', 'members'].map((list) => `${team}/${list}`)
    for (const list of [...lists, ...inTeam]) {
      await forgetPace(ada)
      for (const one of [...spellings, ...texts]) {
        const headers = list.startsWith('/v1/') ? bearer(key.secret) : {}
        const reply = await ada.ask(`${list}/${encodeURIComponent(one)}`, { method: 'DELETE', headers })
        expect([list, one, refusalOf(reply)]).toEqual([list, one, '404 not_found'])
      }
    }
    expect(failures()).toBe(before)
    expect((await call(`/v1/history/${id}`)).status).toBe(200)
  })
})

describe('API2: broken authentication', () => {
  test.each<[header: (secret: string) => string, status: number]>([
    [(secret) => `Bearer ${secret}`, 200],
    [(secret) => `bEARER ${secret}`, 200],
    [(secret) => `  Bearer    ${secret}  `, 200],
    [(secret) => `Bearer\t${secret}`, 401],
    [(secret) => `Bearer ${secret}\xa0`, 401],
    [(secret) => `Bearer Bearer ${secret}`, 401],
    [(secret) => `Bearer ${secret} ${secret}`, 401],
    [(secret) => `Bearer ${secret},${secret}`, 401],
    [(secret) => `Bearer "${secret}"`, 401],
    [(secret) => `Bearer=${secret}`, 401],
    [(secret) => `BearerX ${secret}`, 401],
    [(secret) => `Basic ${Buffer.from(`${secret}:`).toString('base64')}`, 401],
    [(secret) => `Bearer ${encodeURIComponent(secret).replace('_', '%5F')}`, 401],
    [(secret) => `Bearer ${secret.slice(0, -1)}`, 401],
    [(secret) => `Bearer ${secret}${'a'.repeat(8_000)}`, 401],
    [(secret) => `Bearer ${secret}${'a'.repeat(17_000)}`, 431],
    [(secret) => `Bearer ${secret}\0`, 400],
    [(secret) => `Bearer ${secret}\r\n evil`, 400],
  ])('a header such as %o is %i', async (header, status) => {
    expect((await send('GET /v1/usage', [`Authorization: ${header(key.secret)}`])).status).toBe(status)
  })

  test('of two headers the second is not looked at', async () => {
    const [good, bad] = [`Authorization: Bearer ${key.secret}`, `Authorization: Bearer ${makeSecret()}`]
    expect((await send('GET /v1/usage', [bad, good])).status).toBe(401)
  })

  test('a key in an address, a cookie or a body opens nothing', async () => {
    const { secret } = key
    for (const path of ['/v1/usage', '/settings/me', '/mcp']) {
      const query = await at.visitor().ask(`${path}?access_token=${secret}&key=${secret}`, { method: 'GET' })
      expect([401, 405]).toContain(query.status)
      const cookie = `session=${secret}; token=${secret}; authorization=Bearer ${secret}`
      expect([401, 405]).toContain((await at.visitor().ask(path, { headers: { cookie } })).status)
    }
    const body = { access_token: secret, key: secret, description: 'a bakery', count: 1 }
    expect(refusalOf(await at.visitor().ask('/v1/generate', { body }))).toBe('401 missing_token')
    expect(refusalOf(await at.visitor().ask('/mcp', { body }))).toBe('401 missing_token')
  })

  test('a key is no session, and a session is no key', async () => {
    expect(refusalOf(await call('/settings/me'))).toBe('401 sign_in_required')
    expect(refusalOf(await call(`${own}/keys`, { body: { name: 'x', scopes: ['generate'] } }))).toBe(
      '401 sign_in_required',
    )
    expect(refusalOf(await ada.ask('/v1/usage'))).toBe('401 missing_token')
    expect(refusalOf(await ada.ask('/mcp', { body: {} }))).toBe('401 missing_token')
    const [token = ''] = sessionOf(ada).value.split('.')
    expect(refusalOf(await call('/v1/usage', {}, token))).toBe('401 invalid_token')
  })

  test('nothing else that we give out is a key', async () => {
    const client = { name: 'robot', kind: 'confidential', own_scopes: ['usage:read'] }
    const { client_id, client_secret } = (await make(`${own}/clients`, client)).client
    for (const credential of [client_id, client_secret, makeSecret('nwr'), makeSecret('nwa'), key.id, ada.userId]) {
      expect(refusalOf(await call('/v1/usage', {}, credential))).toBe('401 invalid_token')
    }
  })

  test('a cookie that was altered, unsigned, renamed or made from the database is none', async () => {
    const { name, value } = sessionOf(ada)
    const [token = '', signature = ''] = decodeURIComponent(value).split('.')
    const { rows } = await at.world.owner.query<{ token: string; id: string }>(
      'SELECT token, id FROM people.session WHERE user_id = $1',
      [ada.userId],
    )
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    const wrong = [
      token,
      `${token}.`,
      `${token}.${flipped}`,
      `${rows[0]?.token}.${signature}`,
      `${rows[0]?.id}.${signature}`,
      '',
      '\u0001',
      'a'.repeat(4_000),
    ]
    const cookies = [
      ...wrong.map((text) => `${name}=${encodeURIComponent(text)}`),
      `${name.replace(/^__\w+-/, '')}=${value}`,
      `${name.replace(/^__\w+-/, '__Secure-')}x=${value}`,
      `${name.toUpperCase()}=${value}`,
    ]
    for (const cookie of cookies) {
      expect([cookie, refusalOf(await at.visitor().ask('/settings/me', { headers: { cookie } }))]).toEqual([
        cookie,
        '401 sign_in_required',
      ])
    }
    expect((await at.visitor().ask('/settings/me', { headers: { cookie: `${name}=${value}` } })).status).toBe(200)
  })

  test('whoever signed out is out, also with the cookie they kept', async () => {
    const visitor = await at.signIn(ada.email, PASSWORD)
    const kept = { headers: { cookie: cookieOf(visitor) } }
    expect((await at.visitor().ask('/settings/me', kept)).status).toBe(200)
    expect((await visitor.ask('/auth/sign-out', { body: {} })).status).toBe(200)
    expect(refusalOf(await at.visitor().ask('/settings/me', kept))).toBe('401 sign_in_required')
    expect((await ada.ask('/settings/me')).status).toBe(200)
    await untilNoted(visitor, ['signed_in', 'signed_out'])
  })

  test('a key of an account that was deleted is unknown', async () => {
    const { id } = (await make('/settings/accounts', { name: 'short-lived' })).account
    const gone = (await make(`/settings/accounts/${id}/keys`, { name: 'k', scopes: SCOPES })).key
    expect((await call('/v1/usage', {}, gone.secret)).status).toBe(200)
    expect((await ada.ask(`/settings/accounts/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(refusalOf(await call('/v1/usage', {}, gone.secret))).toBe('401 invalid_token')
  })

  test('nobody can say where they come from, but a proxy that we trust', async () => {
    const visitor = at.visitor()
    const headers = {
      'x-forwarded-for': `192.0.2.66, ${visitor.address}`,
      'x-client-address': '192.0.2.66',
      'x-real-ip': '192.0.2.66',
      'cf-connecting-ip': '192.0.2.66',
      forwarded: 'for=192.0.2.66',
    }
    const body = { email: ada.email, password: PASSWORD }
    expect((await visitor.ask('/auth/sign-in/email', { body, headers })).status).toBe(200)
    const { json } = await visitor.ask('/settings/me/sessions')
    const current = json.data.sessions.find((session: { current: boolean }) => session.current)
    expect(current.address).toBe(visitor.address)
    await untilNoted(visitor, ['signed_in'])
  })

  /** Entries of Ada's log are written after the answer. */
  async function untilNoted({ address }: Visitor, actions: string[]): Promise<void> {
    const text = 'SELECT action FROM security_event WHERE account_id = $1 AND ip = $2 ORDER BY id'
    const noted = () => at.world.owner.query<{ action: string }>(text, [ada.userId, address])
    await expect.poll(async () => (await noted()).rows.map(({ action }) => action)).toEqual(actions)
  }

  function sessionOf({ cookies }: Visitor): { name: string; value: string } {
    const [name = '', value = ''] = [...cookies].find(([one]) => one.endsWith('session_token')) ?? []
    return { name, value }
  }
})

describe('API3: properties that are not theirs to set or to see', () => {
  const FIELDS =
    wordsOf(`id account_id user_id owner own created_at created_by last_used_at revoked_at prefix hash secret
    client_id client_secret skip_consent require_pkce grant_types reference_id email_verified two_factor
    two_factor_enabled invited_by used disabled __proto__ constructor prototype toString`)

  test('no body of the settings takes a field that it is not for', async () => {
    const { client } = await make(`${own}/clients`, { name: 'c', kind: 'confidential', own_scopes: ['generate'] })
    const [grant] = (await ada.ask(`${own}/grants`)).json.data.grants
    const bodies: readonly (readonly [method: string, path: string, body: object, more: string[]])[] = [
      ['PATCH', '/settings/me', { name: 'Ada' }, ['email', 'role', 'accounts', 'password']],
      ['POST', '/settings/accounts', { name: 'x' }, ['role', 'history_days']],
      ['PATCH', own, { name: 'x' }, ['role', 'email']],
      ['POST', `${own}/keys`, { name: 'x', scopes: ['generate'] }, ['role', 'key']],
      ['PATCH', `${own}/keys/${key.id}`, { name: 'x' }, ['role', 'key']],
      ['POST', `${own}/keys/${key.id}/rotate`, {}, ['scopes', 'name']],
      ['POST', `${own}/clients`, { name: 'x', kind: 'confidential', own_scopes: ['generate'] }, ['scopes', 'quota']],
      ['PATCH', `${own}/clients/${client.client_id}`, { name: 'x' }, ['kind', 'scopes', 'quota']],
      ['PATCH', `${own}/grants/${grant.id}`, { quota: { burst: 5 } }, ['scopes', 'name', 'expires_at', 'role']],
      ['PATCH', `${team}/members/${ada.userId}`, { role: 'owner' }, ['email', 'name', 'joined_at']],
      ['POST', `${team}/invitations`, { email: 'x@people.example', role: 'viewer' }, ['token', 'link', 'expires_at']],
      ['POST', '/settings/invitations/accept', { token: 'x' }, ['role', 'email', 'account']],
    ]
    const before = await everything()
    for (const [method, path, body, more] of bodies) {
      for (const field of [...FIELDS, ...more]) {
        const reply = await ada.ask(path, { method, body: { ...body, [field]: 'x' } })
        expect([method, path, refusalOf(reply)]).toEqual([method, path, '400 invalid_request'])
        expect(reply.json.error.errors).toEqual([
          { pointer: `/${field}`, code: 'unknown_field', message: expect.any(String) },
        ])
      }
    }
    expect(await everything()).toEqual(before)
  })

  test('nobody gives more than there is: no role of owner by letter, no scope that does not exist', async () => {
    const invited = await ada.ask(`${team}/invitations`, { body: { email: 'x@people.example', role: 'owner' } })
    expect(refusalOf(invited)).toBe('400 invalid_request')
    for (const scopes of [['*'], ['admin'], ['generate', 'settings'], ['offline_access'], 'generate']) {
      expect(refusalOf(await ada.ask(`${own}/keys`, { body: { name: 'x', scopes } }))).toBe('400 invalid_request')
    }
  })

  test('a sign-up takes no word for what has to be proved', async () => {
    const email = freshEmail()
    const claims = { emailVerified: true, id: NOBODYS, role: 'owner', twoFactorEnabled: true, accountId: ada.userId }
    const visitor = at.visitor()
    await visitor.ask('/auth/sign-up/email', { body: { email, name: 'M', password: PASSWORD, ...claims } })
    await at.smtp.waitFor(email)
    const { rows } = await at.world.owner.query(
      `SELECT email_verified, two_factor_enabled, id = $2 AS chosen FROM people."user" WHERE email = $1`,
      [email, NOBODYS],
    )
    expect(rows).toEqual([{ email_verified: false, two_factor_enabled: false, chosen: false }])
    expect((await visitor.ask('/auth/sign-in/email', { body: { email, password: PASSWORD } })).status).not.toBe(200)
  })

  test('an application that registers itself chooses neither its owner nor that nobody is asked', async () => {
    const claims = {
      skip_consent: true,
      reference_id: ada.userId,
      user_id: ada.userId,
      client_id: 'mine',
      disabled: false,
    }
    const chosen = { require_pkce: false, client_secret: 'mine', referenceId: ada.userId, skipConsent: true }
    const body = { client_name: 'claims', redirect_uris: ['https://app.example/callback'], ...claims, ...chosen }
    await at.visitor().ask('/auth/oauth2/register', { body })
    const { rows } = await at.world.owner.query(
      `SELECT coalesce(skip_consent, false) AS skips, reference_id, user_id, client_id = 'mine' AS named,
         require_pkce IS FALSE AS lax, client_secret = 'mine' AS secret FROM people.oauth_client WHERE name = 'claims'`,
    )
    for (const row of rows) {
      expect(row).toMatchObject({ skips: false, reference_id: null, user_id: null, named: false, lax: false })
      expect(row.secret).not.toBe(true)
    }
  })

  test('no answer shows a hash, a password or a secret', async () => {
    const wish = { url: 'https://hooks.example.com/', events: ['quota.warning'] }
    const { json: made } = await ada.ask(`${own}/webhooks`, { method: 'POST', body: wish })
    const routes = rowsOf(sectionOf(page, '## What a role opens')).flatMap(([route = '']) => {
      const [method, path = ''] = route.split(' ')
      const address = path
        .replace('/settings/accounts/{account}', own)
        .replace('/webhooks/{id}', `/webhooks/${made.data.webhook.id}`)
        .replace('/keys/{id}', `/keys/${key.id}`)
      // What operators see is held in ../operator.test.ts; for everybody else it is not there.
      return method === 'GET' && !path.startsWith('/settings/operator/') ? [address] : []
    })
    expect(routes.length).toBeGreaterThan(10)
    for (const path of [...routes, '/auth/get-session', '/auth/passkey/list-user-passkeys']) {
      const reply = await ada.ask(path)
      expect(reply.status, path).toBe(200)
      const sensitive = namesIn(reply.json).filter((name) =>
        /hash|password|secret(?!_until$)|public_?key|token$/i.test(name),
      )
      expect([path, sensitive]).toEqual([path, []])
      expect(reply.text).not.toMatch(/\$argon2|nw[arc]?_[0-9A-Za-z]{36}/)
    }
  })

  /** All accounts, keys and members of hers. */
  async function everything() {
    const lists = ['', '/keys', '/clients', '/grants', '/members', '/security-events?limit=100']
    const paths = ['/settings/me', ...[own, team].flatMap((account) => lists.map((list) => `${account}${list}`))]
    return Promise.all(paths.map(async (path) => (await ada.ask(path)).json.data))
  }

  function namesIn(value: unknown): string[] {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, inner]) => [
      ...(Array.isArray(value) ? [] : [name]),
      ...namesIn(inner),
    ])
  }
})

describe('API4: resources', () => {
  test.each<[method: string, path: () => string, size: number]>([
    ['POST', () => `${own}/keys`, 70_000],
    ['PATCH', () => '/settings/me', 70_000],
    ['POST', () => '/auth/sign-in/email', 40_000],
    ['POST', () => '/auth/oauth2/register', 40_000],
    ['POST', () => '/mcp', 70_000],
  ])('a body that is too large is not read: %s %o', async (method, path, size) => {
    const headers = path() === '/mcp' ? bearer(key.secret) : {}
    const reply = await ada.ask(path(), { method, body: { name: 'x'.repeat(size) }, headers })
    expect(refusalOf(reply)).toBe('413 body_too_large')
  })

  test('a form that is too large is not read', async () => {
    const reply = await ada.ask('/sign-in', { form: { email: 'x'.repeat(20_000) } })
    expect(reply.status).toBe(413)
  })

  test('a body that is nested deeply is refused, whoever reads it', async () => {
    const before = failures()
    const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)
    expect(refusalOf(await ada.ask(`${own}/keys`, { body: deep }))).toBe('400 body_too_deep')
    for (const path of ['/auth/sign-up/email', '/auth/sign-out', '/auth/oauth2/register']) {
      const reply = await at.visitor().ask(path, { body: { name: deep } })
      expect([path, reply.status < 500]).toEqual([path, true])
    }
    expect(failures()).toBe(before)
  })

  test('a body of the wrong kind, or with characters that nothing can keep, makes nobody fail', async () => {
    const odd = ['\0', 'a\0@people.example', '\ud800', { toString: 'x' }, ['x'], null, 1e308, '']
    const fields = [
      'email',
      'password',
      'newPassword',
      'token',
      'code',
      'id',
      'name',
      'credential',
      'response',
      'language',
    ]
    const bodies = odd.map((value) => Object.fromEntries(fields.map((field) => [field, value])))
    const endpoints = ['sign-in/email', 'sign-up/email', 'reset-password', 'change-password', 'sign-in/social']
    const second = ['two-factor/enable', 'two-factor/verify-totp', 'two-factor/verify-backup-code']
    const passkeys = ['passkey/delete-passkey', 'passkey/update-passkey', 'passkey/verify-registration']
    const failed: unknown[] = []
    for (const endpoint of [...endpoints, ...second, ...passkeys, 'passkey/verify-authentication', 'oauth2/register']) {
      let actor = ada
      for (const [n, body] of [...bodies, null, [], 'text', 7, true].entries()) {
        // Ten guesses at a password end the session that makes them.
        if (ATTEMPT_LIMITS[`POST /${endpoint}`]?.guess && n % 10 === 0) actor = await at.signUp('Odd')
        const headers = { 'x-forwarded-for': at.visitor().address }
        const { status } = await actor.ask(`/auth/${endpoint}`, { method: 'POST', body, headers })
        if (status >= 500) failed.push([endpoint, body])
      }
    }
    for (const endpoint of ['token', 'revoke', 'introspect', 'authorize']) {
      const form = { grant_type: 'client_credentials', client_id: '\0', client_secret: '\0', token: '\0', scope: '\0' }
      const { status } = await at.visitor().ask(`/auth/oauth2/${endpoint}`, { form })
      if (status >= 500) failed.push([endpoint, form])
    }
    expect(failed).toEqual([])
  })

  test.each(['limit=1000000000', 'limit=1e9', 'limit=0', 'limit=-1', 'limit=NaN', 'limit=9&limit=9', 'limit[]=9'])(
    'no list is asked for with %s',
    async (query) => {
      for (const list of ['/v1/history', '/v1/favorites', '/v1/tlds']) {
        expect(refusalOf(await call(`${list}?${query}`))).toBe('400 invalid_request')
      }
      expect(refusalOf(await ada.ask(`${own}/security-events?${query}`))).toBe('400 invalid_request')
      const days = query.replace('limit', 'days').replace('limit', 'days')
      expect(refusalOf(await ada.ask(`${own}/usage?${days}`))).toBe('400 invalid_request')
      expect(refusalOf(await call(`/v1/usage?${days}`))).toBe('400 invalid_request')
    },
  )

  test('whoever has the right password cannot make sessions without end either', async () => {
    const body = { email: ada.email, password: 'not-the-Right-1' }
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => at.visitor().ask('/auth/sign-in/email', { body })),
    )
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    const right = await at.visitor().ask('/auth/sign-in/email', { body: { ...body, password: PASSWORD } })
    expect(refusalOf(right)).toBe('429 rate_limited')
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('API5: functions that are not for them', () => {
  const OPEN = [
    ...wordsOf(`get-session callback/:id passkey/generate-register-options
      passkey/generate-authenticate-options passkey/list-user-passkeys oauth2/authorize
      .well-known/oauth-authorization-server`).map((path) => `GET /${path}`),
    ...wordsOf(`sign-up/email sign-in/email sign-in/magic-link sign-in/social sign-out send-verification-email request-password-reset
      reset-password change-password two-factor/enable two-factor/disable two-factor/get-totp-uri
      two-factor/verify-totp two-factor/verify-backup-code two-factor/generate-backup-codes
      passkey/verify-registration passkey/verify-authentication passkey/delete-passkey passkey/update-passkey
      oauth2/authorize oauth2/token oauth2/revoke oauth2/introspect oauth2/register`).map((path) => `POST /${path}`),
  ]

  test('what Better Auth can do beyond our list is not there', async () => {
    const endpoints = await endpointsOfBetterAuth()
    expect(endpoints.length).toBeGreaterThan(70)
    for (const endpoint of OPEN) expect(endpoints).toContain(endpoint)
    const closed = endpoints.filter((endpoint) => !OPEN.includes(endpoint))
    expect(closed).toEqual(
      expect.arrayContaining(['GET /list-sessions', 'GET /magic-link/verify', 'POST /delete-user']),
    )
    for (const endpoint of closed) {
      const [method = '', path = ''] = endpoint.split(' ')
      const target = `/auth${path.replaceAll(/:\w+/g, 'x')}`
      const reply = await ada.ask(target, { method, ...(method === 'GET' ? {} : { body: {} }) })
      const isElsewhere = OPEN.some((one) => one.endsWith(` ${path}`))
      expect([endpoint, refusalOf(reply)]).toEqual([endpoint, isElsewhere ? '405 method_not_allowed' : '404 not_found'])
    }
  })

  test.each([
    'GET /auth/callback/..\\list-sessions',
    'GET /auth/callback/..\\oauth2\\get-clients',
    'GET /auth/callback/..%5clist-sessions',
    'GET /auth/callback/..%2flist-sessions',
    'GET /auth/callback/%2e%2e/list-sessions',
    'GET /auth/callback/../list-sessions',
    'GET /auth/callback/.%2e\\list-sessions',
    'GET //auth/list-sessions',
    'GET /auth//list-sessions',
    'GET /auth/list-sessions/',
    'GET /AUTH/list-sessions',
    'GET /auth/list-sessions;x',
    'GET /auth/list-sessions%00',
    'GET /auth/%6cist-sessions',
    'GET \\auth\\list-sessions',
    'GET https://localhost/auth/list-sessions',
    'GET https://evil.example/auth/callback/..\\list-sessions',
  ])('nor by another spelling: %s', async (line) => {
    const before = failures()
    const { status, text } = await send(line, [`Cookie: ${cookieOf(ada)}`, `X-Forwarded-For: ${at.visitor().address}`])
    expect(text).not.toContain('expiresAt')
    expect([302, 303, 400, 404]).toContain(status)
    expect(failures()).toBe(before)
  })

  test('an address may be written out in full, and is no other for it (RFC 9112 §3.2.2)', async () => {
    const before = failures()
    const { status } = await send(`GET ${at.url}/auth/get-session`, [`Cookie: ${cookieOf(ada)}`])
    expect(status).toBe(200)
    const { text } = await send(`GET ${at.url}/v1/usage`, [`Authorization: Bearer ${key.secret}`])
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\ncache-control: no-store\r\n/)
    expect(failures()).toBe(before)
  })

  test('a request does nothing else because a header or a field says so', async () => {
    const path = `${own}/keys/${key.id}`
    for (const header of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      const headers = { [header]: 'DELETE' }
      expect((await ada.ask(path, { method: 'POST', body: {}, headers })).status).toBe(405)
      expect((await call('/v1/history', { headers })).status).toBe(200)
    }
    for (const header of ['x-original-url', 'x-rewrite-url']) {
      expect((await at.visitor().ask('/healthz', { headers: { [header]: '/settings/me' } })).text).toBe(
        '{"status":"ok"}',
      )
    }
    expect(refusalOf(await ada.ask(`${path}?_method=DELETE`, { method: 'POST', body: { _method: 'DELETE' } }))).toBe(
      '405 method_not_allowed',
    )
    expect((await call('/v1/history')).json.data.history).not.toEqual([])
  })

  async function endpointsOfBetterAuth(): Promise<string[]> {
    const people = openPeoplePool({ url: at.world.databaseUrl })
    const auth = createAuth({
      people,
      publicUrl: at.url,
      secrets: ['x'.repeat(40)],
      signUp: 'open',
      providers: [],
      resourceOf: (audience) => `${at.url}/${audience}`,
      now: Date.now,
    } as Partial<AuthOptions> as AuthOptions)
    await auth.$context
    await people.close()
    const endpoints = Object.values(auth.api) as { path?: string; options: { method: string | string[] } }[]
    return endpoints.flatMap(({ path, options: { method } }) =>
      path === undefined ? [] : [method].flat().map((one) => `${one} ${path}`),
    )
  }
})

describe('API6: flows that hurt when they are repeated', () => {
  test('nobody sends letters to strangers without end, whichever account they do it from', async () => {
    await forgetPace(ada)
    const invite = (account: string, i: number) =>
      ada.ask(`${account}/invitations`, { body: { email: `stranger-${i}@people.example`, role: 'viewer' } })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await invite(team, i)).status)
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(11)
    expect(statuses.at(-1)).toBe(429)
    const another = `/settings/accounts/${(await make('/settings/accounts', { name: 'another' })).account.id}`
    expect(refusalOf(await invite(another, 99))).toBe('429 rate_limited')
  })

  test.each(['/auth/sign-up/email', '/auth/request-password-reset', '/auth/send-verification-email'])(
    '%s writes to nobody more than a few times, from wherever it is asked',
    async (path) => {
      const body = { email: freshEmail(), name: 'N', password: PASSWORD }
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) statuses.push((await at.visitor().ask(path, { body })).status)
      expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true, true])
      // However it is written.
      const shouted = { ...body, email: ` ${body.email.toUpperCase()}` }
      expect((await at.visitor().ask(path, { body: shouted })).status).toBe(429)
    },
  )

  test('nobody signs up a crowd from one address', async () => {
    const visitor = at.visitor()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => visitor.ask('/auth/sign-up/email', { body: { email: `crowd-${i}` } })),
    )
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2)
  })

  test('a letter that is asked for tells nobody who is here', async () => {
    const replyOf = async (email: string) => {
      const { status, text } = await at.visitor().ask('/auth/request-password-reset', { body: { email } })
      return [status, text]
    }
    expect(await replyOf(ada.email)).toEqual(await replyOf(freshEmail()))
  })
})

describe('API7: addresses that we are asked to visit', () => {
  test('a client that lives at a private address is not visited', async () => {
    await using trap = await openTrap()
    const hosts = [`127.0.0.1:${trap.port}`, `localhost:${trap.port}`, `[::1]:${trap.port}`, `0.0.0.0:${trap.port}`]
    const inside = ['169.254.169.254', '10.0.0.1', '192.168.0.1', '[fd00::1]', '[fe80::1]', '100.64.0.1', 'metadata']
    const odd = [`2130706433:${trap.port}`, `0x7f.1:${trap.port}`, `127.1:${trap.port}`, `user@127.0.0.1:${trap.port}`]
    for (const host of [...hosts, ...inside, ...odd, `[::ffff:127.0.0.1]:${trap.port}`, `localhost.:${trap.port}`]) {
      const startedAt = runningMs()
      const reply = await authorize({ client_id: `https://${host}/client.json` })
      expect([host, reply.status < 500], reply.text).toEqual([host, true])
      expect(reply.headers.get('location') ?? '').not.toContain('/consent')
      expect(runningMs() - startedAt, host).toBeLessThan(4_000)
    }
    expect(trap.visits()).toBe(0)
  })

  test('what an application says of itself is never fetched', async () => {
    await using trap = await openTrap()
    const url = `http://127.0.0.1:${trap.port}/x`
    const links = ['logo_uri', 'client_uri', 'tos_uri', 'policy_uri', 'sector_identifier_uri', 'initiate_login_uri']
    const more = [
      'backchannel_logout_uri',
      'software_statement',
      'jwks_uri',
      'request_uris',
      'post_logout_redirect_uris',
    ]
    const body = { client_name: 'trap', redirect_uris: [url], token_endpoint_auth_method: 'none' }
    const registered = await at.visitor().ask('/auth/oauth2/register', { body: { ...body, logo_uri: url } })
    for (const field of [...links, ...more]) {
      const wish = { ...body, [field]: field.endsWith('s') ? [url] : url }
      expect((await at.visitor().ask('/auth/oauth2/register', { body: wish })).status).toBeLessThan(500)
    }
    const { client_id } = registered.json
    for (const field of ['request_uri', 'resource', 'jku', 'claims']) {
      expect((await authorize({ client_id, redirect_uri: url, [field]: url })).status).toBeLessThan(500)
    }
    await sleep(200)
    expect(trap.visits()).toBe(0)
  })

  test('no link of ours leads to another site', async () => {
    for (const target of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      'javascript:alert(1)',
    ]) {
      const encoded = encodeURIComponent(target)
      const replies = [
        await at.visitor().ask(`/confirm-email?token=x&callbackURL=${encoded}`),
        await at.visitor().ask(`/auth/callback/github?state=x&code=y&callbackURL=${encoded}&redirect=${encoded}`),
        await at.visitor().ask(`/sign-in?oauth_query=${encoded}&next=${encoded}&return_to=${encoded}`),
        await ada.ask('/auth/sign-out', { method: 'POST', body: { callbackURL: target }, headers: { cookie: '' } }),
      ]
      for (const reply of replies) {
        const to = URL.parse(reply.headers.get('location') ?? '', at.url)
        expect([target, to?.origin ?? at.url]).toEqual([target, at.url])
        expect(reply.status).toBeLessThan(500)
      }
    }
  })

  function authorize(query: Record<string, string>): Promise<Reply> {
    const asked = {
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:9/callback',
      scope: 'history:read',
      state: 's',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...query,
    }
    const address = at.visitor().address
    return ada.ask(`/auth/oauth2/authorize?${new URLSearchParams(asked).toString()}`, {
      headers: { 'x-forwarded-for': address },
    })
  }

  async function openTrap() {
    let visits = 0
    const server = createServer((socket) => {
      visits++
      socket.destroy()
    }).listen(0, '::')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { port, visits: () => visits, [Symbol.asyncDispose]: async () => void server.close() }
  }
})

describe('API8: what is set up wrong', () => {
  test('every kind of answer has the headers that keep a browser in bounds, and none that says what we run', async () => {
    const answers = [
      await call('/v1/usage'),
      await at.visitor().ask('/v1/usage'),
      await call('/v1/nothing'),
      await call('/v1/usage', { method: 'PUT' }),
      await call('/v1/generate', { body: { description: 'x'.repeat(70_000) } }),
      await ada.ask('/settings/me'),
      await at.visitor().ask('/settings/me'),
      await ada.ask('/auth/get-session'),
      await at.visitor().ask('/confirm-email?token=x'),
      await at.visitor().ask('/auth/oauth2/token', { form: { grant_type: 'x' } }),
      await at.visitor().ask('/sign-in'),
      await at.visitor().ask('/consent'),
      await at.visitor().ask('/docs'),
      await at.visitor().ask('/openapi.json'),
      await at.visitor().ask('/.well-known/oauth-authorization-server'),
      await at.visitor().ask('/healthz'),
      await at.visitor().ask('/nothing'),
    ]
    for (const { headers, text } of answers) {
      expect(headers.get('x-content-type-options'), text).toBe('nosniff')
      expect(headers.get('strict-transport-security'), text).toMatch(/^max-age=31536000/)
      expect(headers.get('content-security-policy'), text).toMatch(/frame-ancestors 'none'/)
      expect(headers.get('content-type'), text).toMatch(/charset=utf-8|version=/)
      for (const name of ['server', 'x-powered-by', 'via', 'x-aspnet-version']) expect(headers.get(name)).toBeNull()
    }
  })

  test('what is somebody’s own is kept by no cache', async () => {
    const mine = [await call('/v1/usage'), await ada.ask('/settings/me'), await ada.ask('/settings/nothing')]
    const signing = [await ada.ask('/auth/get-session'), await at.visitor().ask('/sign-in'), await ada.ask('/consent')]
    const tokens = [await at.visitor().ask('/auth/oauth2/token', { form: { grant_type: 'x' } })]
    for (const { headers, text, status } of [...mine, ...signing, ...tokens]) {
      if (status !== 404) expect(headers.get('cache-control'), text).toBe('no-store')
    }
  })

  test('no other site may read an answer that goes by a cookie', async () => {
    const origin = 'https://evil.example'
    const preflight = { origin, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x' }
    const paths = ['/settings/me', `${own}/keys`, '/auth/get-session', '/mcp', '/sign-in']
    for (const path of paths) {
      const replies = [
        await ada.ask(path, { headers: { origin } }),
        await ada.ask(path, { headers: { origin: 'null' } }),
        await ada.ask(path, { method: 'OPTIONS', headers: preflight }),
      ]
      for (const { headers } of replies) {
        for (const name of ['origin', 'credentials', 'methods', 'headers']) {
          expect([path, headers.get(`access-control-allow-${name}`)]).toEqual([path, null])
        }
      }
      expect(replies[2]?.status).toBeGreaterThanOrEqual(404)
    }
    // A page gets no further here than a program: the cookie of who visits it counts for nothing.
    for (const path of ['/v1/usage', '/v1/history']) {
      const { status, headers } = await ada.ask(path, { headers: { origin } })
      expect([status, headers.get('access-control-allow-origin')]).toEqual([401, '*'])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    const discovery = await at.visitor().ask('/.well-known/oauth-authorization-server', { headers: { origin } })
    expect(discovery.headers.get('access-control-allow-origin')).toBe('*')
    expect(discovery.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('TRACE, CONNECT and made-up methods give nothing back', async () => {
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'SEARCH', 'PURGE', 'JUNK']) {
      const { status, text } = await send(`${method} /v1/usage`, ['X-Echo: said-by-me', 'Cookie: c=said-by-me'])
      expect([method, status === 200]).toEqual([method, false])
      expect(text).not.toContain('said-by-me')
    }
  })

  test('the cookie of a session is out of reach of scripts, of other sites and of plain HTTP', async () => {
    const visitor = at.visitor()
    const eve = await at.signUp('Eve too')
    const reply = await visitor.ask('/auth/sign-in/email', { body: { email: eve.email, password: PASSWORD } })
    const lines = reply.headers.getSetCookie()
    expect(lines.some((line) => line.includes('session_token='))).toBe(true)
    for (const line of lines) {
      expect(line).toMatch(/^__(?:Secure|Host)-/)
      for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(line).toContain(attribute)
      expect(line).not.toMatch(/domain=/i)
    }
    expect(reply.text).not.toContain(decodeURIComponent([...visitor.cookies.values()][0] ?? '').split('.')[0])
  })

  test.each<[version: SecureVersion, isSpoken: boolean]>([
    ['TLSv1', false],
    ['TLSv1.1', false],
    ['TLSv1.2', true],
    ['TLSv1.3', true],
  ])('%s is spoken: %o', async (version, isSpoken) => {
    const port = Number(new URL(at.url).port)
    // Without the lower level the client itself would refuse the old ones.
    const versions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: at.certificate.ca, ...versions })
    const spoken = once(socket, 'secureConnect').then(
      () => true,
      () => false,
    )
    expect(await spoken).toBe(isSpoken)
    socket.destroy()
  })

  test('what fails inside is told to the log and to nobody else', async () => {
    const before = failures()
    await at.world.owner.query('ALTER TABLE people.session RENAME TO session_gone')
    await at.world.owner.query('ALTER TABLE favorite RENAME TO favorite_gone')
    const replies = [
      await ada.ask('/settings/me'),
      await call('/v1/favorites'),
      await ada.ask('/consent'),
      await at.visitor().ask('/auth/sign-in/email', { body: { email: 'a@people.example', password: PASSWORD } }),
      await ada.ask('/auth/get-session'),
    ]
    await at.world.owner.query('ALTER TABLE people.session_gone RENAME TO session')
    await at.world.owner.query('ALTER TABLE favorite_gone RENAME TO favorite')
    for (const { text } of replies) {
      expect(text).not.toMatch(
        /relation|session_gone|select .* from|\bat .*\.(?:ts|js)\b|node_modules|postgres|kysely/i,
      )
    }
    for (const { status } of replies.slice(0, 3)) expect(status).toBeGreaterThanOrEqual(500)
    expect(failures()).toBeGreaterThan(before)
  })
})

describe('API9: what there is', () => {
  test('every route of the service is written down, and what is written down is there', async () => {
    const registered = await registeredRoutes()
    // With a slash too many it only leads to the page itself.
    const routes = registered.filter((route) => !(route.endsWith('/') && registered.includes(route.slice(0, -1))))
    const listed = ['## What a scope opens', '## What a role opens'].flatMap((heading) =>
      rowsOf(sectionOf(page, heading)).map(([route = '']) => route),
    )
    const open = rowsOf(sectionOf(page, '## What needs neither')).map(([path = '']) => path)
    const fits = (path: string, entry: string) =>
      entry.endsWith('…') ? path.startsWith(entry.slice(0, -1)) : path === entry
    const unknown = routes.filter((route) => {
      const [method, path = ''] = route.split(' ')
      // A preflight is the same for everybody and opens nothing.
      return (
        method !== 'OPTIONS' && !listed.includes(route) && path !== '/mcp' && !open.some((entry) => fits(path, entry))
      )
    })
    expect(unknown).toEqual([])
    expect(listed.filter((route) => !routes.includes(route))).toEqual([])
    const paths = routes.map((route) => route.split(' ')[1] ?? '')
    expect(open.filter((entry) => !paths.some((path) => fits(path, entry)))).toEqual([])
  })

  const NOWHERE = wordsOf(`v0/history v2/history api/v1/history v1beta/history admin auth graphql
    swagger.json api-docs actuator/health debug/pprof .env .git/config status server/src/main.ts package.json
    ..%2f..%2fetc/passwd phpmyadmin console wp-login.php`)
  test.each(NOWHERE)('there is nothing at /%s', async (path) => {
    expect((await ada.ask(`/${path}`, { headers: bearer(key.secret) })).status).toBe(404)
  })

  /** What the server registers, learned as it is made; nothing is asked of it, so it needs nothing. */
  async function registeredRoutes(): Promise<string[]> {
    const routes: string[] = []
    const listen = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) routes.push(`${one} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
      })
    }
    subscribe('fastify.initialization', listen)
    const context: Partial<Context> = { config: readConfig(at.world.env), publicUrl: at.url, now: Date.now }
    const { app } = await createHttpServer(context as Context, { tls: undefined, version: '0' })
    unsubscribe('fastify.initialization', listen)
    await app.ready()
    await app.close()
    return routes.filter((route) => !route.startsWith('HEAD '))
  }
})

describe('API10: what others tell us', () => {
  const url = 'https://client.example/metadata.json'
  const good = { client_id: url, client_name: 'Helper', redirect_uris: ['https://client.example/callback'] }

  test('a document of a client is taken for what it is', () => {
    expect(parseDocument(url, JSON.stringify(good))).toMatchObject({ ...good, token_endpoint_auth_method: 'none' })
    const greedy = {
      ...good,
      skip_consent: true,
      scope: 'everything',
      grant_types: ['client_credentials'],
      jwks_uri: url,
    }
    const parsed = parseDocument(url, JSON.stringify(greedy))
    expect(parsed).not.toHaveProperty('skip_consent')
    expect(parsed).not.toHaveProperty('jwks_uri')
    expect(parsed?.grant_types).toEqual(['authorization_code', 'refresh_token'])
  })

  test.each<[what: string, text: string]>([
    ['is no JSON', '<html>'],
    ['is empty', ''],
    ['is no object', '[]'],
    ['is null', 'null'],
    ['is of somebody else', JSON.stringify({ ...good, client_id: 'https://other.example/metadata.json' })],
    ['names no client', JSON.stringify({ ...good, client_id: undefined })],
    ['brings a secret', JSON.stringify({ ...good, client_secret: 'shared' })],
    ['wants to prove itself by one', JSON.stringify({ ...good, token_endpoint_auth_method: 'client_secret_basic' })],
    ['sends people nowhere', JSON.stringify({ ...good, redirect_uris: [] })],
    ['sends people elsewhere', JSON.stringify({ ...good, redirect_uris: ['https://evil.example/'] })],
    [
      'sends some people elsewhere',
      JSON.stringify({ ...good, redirect_uris: [...good.redirect_uris, 'https://evil.example/'] }),
    ],
    ['sends people to a script', JSON.stringify({ ...good, redirect_uris: ['javascript:alert(1)'] })],
    [
      'sends people to their own machine, nearly',
      JSON.stringify({ ...good, redirect_uris: ['http://127.0.0.1.evil.example/'] }),
    ],
    ['has a name that is no text', JSON.stringify({ ...good, client_name: { toString: 'x' } })],
  ])('a document that %s is none', (_what, text) => {
    expect(parseDocument(url, text)).toBeUndefined()
  })
})
