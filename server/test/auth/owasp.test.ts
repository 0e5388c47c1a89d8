/**
 * What an attacker tries first at a service like this one (OWASP API Security Top 10), as far as no other file has it:
 * scopes and roles are in ../attacks/credential-matrix and role-matrix, other tenants in tenants, OAuth in oauth-*,
 * passwords in passwords, cookies in browser, plain and broken HTTP in ../api.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ATTEMPT_LIMITS, SCOPES } from '../source.ts'
import { readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { Asking, PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'

const NOBODYS = '0198d2c4-0000-7000-8000-000000000000'
const WIDE = { per_minute: 1_000_000, burst: 1_000_000 }

let at: PeopleWorld
let ada: SignedIn
let own: string
let team: string
let key: { id: string; secret: string }
beforeAll(async () => {
  at = await startApp({ people: true })
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
const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
/** How often the node has failed; whoever is refused has not made it fail. */
const failures = () => at.node.output().split('"level":50').length - 1

function sessionOf({ cookies }: Visitor): { name: string; value: string } {
  const [name = '', value = ''] = [...cookies].find(([one]) => one.endsWith('session_token')) ?? []
  return { name, value }
}

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
    `${token}.${flipped}`,
    `${rows[0]?.token}.${signature}`,
    `${rows[0]?.id}.${signature}`,
    '\u0001',
  ]
  const cookies = [
    ...wrong.map((text) => `${name}=${encodeURIComponent(text)}`),
    `${name.replace(/^__\w+-/, '')}=${value}`,
    `${name.toUpperCase()}=${value}`,
  ]
  for (const cookie of cookies) {
    const reply = await at.visitor().ask('/settings/me', { headers: { cookie } })
    expect([cookie, refusalOf(reply)]).toEqual([cookie, '401 sign_in_required'])
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
})

test('no body of the settings takes a field that it is not for', async () => {
  const { client } = await make(`${own}/clients`, { name: 'c', kind: 'confidential', own_scopes: ['generate'] })
  const [grant] = (await ada.ask(`${own}/grants`)).json.data.grants
  const everybodys = wordsOf('id account_id user_id created_by hash secret reference_id __proto__')
  const bodies: readonly (readonly [method: string, path: string, body: object, more: string])[] = [
    ['PATCH', '/settings/me', { name: 'Ada' }, 'email role accounts password'],
    ['POST', '/settings/accounts', { name: 'x' }, 'role history_days'],
    ['PATCH', own, { name: 'x' }, 'role email'],
    ['POST', `${own}/keys`, { name: 'x', scopes: ['generate'] }, 'role key prefix'],
    ['PATCH', `${own}/keys/${key.id}`, { name: 'x' }, 'role key revoked_at'],
    ['POST', `${own}/keys/${key.id}/rotate`, {}, 'scopes name'],
    ['POST', `${own}/clients`, { name: 'x', kind: 'confidential', own_scopes: ['generate'] }, 'skip_consent quota'],
    ['PATCH', `${own}/clients/${client.client_id}`, { name: 'x' }, 'kind require_pkce quota'],
    ['PATCH', `${own}/grants/${grant.id}`, { quota: { burst: 5 } }, 'scopes expires_at role'],
    ['PATCH', `${team}/members/${ada.userId}`, { role: 'owner' }, 'email joined_at'],
    ['POST', `${team}/invitations`, { email: 'x@people.example', role: 'viewer' }, 'token link expires_at'],
    ['POST', '/settings/invitations/accept', { token: 'x' }, 'role email account'],
  ]
  for (const [method, path, body, more] of bodies) {
    for (const field of [...everybodys, ...wordsOf(more)]) {
      const reply = await ada.ask(path, { method, body: { ...body, [field]: 'x' } })
      expect([method, path, refusalOf(reply)]).toEqual([method, path, '400 invalid_request'])
      const error = { pointer: `/${field}`, code: 'unknown_field', message: expect.any(String) }
      expect(reply.json.error.errors).toEqual([error])
    }
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
})

test('no answer shows a hash, a password or a secret', async () => {
  const wish = { url: 'https://hooks.example.com/', events: ['quota.warning'] }
  const { webhook } = await make(`${own}/webhooks`, wish)
  const routes = rowsOf(sectionOf(readPage('docs/permissions.md'), '## What a role opens')).flatMap(([route = '']) => {
    const [method, path = ''] = route.split(' ')
    const address = path
      .replace('/settings/accounts/{account}', own)
      .replace('/webhooks/{id}', `/webhooks/${webhook.id}`)
      .replace('/keys/{id}', `/keys/${key.id}`)
    // What operators see is held in features/operation/operator.test.ts; for everybody else it is not there.
    return method === 'GET' && !path.startsWith('/settings/operator/') ? [address] : []
  })
  expect(routes.length).toBeGreaterThan(10)
  for (const path of [...routes, '/auth/get-session', '/auth/passkey/list-user-passkeys']) {
    const reply = await ada.ask(path)
    expect(reply.status, path).toBe(200)
    const secret = /hash|password|secret(?!_until$)|public_?key|token$/i
    expect([path, namesIn(reply.json).filter((name) => secret.test(name))]).toEqual([path, []])
    expect(reply.text).not.toMatch(/\$argon2|nw[arc]?_[0-9A-Za-z]{36}/)
  }
})

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(inner)])
}

test('a body that is too large is not read, whoever reads it', async () => {
  const body = { name: 'x'.repeat(70_000) }
  for (const path of [`${own}/keys`, '/auth/sign-in/email', '/auth/oauth2/register', '/mcp']) {
    const reply = await ada.ask(path, { body, headers: path === '/mcp' ? bearer(key.secret) : {} })
    expect([path, refusalOf(reply)]).toEqual([path, '413 body_too_large'])
  }
})

