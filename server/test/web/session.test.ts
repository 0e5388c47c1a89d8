/** What the web app learns first, and what its pages are let in with: whose it is, how far it goes, when it ends. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { kindOf, type Role } from '../source.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'
import { makeUpApp } from './made-up-app.ts'
import type { MadeUpApp } from './made-up-app.ts'

// Two nodes are started and many people sign up, whose passwords are slow to hash by design.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

let made: MadeUpApp
let at: PeopleWorld
let other: string
let ada: SignedIn
beforeAll(async () => {
  made = await makeUpApp()
  at = await startApp({
    people: true,
    own: true,
    settings: {
      NAMEWRIGHT_WEB_DIR: made.folder,
      NAMEWRIGHT_REGISTER_URL: 'https://registrar.example/?q={domain}',
    },
  })
  other = (await at.startNode()).url
  ada = await at.signUp('Ada')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})

const WRITING = ['generate', 'domains:check', 'history:write', 'favorites:write', 'batches:write']
const READING = ['history:read', 'favorites:read', 'batches:read', 'usage:read']

const passOf = (visitor: Visitor, account: string) =>
  visitor.ask(`/settings/accounts/${account}/pass`, { method: 'POST' })

async function tokenOf(visitor: Visitor, account: string): Promise<string> {
  const reply = await passOf(visitor, account)
  expect(reply.status, reply.text).toBe(201)
  return reply.json.data.token
}

const use = (token: string, path = '/v1/favorites', node = at.url) =>
  at.visitor().ask(`${node}${path}`, { headers: { authorization: `Bearer ${token}` } })

/** Until no node takes it any more. How soon that is, is tested in server/test/api/key-changes.test.ts. */
async function expectEnd(token: string): Promise<void> {
  for (const node of [at.url, other]) {
    const isOver = async () => (await use(token, '/v1/favorites', node)).json?.error?.code === 'invalid_token'
    expect(await vi.waitUntil(isOver, { timeout: 30_000 })).toBe(true)
  }
}

async function makeTeam(members: Readonly<Record<string, Role>>): Promise<string> {
  const account = await at.world.makeAccount({ name: 'team', language: 'de', currency: 'EUR' })
  for (const [userId, role] of Object.entries(members))
    await at.world.owner.query('INSERT INTO member VALUES ($1, $2, $3, now())', [account, userId, role])
  return account
}

describe('GET /web/session', () => {
  test('tells nobody in particular what the service offers', async () => {
    const reply = await at.visitor().ask('/web/session')
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect(reply.json).toEqual({
      status: 'success',
      data: {
        person: null,
        accounts: [],
        visitor: { key: expect.stringMatching(/^nwp_/) },
        sign_up: true,
        providers: [],
        mail: true,
        sandbox: false,
        register_url: 'https://registrar.example/?q={domain}',
        register_affiliate: false,
        registrars: expect.arrayContaining([
          { id: 'porkbun', name: 'Porkbun', search: 'https://porkbun.com/checkout/search?q={domain}' },
        ]),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      },
    })
  })

  test('tells somebody who they are and where they belong', async () => {
    const somebody = await at.signUp('Grace')
    const team = await makeTeam({ [somebody.userId]: 'viewer' })
    const { person, accounts } = (await somebody.ask('/web/session')).json.data
    expect(person).toEqual({
      id: somebody.userId,
      email: somebody.email,
      name: 'Grace',
      language: null,
      two_factor: false,
      is_operator: false,
    })
    expect(accounts).toHaveLength(2)
    expect(accounts).toContainEqual({
      id: somebody.userId,
      name: 'Grace',
      role: 'owner',
      own: true,
      language: null,
      currency: null,
      suspended: null,
    })
    expect(accounts).toContainEqual({
      id: team,
      name: 'team',
      role: 'viewer',
      own: false,
      language: 'de',
      currency: 'EUR',
      suspended: null,
    })
  })

  test('takes a cookie that is none for nobody', async () => {
    const reply = await at.visitor().ask('/web/session', { headers: { cookie: '__Host-namewright.session_token=x.y' } })
    expect([reply.status, reply.json.data.person]).toEqual([200, null])
  })

  test('tells the operator that they are', async () => {
    const somebody = await at.signUp('Operator')
    await at.world.owner.query('DELETE FROM operator_account')
    await at.world.owner.query('INSERT INTO operator_account (id) VALUES ($1)', [somebody.userId])
    expect((await somebody.ask('/web/session')).json.data.person.is_operator).toBe(true)
    expect((await ada.ask('/web/session')).json.data.person.is_operator).toBe(false)
  })
})

