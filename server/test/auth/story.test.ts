/**
 * One person's way through all of it, in a real browser over HTTPS: sign up, verify the address by the email, add a
 * passkey and sign in with it, turn on the second factor and sign in with that, make a key, and get names with it.
 *
 * Read from top to bottom: each step stands on the one before.
 */
import { randomInt } from 'node:crypto'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../browser.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'
import { codeOf } from '../totp.ts'

interface Reply {
  readonly status: number
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what the test is about
  readonly json: any
}

const EMAIL = `ada-${randomInt(1e9)}@people.example`

let at: PeopleWorld
let browser: Browser
let context: BrowserContext
let page: Page
let cdp: CDPSession
let userId = ''
let uri = ''
let recovery = ''
let secret = ''

beforeAll(async () => {
  ;[at, browser] = await Promise.all([startApp({ people: true }), shareBrowser()])
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
  // Our pages allow no scripts to ask anything; the test is the script here.
  context = await browser.newContext({ bypassCSP: true, extraHTTPHeaders: { 'x-forwarded-for': address } })
  page = await context.newPage()
  cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await page.goto(`${at.url}/sign-in`)
})
afterAll(async () => {
  await closeContexts(browser)
  await at[Symbol.asyncDispose]()
})

/** As a page of ours would ask: the browser adds origin and cookies. */
async function ask(path: string, body?: unknown, method?: string): Promise<Reply> {
  const asking = { path, sent: body === undefined ? undefined : JSON.stringify(body), method }
  const { status, text } = await page.evaluate(async ({ path: where, sent, method: how }) => {
    const response = await fetch(where, {
      method: how ?? (sent === undefined ? 'GET' : 'POST'),
      ...(sent === undefined ? {} : { body: sent, headers: { 'content-type': 'application/json' } }),
    })
    return { status: response.status, text: await response.text() }
  }, asking)
  at.leaks.record(`${asking.sent ?? ''}\n${text}`)
  return { status, text, json: /^[[{n]/.test(text) ? JSON.parse(text) : undefined }
}

async function addAuthenticator(knowsItsOwner: boolean): Promise<string> {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: knowsItsOwner,
      isUserVerified: knowsItsOwner,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

/** What `navigator.credentials` makes of the server's options; `changed`: of others than it said. */
async function credentialFor(way: 'create' | 'get', options: object, changed: object = {}): Promise<unknown> {
  const parse = way === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  const json = JSON.stringify({ ...options, ...changed })
  // As text: the browser's own names are not those of the program that runs the test.
  return page.evaluate(
    `navigator.credentials.${way}({ publicKey: PublicKeyCredential.${parse}(${json}) }).then((made) => made.toJSON())`,
  )
}

async function signOut(): Promise<void> {
  expect((await ask('/auth/sign-out', {})).json).toEqual({ success: true })
  expect((await ask('/auth/get-session')).json).toBeNull()
}

async function eventsOf(): Promise<string[]> {
  const text = 'SELECT action FROM security_event WHERE account_id = $1 ORDER BY id'
  const { rows } = await at.world.owner.query<{ action: string }>(text, [userId])
  return rows.map(({ action }) => action)
}

const listed = async () => (await eventsOf()).filter((action) => action !== 'sign_in_failed')

describe('from nobody to names', () => {
  test('signs up, and cannot get in before the address is verified', async () => {
    expect((await ask('/auth/sign-up/email', { email: EMAIL, name: 'Ada', password: PASSWORD })).status).toBe(200)
    await at.smtp.waitFor(EMAIL)
    const early = await ask('/auth/sign-in/email', { email: EMAIL, password: PASSWORD })
    expect(`${early.status} ${early.json.code}`).toBe('403 EMAIL_NOT_VERIFIED')
  })

  test('verifies the address by the letter and signs in', async () => {
    // The early sign-in has sent a second link, and only the latest is good.
    const message = await at.smtp.waitFor(EMAIL, 2)
    await page.goto(message.link)
    await page.click('button.main')
    await page.waitForURL((url) => url.pathname !== '/confirm-email')
    await page.goto(`${at.url}/sign-in`)
    const { json } = await ask('/auth/get-session')
    expect(json.user).toMatchObject({ email: EMAIL, emailVerified: true })
    userId = json.user.id
    const cookies = await context.cookies()
    for (const { name, httpOnly, secure, sameSite, path } of cookies) {
      expect({ httpOnly, secure, sameSite, path }, name).toEqual({
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
        path: '/',
      })
    }
  })

  test('is not given a passkey by a device that does not know who holds it', async () => {
    const id = await addAuthenticator(false)
    const options = await ask('/auth/passkey/generate-register-options')
    expect(options.json.authenticatorSelection).toMatchObject({ userVerification: 'required', residentKey: 'required' })
    const lax = { authenticatorSelection: { userVerification: 'discouraged' } }
    const response = await credentialFor('create', options.json, lax)
    const refused = await ask('/auth/passkey/verify-registration', { response, name: 'a stick' })
    expect(`${refused.status} ${refused.json.code}`).toBe('400 USER_NOT_VERIFIED')
    expect((await ask('/auth/passkey/list-user-passkeys')).json).toEqual([])
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id })
  })

  test('adds a passkey and is told so by mail', async () => {
    await addAuthenticator(true)
    const { json } = await ask('/auth/passkey/generate-register-options')
    const response = await credentialFor('create', json)
    const added = await ask('/auth/passkey/verify-registration', { response, name: 'laptop' })
    expect(added.status, added.text).toBe(200)
    const again = await ask('/auth/passkey/verify-registration', { response, name: 'laptop' })
    expect(again.status, 'the same answer for the second time').toBe(400)
    const { json: all } = await ask('/auth/passkey/list-user-passkeys')
    expect(all).toMatchObject([{ name: 'laptop', userId }])
    await at.smtp.waitFor(EMAIL, 3)
  })

  test('signs out and in with the passkey alone', async () => {
    await signOut()
    const { json } = await ask('/auth/passkey/generate-authenticate-options')
    expect(json.allowCredentials ?? [], 'says nothing about anybody').toEqual([])
    const response = await credentialFor('get', json)
    const signedIn = await ask('/auth/passkey/verify-authentication', { response })
    expect(signedIn.status, signedIn.text).toBe(200)
    expect((await ask('/auth/get-session')).json.user.id).toBe(userId)
    const replayed = await ask('/auth/passkey/verify-authentication', { response })
    expect(replayed.status, 'the same answer for the second time').toBe(400)
  })

  test('is offered a second passkey beside the first, and not the first again', async () => {
    const { json } = await ask('/auth/passkey/generate-register-options')
    expect(json.excludeCredentials).toHaveLength(1)
  })

  test('confirms with the passkey that it is her, in the same session', async () => {
    const key = { name: 'by passkey', scopes: ['generate'] }
    const age = `UPDATE people.session SET created_at = now() - interval '1 hour' WHERE user_id = $1 RETURNING id`
    const { rows: before } = await at.world.owner.query(age, [userId])
    expect((await ask(`/settings/accounts/${userId}/keys`, key)).json.error.code).toBe('recent_sign_in_required')
    // An entry is written after the answer; the last of these is the sign-in with the passkey.
    await expect.poll(listed).toHaveLength(6)
    const events = await eventsOf()
    const { json } = await ask('/auth/passkey/generate-authenticate-options')
    const passkey = await credentialFor('get', json)
    const proved = await ask('/settings/me/step-up', { passkey })
    expect(proved.status, proved.text).toBe(200)
    expect((await ask(`/settings/accounts/${userId}/keys`, key)).status).toBe(201)
    expect(await eventsOf(), 'no sign-in').toEqual([...events, 'key_created'])
    const { rows } = await at.world.owner.query('SELECT id FROM people.session WHERE user_id = $1', [userId])
    expect(rows).toEqual(before)
    expect((await ask('/settings/me/step-up', { passkey })).status, 'the same answer for the second time').toBe(403)
  })

  test('and nobody else can use her passkey to confirm who they are', async () => {
    const eve = await at.signUp('Eve')
    const options = await eve.ask('/auth/passkey/generate-authenticate-options')
    const passkey = await credentialFor('get', { ...options.json, allowCredentials: [] })
    const reply = await eve.ask('/settings/me/step-up', { body: { passkey } })
    expect([reply.status, reply.json.error.code]).toEqual([403, 'recent_sign_in_required'])
    expect((await eve.ask('/settings/me')).json.data.person.id).toBe(eve.userId)
  })

  test('turns the second factor on', async () => {
    const { json } = await ask('/auth/two-factor/enable', { password: PASSWORD })
    uri = json.totpURI
    recovery = json.backupCodes[0]
    const verified = await ask('/auth/two-factor/verify-totp', { code: codeOf(uri) })
    expect(verified.status, verified.text).toBe(200)
    expect((await ask('/auth/get-session')).json.user.twoFactorEnabled).toBe(true)
  })

  test('signs out, and in with password and code', async () => {
    await signOut()
    const half = await ask('/auth/sign-in/email', { email: EMAIL, password: PASSWORD })
    expect(half.json).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    expect((await ask('/auth/get-session')).json).toBeNull()
    // The one that turned it on is used up; clocks may be one step apart.
    const whole = await ask('/auth/two-factor/verify-totp', { code: codeOf(uri, 1) })
    expect(whole.status, whole.text).toBe(200)
    expect((await ask('/auth/get-session')).json.user.id).toBe(userId)
  })

  test('makes a key', async () => {
    const made = await ask(`/settings/accounts/${userId}/keys`, { name: 'my site', scopes: ['generate'] })
    expect(made.status, made.text).toBe(201)
    secret = made.json.data.key.secret
    expect(secret).toMatch(/^nw_/)
  })

  test('and gets names with it', async () => {
    const headers = { authorization: `Bearer ${secret}` }
    const body = { description: 'a bakery in Lisbon that delivers sourdough by bicycle', count: 3, deadline_ms: 30_000 }
    const reply = await at.visitor().ask('/v1/generate', { headers, body })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json.data.suggestions).toHaveLength(3)
  })

  test('sees where else somebody is signed in as her, and ends it', async () => {
    const other = at.visitor()
    await other.ask('/auth/sign-in/email', { body: { email: EMAIL, password: PASSWORD } })
    expect((await other.ask('/auth/two-factor/verify-backup-code', { body: { code: recovery } })).status).toBe(200)
    const { json } = await ask('/settings/me/sessions')
    const sessions = json.data.sessions as { address: string; current: boolean; browser: string }[]
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ current }) => !current)?.address).toBe(other.address)
    expect(sessions.find(({ current }) => current)?.browser).toContain('Chrome')
    expect((await ask('/settings/me/sessions', undefined, 'DELETE')).status).toBe(200)
    expect((await other.ask('/auth/get-session')).json).toBeNull()
    expect((await other.ask('/settings/me')).status).toBe(401)
    expect((await ask('/auth/get-session')).json.user.id).toBe(userId)
    expect((await ask('/settings/me/sessions')).json.data.sessions).toHaveLength(1)
  })

  test('and all of it stands in her log, in this order', async () => {
    const story = [
      'signed_up',
      'email_verified',
      'signed_in',
      'passkey_added',
      'signed_out',
      'signed_in',
      'key_created',
      'two_factor_on',
      'signed_out',
      'signed_in',
      'key_created',
      'signed_in',
      'session_ended',
    ]
    await expect.poll(listed).toEqual(story)
  })
})