test('a body of the wrong kind, or with characters that nothing can keep, makes no endpoint of people fail', async () => {
  const odd = ['\0', 'a\0@people.example', '\ud800', { toString: 'x' }, ['x'], null, 1e308, '']
  const fields = wordsOf('email password newPassword token code id name credential response language')
  const bodies = odd.map((value) => Object.fromEntries(fields.map((field) => [field, value])))
  const endpoints = wordsOf(`sign-in/email sign-up/email reset-password change-password sign-in/social two-factor/enable
    two-factor/verify-totp two-factor/verify-backup-code passkey/delete-passkey passkey/update-passkey
    passkey/verify-registration passkey/verify-authentication oauth2/register`)
  const before = failures()
  for (const endpoint of endpoints) {
    let actor = ada
    for (const [n, body] of [...bodies, null, [], 'text', 7, true].entries()) {
      // Ten guesses at a password end the session that makes them.
      if (ATTEMPT_LIMITS[`POST /${endpoint}`]?.guess && n % 10 === 0) actor = await at.signUp('Odd')
      const headers = { 'x-forwarded-for': at.visitor().address }
      const { status } = await actor.ask(`/auth/${endpoint}`, { method: 'POST', body, headers })
      expect(status, `${endpoint} ${JSON.stringify(body)}`).toBeLessThan(500)
    }
  }
  for (const endpoint of ['token', 'revoke', 'introspect', 'authorize']) {
    const form = { grant_type: 'client_credentials', client_id: '\0', client_secret: '\0', token: '\0', scope: '\0' }
    expect((await at.visitor().ask(`/auth/oauth2/${endpoint}`, { form })).status, endpoint).toBeLessThan(500)
  }
  expect(failures()).toBe(before)
})

test('of what Better Auth can do, only what is listed here is there', async () => {
  const gets = wordsOf(`get-session callback/:provider passkey/generate-register-options
    passkey/generate-authenticate-options passkey/list-user-passkeys oauth2/authorize`)
  const posts = wordsOf(`sign-up/email sign-in/email sign-in/magic-link sign-in/social sign-out send-verification-email
    request-password-reset reset-password change-password two-factor/enable two-factor/disable two-factor/get-totp-uri
    two-factor/verify-totp two-factor/verify-backup-code two-factor/generate-backup-codes passkey/verify-registration
    passkey/verify-authentication passkey/delete-passkey passkey/update-passkey oauth2/authorize oauth2/token
    oauth2/revoke oauth2/introspect oauth2/register`)
  const open = [...gets.map((path) => `GET /${path}`), ...posts.map((path) => `POST /${path}`)]
  expect(Object.keys(ATTEMPT_LIMITS).toSorted()).toEqual(open.toSorted())
  for (const path of wordsOf('list-sessions magic-link/verify oauth2/get-clients callback/..%2flist-sessions')) {
    expect([path, refusalOf(await ada.ask(`/auth/${path}`))]).toEqual([path, '404 not_found'])
  }
  for (const path of wordsOf('delete-user update-user change-email admin/create-user')) {
    expect([path, refusalOf(await ada.ask(`/auth/${path}`, { body: {} }))]).toEqual([path, '404 not_found'])
  }
})

test.each(['/auth/sign-up/email', '/auth/send-verification-email'])(
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

test('every kind of answer has the headers that keep a browser in bounds, and none that says what we run', async () => {
  const token = await at.visitor().ask('/auth/oauth2/token', { form: { grant_type: 'x' } })
  const hers = [await call('/v1/usage'), await ada.ask('/settings/me'), await ada.ask('/auth/get-session'), token]
  const open = wordsOf('/v1/usage /v1/nothing /settings/me /confirm-email?token=x /sign-in /consent /docs')
  const more = wordsOf('/openapi.json /.well-known/oauth-authorization-server /healthz /nothing')
  const others = await Promise.all([...open, ...more].map((path) => at.visitor().ask(path)))
  for (const { headers, text } of [...hers, ...others]) {
    expect(headers.get('x-content-type-options'), text).toBe('nosniff')
    expect(headers.get('strict-transport-security'), text).toMatch(/^max-age=31536000/)
    expect(headers.get('content-security-policy'), text).toMatch(/frame-ancestors 'none'/)
    expect(headers.get('content-type'), text).toMatch(/charset=utf-8|version=/)
    for (const name of ['server', 'x-powered-by', 'via']) expect(headers.get(name)).toBeNull()
  }
  for (const { headers, text } of hers) expect(headers.get('cache-control'), text).toBe('no-store')
})

test('what fails inside is told to the log and to nobody else', async () => {
  const before = failures()
  await at.world.owner.query('ALTER TABLE people.session RENAME TO session_gone')
  const body = { email: 'a@people.example', password: PASSWORD }
  const replies = [
    await ada.ask('/settings/me'),
    await ada.ask('/consent'),
    await ada.ask('/auth/get-session'),
    await at.visitor().ask('/auth/sign-in/email', { body }),
  ]
  await at.world.owner.query('ALTER TABLE people.session_gone RENAME TO session')
  for (const { text } of replies) {
    expect(text).not.toMatch(/relation|session_gone|select .* from|\bat .*\.(?:ts|js)\b|node_modules|postgres|kysely/i)
  }
  for (const { status } of replies.slice(0, 2)) expect(status).toBeGreaterThanOrEqual(500)
  expect(failures()).toBeGreaterThan(before)
})