describe('a pass', () => {
  test('opens the API for an hour, as an application that everybody in the account can see', async () => {
    const before = Date.now()
    const reply = await passOf(ada, ada.userId)
    const { token, expires_at, scopes } = reply.json.data
    expect([reply.status, reply.headers.get('cache-control'), kindOf(token)]).toEqual([201, 'no-store', 'nwa'])
    expect(new Date(expires_at).getTime() - before).toBeGreaterThan(3_590_000)
    expect(new Date(expires_at).getTime() - before).toBeLessThan(3_700_000)
    expect(scopes.toSorted()).toEqual([...WRITING, ...READING].toSorted())
    expect((await use(token)).status).toBe(200)
    expect((await use(token, '/v1/webhooks')).json.error.code).toBe('insufficient_scope')
    const { grants } = (await ada.ask(`/settings/accounts/${ada.userId}/grants`)).json.data
    expect(grants).toHaveLength(1)
    expect(grants[0]).toMatchObject({
      client_id: 'namewright-web',
      name: 'Namewright web app',
      own: false,
      created_by: null,
      quota: { per_minute: 120, burst: 60, per_day: 5000, per_month: null },
    })
  })

  test('is for /v1 alone', async () => {
    const token = await tokenOf(ada, ada.userId)
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const reply = await at.visitor().ask('/mcp', { body, headers: { authorization: `Bearer ${token}` } })
    expect([reply.status, reply.json.error.code]).toEqual([401, 'invalid_token'])
  })

  test('goes as far as the role of its person, and no further when that shrinks', async () => {
    const [viewer, member] = [await at.signUp('Viewer'), await at.signUp('Member')]
    const team = await makeTeam({ [viewer.userId]: 'viewer', [member.userId]: 'member', [ada.userId]: 'owner' })
    const viewing = (await passOf(viewer, team)).json.data
    expect(viewing.scopes.toSorted()).toEqual(READING.toSorted())
    const working = (await passOf(member, team)).json.data
    expect(working.scopes.toSorted()).toEqual([...WRITING, ...READING].toSorted())
    const save = (token: string) =>
      at.visitor().ask('/v1/favorites', {
        body: { domain: `saved-${Math.random().toString(36).slice(2)}.com` },
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await save(viewing.token)).json.error.code).toBe('insufficient_scope')
    expect((await save(working.token)).status).toBe(201)
    const change = { method: 'PATCH', body: { role: 'viewer' } }
    expect((await ada.ask(`/settings/accounts/${team}/members/${member.userId}`, change)).status).toBe(200)
    const isRefused = async () => (await save(working.token)).json.error?.code === 'insufficient_scope'
    expect(await vi.waitUntil(isRefused, { timeout: 30_000 })).toBe(true)
  })

  test('is for members alone, from our own pages alone', async () => {
    const team = await makeTeam({})
    expect((await passOf(ada, team)).status).toBe(404)
    expect((await passOf(at.visitor(), ada.userId)).status).toBe(401)
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } }
    expect((await ada.ask(`/settings/accounts/${ada.userId}/pass`, foreign)).json.error.code).toBe('cross_site')
  })

  test('keeps the limits that an admin has set', async () => {
    const boss = await at.signUp('Boss')
    await tokenOf(boss, boss.userId)
    const grants = `/settings/accounts/${boss.userId}/grants`
    const [{ id }] = (await boss.ask(grants)).json.data.grants
    const quota = { per_minute: 5, burst: 2 }
    expect((await boss.ask(`${grants}/${id}`, { method: 'PATCH', body: { quota } })).status).toBe(200)
    await tokenOf(boss, boss.userId)
    expect((await boss.ask(grants)).json.data.grants[0].quota).toMatchObject(quota)
  })

  test('ends with all others of the account when the application is ended; the next page lets it in again', async () => {
    const boss = await at.signUp('Boss')
    const token = await tokenOf(boss, boss.userId)
    expect((await use(token, '/v1/favorites', other)).status).toBe(200)
    const grants = `/settings/accounts/${boss.userId}/grants`
    const [{ id }] = (await boss.ask(grants)).json.data.grants
    expect((await boss.ask(`${grants}/${id}`, { method: 'DELETE' })).status).toBe(200)
    await expectEnd(token)
    expect((await use(await tokenOf(boss, boss.userId))).status).toBe(200)
    const { rows } = await at.world.owner.query<{ actions: string }>(
      `SELECT string_agg(action, ' ' ORDER BY id) AS actions FROM security_event
       WHERE account_id = $1 AND action LIKE 'grant%'`,
      [boss.userId],
    )
    expect(rows[0]?.actions).toBe('grant_given grant_ended grant_given')
  })
})

