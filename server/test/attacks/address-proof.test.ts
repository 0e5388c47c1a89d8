/** Attacks on the proof of an address: signing up with somebody else's, waiting for its owner, staying in after a reset. */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, Visitor } from '../people-world.ts'

const ATTACKERS = 'vex-Plum-71-otter'
const NEW_PASSWORD = 'quay-Lemur-58-fjord'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

const somebodysAddress = () => `victim-${randomInt(1e12)}@people.example`
const signUp = (email: string, password: string) =>
  at.visitor().ask('/auth/sign-up/email', { body: { email, name: 'Somebody', password } })
const signIn = async (email: string, password: string) =>
  (await at.visitor().ask('/auth/sign-in/email', { body: { email, password } })).status
const linkOf = async (email: string, n: number) => (await at.smtp.waitFor(email, n)).link
const pathOf = (link: string) => `${new URL(link).pathname}${new URL(link).search}`
const requestReset = async (email: string, n: number) => {
  await at.visitor().ask('/auth/request-password-reset', { body: { email } })
  return new URL(await linkOf(email, n)).searchParams.get('token') ?? ''
}
const reset = (token: string, newPassword = NEW_PASSWORD) =>
  at.visitor().ask('/auth/reset-password', { body: { token, newPassword } })
const refusal = ({ status, json }: Reply) => `${status} ${json?.code ?? json?.error?.code}`

async function isConfirmed(email: string): Promise<boolean | undefined> {
  const text = 'SELECT email_verified FROM people."user" WHERE email = $1'
  return (await at.world.owner.query<{ email_verified: boolean }>(text, [email])).rows[0]?.email_verified
}

async function plantPasskey(userId: string): Promise<void> {
  await at.world.owner.query(
    `INSERT INTO people.passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
     VALUES ($1, 'Planted', 'key', $2, $1, 0, 'singleDevice', false, now())`,
    [randomUUID(), userId],
  )
}

async function idOf(email: string): Promise<string> {
  const text = 'SELECT id FROM people."user" WHERE email = $1'
  return (await at.world.owner.query<{ id: string }>(text, [email])).rows[0]?.id ?? ''
}

