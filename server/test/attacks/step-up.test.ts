/** A stolen session: what it cannot do without a new proof of who the person is, and how often it may guess. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { codeOf } from '../totp.ts'

const WRONG = 'vex-Plum-71-otter'
const NEW_PASSWORD = 'quay-Lemur-58-fjord'
const REFUSED = '403 recent_sign_in_required'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

const refusal = ({ status, json }: Reply) => `${status} ${json?.error?.code ?? json?.code ?? ''}`.trim()
const stepUp = (visitor: Visitor, body: object) => visitor.ask('/settings/me/step-up', { body })
const makeKey = (person: SignedIn) =>
  person.ask(`/settings/accounts/${person.userId}/keys`, { body: { name: 'Stolen', scopes: ['generate'] } })

/** As if the person had signed in an hour ago. */
async function age({ userId }: SignedIn): Promise<void> {
  await at.world.owner.query(
    `UPDATE people.session SET created_at = now() - interval '1 hour', proved_at = NULL WHERE user_id = $1`,
    [userId],
  )
}

async function signUpLongAgo(): Promise<SignedIn> {
  const person = await at.signUp('Ida')
  await age(person)
  return person
}

/** With a second factor; `code` is the next one that has not been used. */
async function signUpWithCodes(): Promise<{ person: SignedIn; uri: string; recovery: readonly string[] }> {
  const person = await at.signUp('Ida')
  const { json } = await person.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
  const { status } = await person.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(json.totpURI) } })
  expect(status).toBe(200)
  await age(person)
  return { person, uri: json.totpURI, recovery: json.backupCodes }
}

describe('an old session', () => {
  let person: SignedIn
  let account: string
  let key: string
  let client: string
  let webhook: string
  beforeAll(async () => {
    person = await at.signUp('Ida')
    const team = await person.ask('/settings/accounts', { body: { name: 'Team' } })
    account = `/settings/accounts/${team.json.data.account.id}`
    const made = { name: 'Mine', scopes: ['generate'] }
    key = (await person.ask(`${account}/keys`, { body: made })).json.data.key.id
    const app = { name: 'robot', kind: 'confidential', own_scopes: ['generate'] }
    client = (await person.ask(`${account}/clients`, { body: app })).json.data.client.client_id
    const hook = { url: 'https://hooks.example/in', events: ['batch.completed'] }
    webhook = (await person.ask(`${account}/webhooks`, { body: hook })).json.data.webhook.id
    await age(person)
  })

  test.each<[what: string, method: string, path: () => string, body?: object]>([
    ['create a key', 'POST', () => `${account}/keys`, { name: 'x', scopes: ['generate'] }],
    ['reveal a new secret of a key', 'POST', () => `${account}/keys/${key}/rotate`, {}],
    ['create an application', 'POST', () => `${account}/clients`, { name: 'x', kind: 'confidential', own_scopes: [] }],
    ['change an application', 'PATCH', () => `${account}/clients/${client}`, { redirect_uris: ['https://x.example/'] }],
    ['reveal a new secret of an application', 'POST', () => `${account}/clients/${client}/rotate`],
    ['create a webhook', 'POST', () => `${account}/webhooks`, { url: 'https://x.example/', events: ['quota.warning'] }],
    ['point a webhook elsewhere', 'PATCH', () => `${account}/webhooks/${webhook}`, { url: 'https://x.example/' }],
    ['reveal a new secret of a webhook', 'POST', () => `${account}/webhooks/${webhook}/rotate-secret`, {}],
    ['invite an admin', 'POST', () => `${account}/invitations`, { email: 'eve@people.example', role: 'admin' }],
    ['make an admin', 'PATCH', () => `${account}/members/${person.userId}`, { role: 'admin' }],
    ['turn the second factor off', 'POST', () => '/auth/two-factor/disable', { password: PASSWORD }],
    ['make recovery codes', 'POST', () => '/auth/two-factor/generate-backup-codes', { password: PASSWORD }],
    ['reveal the secret of the second factor', 'POST', () => '/auth/two-factor/get-totp-uri', { password: PASSWORD }],
    ['begin to add a passkey', 'GET', () => '/auth/passkey/generate-register-options'],
    ['add a passkey', 'POST', () => '/auth/passkey/verify-registration', { response: {} }],
    ['delete the account', 'DELETE', () => account],
    ['export everything', 'GET', () => '/settings/me/export'],
  ])('cannot %s', async (_what, method, path, body) => {
    expect(refusal(await person.ask(path(), { method, ...(body === undefined ? {} : { body }) }))).toBe(REFUSED)
  })

  test('may still look, invite a viewer, rename a webhook and revoke a key', async () => {
    expect((await person.ask(`${account}/keys`)).status).toBe(200)
    const invited = { email: 'vi@people.example', role: 'viewer' }
    expect((await person.ask(`${account}/invitations`, { body: invited })).status).toBe(201)
    const named = { method: 'PATCH', body: { description: 'Mine' } }
    expect((await person.ask(`${account}/webhooks/${webhook}`, named)).status).toBe(200)
    expect((await person.ask(`${account}/keys/${key}`, { method: 'DELETE' })).status).toBe(200)
  })
})