describe('a pass ends with its session, on every node:', () => {
  test('when its person signs out, and only that session', async () => {
    const somebody = await at.signUp('Leaver')
    const elsewhere = await at.signIn(somebody.email, PASSWORD)
    const [here, there] = [await tokenOf(somebody, somebody.userId), await tokenOf(elsewhere, somebody.userId)]
    for (const token of [here, there]) expect((await use(token, '/v1/favorites', other)).status).toBe(200)
    expect((await somebody.ask('/auth/sign-out', { body: {} })).status).toBe(200)
    await expectEnd(here)
    expect((await use(there, '/v1/favorites', other)).status).toBe(200)
  })

  test('when another device ends it', async () => {
    const somebody = await at.signUp('Loser')
    const lost = await at.signIn(somebody.email, PASSWORD)
    const token = await tokenOf(lost, somebody.userId)
    expect((await use(token, '/v1/favorites', other)).status).toBe(200)
    expect((await somebody.ask('/settings/me/sessions', { method: 'DELETE' })).status).toBe(200)
    await expectEnd(token)
  })

  test('when the password is reset', async () => {
    const somebody = await at.signUp('Forgetful')
    const token = await tokenOf(somebody, somebody.userId)
    expect((await use(token, '/v1/favorites', other)).status).toBe(200)
    const before = at.smtp.emails.length
    await at.visitor().ask('/auth/request-password-reset', { body: { email: somebody.email } })
    const message = await vi.waitUntil(
      () => at.smtp.emails.slice(before).find(({ text }) => text.includes('/reset-password?token=')),
      { timeout: 20_000 },
    )
    const reset = new URL(/https:\/\/\S+reset-password\?token=[\w-]+/.exec(message.text)?.[0] ?? '')
    const body = { token: reset.searchParams.get('token'), newPassword: 'quill-Anvil-58-fern' }
    expect((await at.visitor().ask('/auth/reset-password', { body })).status).toBe(200)
    await expectEnd(token)
  })

  test('and never outlives it', async () => {
    const somebody = await at.signUp('Late')
    await at.world.owner.query(
      `UPDATE people.session SET expires_at = now() + interval '10 minutes' WHERE user_id = $1`,
      [somebody.userId],
    )
    const { expires_at } = (await passOf(somebody, somebody.userId)).json.data
    expect(new Date(expires_at).getTime()).toBeLessThan(Date.now() + 601_000)
  })
})

describe('nobody else gets a token as the web app:', () => {
  test('the authorization server refuses to ask anybody for it', async () => {
    for (const redirect of ['', 'https://evil.example/cb', 'http://127.0.0.1:1/cb', at.url]) {
      const query = new URLSearchParams({
        client_id: 'namewright-web',
        response_type: 'code',
        ...(redirect === '' ? {} : { redirect_uri: redirect }),
        scope: 'generate',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      })
      const reply = await ada.ask(`/auth/oauth2/authorize?${query.toString()}`)
      const location = new URL(reply.headers.get('location') ?? reply.json?.url ?? '', at.url)
      expect([location.origin, location.searchParams.has('code')]).toEqual([at.url, false])
      expect((await ada.ask(`/consent?${query.toString()}`)).status).toBe(410)
    }
  })

  test.each(['client_credentials', 'authorization_code', 'refresh_token'])('%s is refused', async (grant_type) => {
    const form = { grant_type, client_id: 'namewright-web', code: 'x', refresh_token: 'x', scope: 'generate' }
    const reply = await at.visitor().ask('/auth/oauth2/token', { form })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.text).not.toContain('nwa_')
  })
})

describe('the page to sign in at', () => {
  test('leads who came for nothing else to the app, and newcomers to theirs', async () => {
    const somebody = at.visitor()
    expect((await somebody.ask('/sign-in')).text).toContain('<a href="/welcome?new">New here? Create an account.</a>')
    const done = await somebody.ask('/sign-in', { form: { email: ada.email, password: PASSWORD } })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/'])
  })
})