async function countOf(table: string, userId: string): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM people.${table} WHERE user_id = $1`
  return (await at.world.owner.query<{ n: number }>(text, [userId])).rows[0]?.n ?? -1
}

describe('a confirmation link', () => {
  test('that is only opened, as mail scanners do, confirms nothing', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    const link = await linkOf(email, 1)
    for (const method of ['GET', 'HEAD', 'GET']) await at.visitor().ask(pathOf(link), { method })
    expect(await isConfirmed(email)).toBe(false)
    expect(await signIn(email, ATTACKERS)).toBe(403)
  })

  test('confirms nothing without the password of the sign-up, and says so', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    const link = await linkOf(email, 1)
    for (const password of ['', PASSWORD, ATTACKERS.toUpperCase()]) {
      expect((await at.confirm(link, password)).status).toBe(400)
    }
    expect(await isConfirmed(email)).toBe(false)
    expect((await at.confirm(link, ATTACKERS)).status).toBe(303)
    expect(await isConfirmed(email)).toBe(true)
  })

  test('is guessed at ten times at most, from however many addresses', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    const link = await linkOf(email, 1)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await at.confirm(link, PASSWORD)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
    expect((await at.confirm(link, ATTACKERS)).status, 'the right one does not pass either').toBe(429)
  })

  test('from another site is refused', async () => {
    const email = somebodysAddress()
    await signUp(email, PASSWORD)
    const token = new URL(await linkOf(email, 1)).searchParams.get('token') ?? ''
    const headers = { origin: 'https://evil.example' }
    const { status } = await at.visitor().ask('/confirm-email', { form: { token, password: PASSWORD }, headers })
    expect([status, await isConfirmed(email)]).toEqual([403, false])
  })

  test('is void as soon as a later one was sent', async () => {
    const email = somebodysAddress()
    await signUp(email, PASSWORD)
    const first = await linkOf(email, 1)
    await at.visitor().ask('/auth/send-verification-email', { body: { email } })
    const second = await linkOf(email, 2)
    expect((await at.confirm(first, PASSWORD)).status).toBe(410)
    expect((await at.confirm(second, PASSWORD)).status).toBe(303)
  })
})

describe('an address that somebody else signed up with first', () => {
  test('belongs to its owner once they sign up and confirm it, and the first password is void', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    const attackersLink = await linkOf(email, 1)
    await signUp(email, PASSWORD)
    await linkOf(email, 2)
    const owner = at.visitor()
    await owner.ask('/auth/send-verification-email', { body: { email } })
    const link = await linkOf(email, 3)
    // The owner opens the link, and does what the page asks for.
    await owner.ask(pathOf(link))
    await at.confirm(attackersLink, ATTACKERS)
    await at.confirm(link, PASSWORD, owner)
    expect([await signIn(email, ATTACKERS), await signIn(email, PASSWORD)]).toEqual([401, 200])
    const me = (await owner.ask('/settings/me')).json.data
    expect([me.person.email, me.accounts[0].name]).toEqual([email, 'Somebody'])
  })

  test('keeps nothing of the earlier sign-up', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    await linkOf(email, 1)
    const userId = await idOf(email)
    await plantPasskey(userId)
    await at.world.owner.query(
      `INSERT INTO people.login (id, account_id, provider_id, user_id, updated_at) VALUES ($1, $1, 'acme', $2, now())`,
      [randomUUID(), userId],
    )
    await signUp(email, PASSWORD)
    await linkOf(email, 2)
    expect([await countOf('passkey', userId), await countOf('login', userId)]).toEqual([0, 1])
  })

  test('is answered like any other address', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    await linkOf(email, 1)
    const [again, fresh] = [await signUp(email, PASSWORD), await signUp(somebodysAddress(), PASSWORD)]
    expect([again.status, Object.keys(again.json.user)]).toEqual([fresh.status, Object.keys(fresh.json.user)])
    expect(again.json.user.id).not.toBe(await idOf(email))
  })
})

describe('a reset of the password', () => {
  test('removes a passkey that was planted before anybody had proved the address', async () => {
    const email = somebodysAddress()
    await signUp(email, ATTACKERS)
    await linkOf(email, 1)
    const userId = await idOf(email)
    await plantPasskey(userId)
    expect((await reset(await requestReset(email, 2))).status).toBe(200)
    expect(await countOf('passkey', userId)).toBe(0)
    expect([await signIn(email, ATTACKERS), await signIn(email, NEW_PASSWORD)]).toEqual([401, 200])
  })

  test('removes it also where an earlier release took an opened link for a proof', async () => {
    const person = await at.signUp()
    await plantPasskey(person.userId)
    await at.world.owner.query('UPDATE people."user" SET address_proved_at = NULL WHERE id = $1', [person.userId])
    await reset(await requestReset(person.email, 2))
    expect(await countOf('passkey', person.userId)).toBe(0)
    // The owner is notified of the new password and of the passkey.
    await at.smtp.waitFor(person.email, 4)
  })

  test('keeps what the owner added after the proof, and lists it', async () => {
    const person = await at.signUp()
    await plantPasskey(person.userId)
    const keys = `/settings/accounts/${person.userId}/keys`
    expect((await person.ask(keys, { body: { name: 'Nightly', scopes: ['generate'] } })).status).toBe(201)
    const token = await requestReset(person.email, 2)
    const page = await at.visitor().ask('/reset-password', { form: { token, password: NEW_PASSWORD } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Planted')
    expect(page.text).toContain('Nightly')
    expect(await countOf('passkey', person.userId)).toBe(1)
  })

  test('ends every session, token and remembered device', async () => {
    const person = await at.signUp()
    const elsewhere = await at.signIn(person.email, PASSWORD)
    const { owner } = at.world
    for (const table of ['oauth_access_token', 'oauth_refresh_token']) {
      await owner.query(
        `INSERT INTO people.${table} (id, token, client_id, user_id, reference_id, expires_at, created_at, scopes)
         VALUES ($1, $1, 'namewright-web', $2, $2, now() + interval '1 hour', now(), '["generate"]')`,
        [randomUUID(), person.userId],
      )
    }
    await owner.query(
      `INSERT INTO people.verification (id, identifier, value, expires_at)
       VALUES ($1, 'trust-device', $2, now() + interval '1 hour')`,
      [randomUUID(), person.userId],
    )
    await reset(await requestReset(person.email, 2))
    for (const table of ['session', 'oauth_access_token', 'oauth_refresh_token', 'emailed_link']) {
      expect([table, await countOf(table, person.userId)]).toEqual([table, 0])
    }
    const { rows } = await owner.query('SELECT 1 FROM people.verification WHERE value = $1', [person.userId])
    expect(rows).toEqual([])
    for (const visitor of [person, elsewhere] satisfies Visitor[]) {
      expect((await visitor.ask('/settings/me')).status).toBe(401)
    }
  })
})

describe('an older reset link', () => {
  test('is void once a later one was sent, and all are once one was used', async () => {
    const { email } = await at.signUp()
    const [first, second] = [await requestReset(email, 2), await requestReset(email, 3)]
    expect(refusal(await reset(first))).toBe('400 INVALID_TOKEN')
    expect((await reset(second)).status).toBe(200)
    for (const used of [first, second]) expect(refusal(await reset(used, ATTACKERS))).toBe('400 INVALID_TOKEN')
    expect(await signIn(email, NEW_PASSWORD)).toBe(200)
  })

  test('is void after the password was changed', async () => {
    const person = await at.signUp()
    const token = await requestReset(person.email, 2)
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await person.ask('/auth/change-password', { body })).status).toBe(200)
    expect(refusal(await reset(token, ATTACKERS))).toBe('400 INVALID_TOKEN')
    expect(await signIn(person.email, NEW_PASSWORD)).toBe(200)
  })

  test.each([
    ['the address', `UPDATE people."user" SET email = 'new-' || email WHERE id = $1`],
    ['a provider', `DELETE FROM people.login WHERE user_id = $1 AND provider_id = 'acme'`],
    ['a passkey', 'DELETE FROM people.passkey WHERE user_id = $1'],
    ['the second factor', 'DELETE FROM people.two_factor WHERE user_id = $1'],
  ])('is void after %s was changed or removed', async (_what, change) => {
    const { email, userId } = await at.signUp()
    const { owner } = at.world
    await plantPasskey(userId)
    await owner.query(
      `INSERT INTO people.login (id, account_id, provider_id, user_id, updated_at) VALUES ($1, $1, 'acme', $2, now())`,
      [randomUUID(), userId],
    )
    await owner.query(
      `INSERT INTO people.two_factor (id, secret, backup_codes, user_id, verified) VALUES ($1, 'x', 'x', $2, true)`,
      [randomUUID(), userId],
    )
    const token = await requestReset(email, 2)
    await owner.query(change, [userId])
    expect(refusal(await reset(token))).toBe('400 INVALID_TOKEN')
  })
})