describe('a step-up', () => {
  test('by password lets the same session go on, for 15 minutes', async () => {
    const person = await signUpLongAgo()
    expect(refusal(await makeKey(person))).toBe(REFUSED)
    expect((await person.ask('/settings/me/step-up')).json.data.methods).toEqual(['password'])
    const cookies = new Map(person.cookies)
    const proved = await stepUp(person, { password: PASSWORD })
    expect(proved.status).toBe(200)
    const minutes = (Date.parse(proved.json.data.proved_until) - Date.now()) / 60_000
    expect(Math.round(minutes)).toBe(15)
    expect((await makeKey(person)).status).toBe(201)
    expect(person.cookies).toEqual(cookies)
    await at.world.owner.query(
      `UPDATE people.session SET proved_at = proved_at - interval '16 minutes' WHERE user_id = $1`,
      [person.userId],
    )
    expect(refusal(await makeKey(person))).toBe(REFUSED)
  })

  test('by a code of the app or a recovery code, each of which works once', async () => {
    const { person, uri, recovery } = await signUpWithCodes()
    expect((await person.ask('/settings/me/step-up')).json.data.methods).toEqual(['password', 'code'])
    const next = codeOf(uri, 1)
    expect((await stepUp(person, { code: next })).status).toBe(200)
    expect((await makeKey(person)).status).toBe(201)
    await age(person)
    expect(refusal(await stepUp(person, { code: next }))).toBe(REFUSED)
    expect((await stepUp(person, { code: recovery[0] })).status).toBe(200)
    await age(person)
    expect(refusal(await stepUp(person, { code: recovery[0] }))).toBe(REFUSED)
    expect(refusal(await makeKey(person))).toBe(REFUSED)
  })

  test('by a code is refused where no second factor is on, and turns none on', async () => {
    const person = await at.signUp('Ida')
    const { json } = await person.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
    await age(person)
    expect(refusal(await stepUp(person, { code: codeOf(json.totpURI) }))).toBe(REFUSED)
    expect((await person.ask('/settings/me')).json.data.person.two_factor).toBe(false)
  })

  test('is for one session: another of the same person stays as it was', async () => {
    const person = await at.signUp('Ida')
    const other = { ...person, ...(await at.signIn(person.email, PASSWORD)) }
    await age(person)
    expect((await stepUp(other, { password: PASSWORD })).status).toBe(200)
    expect([(await makeKey(other)).status, refusal(await makeKey(person))]).toEqual([201, REFUSED])
  })

  test('takes one proof, from our own pages, of somebody who is signed in', async () => {
    const person = await signUpLongAgo()
    const odd = [{}, { password: PASSWORD, code: '123456' }, { password: 7 }, { passkey: 'x' }, { else: 'x' }]
    for (const body of odd) expect(refusal(await stepUp(person, body))).toBe('400 invalid_request')
    expect(refusal(await stepUp(person, { passkey: { id: 'x', response: {} } }))).toBe(REFUSED)
    const headers = { origin: 'https://evil.example' }
    const foreign = await person.ask('/settings/me/step-up', { body: { password: PASSWORD }, headers })
    expect(refusal(foreign)).toBe('403 cross_site')
    expect(refusal(await stepUp(at.visitor(), { password: PASSWORD }))).toBe('401 sign_in_required')
    expect(refusal(await makeKey(person))).toBe(REFUSED)
  })
})

describe('guesses with a stolen session', () => {
  test.each<[string, (visitor: Visitor, password: string) => Promise<Reply>]>([
    ['/settings/me/step-up', (visitor, password) => stepUp(visitor, { password })],
    [
      '/auth/change-password',
      (visitor, currentPassword) =>
        visitor.ask('/auth/change-password', { body: { currentPassword, newPassword: NEW_PASSWORD } }),
    ],
    ['/auth/two-factor/enable', (visitor, password) => visitor.ask('/auth/two-factor/enable', { body: { password } })],
    [
      '/auth/two-factor/disable',
      (visitor, password) => visitor.ask('/auth/two-factor/disable', { body: { password } }),
    ],
  ])('at %s are ten, from however many addresses, and then the session ends', async (_path, guess) => {
    const person = await at.signUp('Ida')
    const statuses: string[] = []
    for (let n = 0; n < 12; n++) {
      statuses.push(refusal(await guess(withCookiesOf(person), WRONG)))
    }
    expect(statuses.slice(0, 10)).not.toContain('429 rate_limited')
    expect(statuses.slice(10)).toEqual(['429 rate_limited', '401 sign_in_required'])
    expect((await person.ask('/settings/me')).status).toBe(401)
    const again = await at.signIn(person.email, PASSWORD)
    expect((await again.ask('/settings/me')).status, 'the owner signs in as before').toBe(200)
  })

  test('are counted together, wherever they are made', async () => {
    const person = await at.signUp('Ida')
    for (let n = 0; n < 5; n++) {
      await stepUp(withCookiesOf(person), { password: WRONG })
      const body = { currentPassword: WRONG, newPassword: NEW_PASSWORD }
      await withCookiesOf(person).ask('/auth/change-password', { body })
    }
    expect(refusal(await stepUp(withCookiesOf(person), { password: PASSWORD }))).toBe('429 rate_limited')
  })

  test('stand in the security log of the person', async () => {
    const person = await at.signUp('Ida')
    await stepUp(person, { password: WRONG })
    const text = 'SELECT action FROM security_event WHERE account_id = $1 ORDER BY id DESC LIMIT 1'
    const { rows } = await at.world.owner.query<{ action: string }>(text, [person.userId])
    expect(rows).toEqual([{ action: 'sign_in_failed' }])
  })
})

/** The same session at another address. */
function withCookiesOf(person: Visitor): Visitor {
  const visitor = at.visitor()
  for (const [name, value] of person.cookies) visitor.cookies.set(name, value)
  return visitor
}
