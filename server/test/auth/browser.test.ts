/** What browsers are given: cookies and password fields; and how a session and a signed link end. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'
import { runCommand } from '../run-command.ts'

const SESSION = '__Host-namewright.session_token'

let at: PeopleWorld
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

const isIn = async (visitor: Visitor) => (await visitor.ask('/settings/me')).status === 200
const signIn = (visitor: Visitor, email: string, password: string) =>
  visitor.ask('/auth/sign-in/email', { body: { email, password } })
/** Somebody with the same cookies as another. */
const copyOf = (visitor: Visitor): Visitor => {
  const copy = at.visitor()
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

describe('a cookie', () => {
  test('is for this host alone, over HTTPS, and no script or foreign form has it', async () => {
    const answer = await signIn(at.visitor(), ada.email, PASSWORD)
    const lines = answer.headers.getSetCookie()
    expect(lines.some((line) => line.startsWith(`${SESSION}=`))).toBe(true)
    for (const line of lines) {
      expect(line).toMatch(/^__Host-/)
      const attributes = line.split('; ').slice(1)
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']))
      expect(line).not.toMatch(/domain=/i)
    }
  })

  test('is all that has the session: no body does', async () => {
    const visitor = at.visitor()
    const answer = await signIn(visitor, ada.email, PASSWORD)
    const token = decodeURIComponent(visitor.cookies.get(SESSION) ?? '').split('.')[0] ?? ''
    expect(token).toMatch(/^[0-9A-Za-z]{32}$/)
    expect(answer.text).not.toContain(token)
    for (const path of ['/auth/get-session', '/settings/me/sessions', '/settings/me/export', '/signed-in']) {
      const { status, text } = await visitor.ask(path)
      expect(status).toBe(200)
      expect(text).not.toContain(token)
    }
  })
})

test('what changes something is not done by GET', async () => {
  const before = await ada.ask('/settings/me/sessions')
  const account = `/settings/accounts/${ada.userId}`
  const paths = ['/auth/sign-out', '/auth/change-password', '/auth/two-factor/enable', '/auth/passkey/delete-passkey']
  for (const path of [...paths, `${account}/keys/x/rotate`, '/settings/invitations/accept', '/auth/oauth2/token']) {
    expect((await ada.ask(path)).status, path).toBeOneOf([404, 405])
  }
  expect((await ada.ask('/settings/me/sessions')).json).toEqual(before.json)
})

describe('a password', () => {
  test.each(['/sign-in', '/reset-password?token=x'])('at %s is masked, and left to its manager', async (path) => {
    const { text } = await at.visitor().ask(path)
    const field = /<input[^>]*name="password"[^>]*>/.exec(text)?.[0] ?? ''
    expect(field).toContain('type="password"')
    expect(field).toMatch(/autocomplete="(?:current|new)-password"/)
    expect(field).not.toMatch(/maxlength|readonly|onpaste|pattern/)
  })

  test('of 128 characters of any kind is good, to the last of them and as it was written', async () => {
    const person = await at.signUp('Long')
    const long = `Ünïté 日本 🌱 "';-- ${'aB3 é'.repeat(30)}`.slice(0, 127).trimEnd().padEnd(128, 'q')
    const change = { currentPassword: PASSWORD, newPassword: long }
    expect((await person.ask('/auth/change-password', { body: change })).status).toBe(200)
    const wrong = [long.slice(0, -1), long.toLowerCase(), ` ${long.slice(0, -1)}`]
    for (const text of wrong) expect((await signIn(at.visitor(), person.email, text)).status).toBe(401)
    for (const form of ['NFC', 'NFD'] as const) {
      expect((await signIn(at.visitor(), person.email, long.normalize(form))).status, form).toBe(200)
    }
  })
})

describe('a session', () => {
  test('takes the place of the one that the browser had', async () => {
    const visitor = await at.signIn(ada.email, PASSWORD)
    const before = copyOf(visitor)
    await signIn(visitor, ada.email, PASSWORD)
    expect([await isIn(visitor), await isIn(before)]).toEqual([true, false])
    expect(visitor.cookies.get(SESSION)).not.toBe(before.cookies.get(SESSION))
  })

  test('ends a week after the sign-in, however busy it was', async () => {
    const visitor = await at.signIn(ada.email, PASSWORD)
    const { json } = await visitor.ask('/auth/get-session')
    const { id, createdAt, expiresAt } = json.session as { id: string; createdAt: string; expiresAt: string }
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000)).toBe(7 * 24 * 60)
    const move = `UPDATE people.session SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval,
                  updated_at = updated_at - $2::interval WHERE id = $1 RETURNING expires_at`
    const { rows } = await at.world.owner.query<{ expires_at: Date }>(move, [id, '6 days 23 hours'])
    const later = (await visitor.ask('/auth/get-session')).json
    expect(Date.parse(later.session.expiresAt)).toBe(rows[0]?.expires_at.getTime())
    expect(await isIn(visitor)).toBe(true)
    await at.world.owner.query(move, [id, '1 hour'])
    expect(await isIn(visitor)).toBe(false)
  })
})

test('the operator ends all sessions of one person, and of nobody else', async () => {
  const person = await at.signUp('Bo')
  const second = await at.signIn(person.email, PASSWORD)
  const { code, stdout } = await runCommand(['admin', 'end-sessions', '--email', person.email], at.world.env)
  expect([code, stdout]).toEqual([0, 'sessions ended: 2\n'])
  expect([await isIn(person), await isIn(second), await isIn(ada)]).toEqual([false, false, true])
})

test('recovery codes are ten, of ten random letters and digits each', async () => {
  const person = await at.signUp('Codes')
  const { json } = await person.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
  const codes = json.backupCodes as string[]
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9A-Za-z]{5}-[0-9A-Za-z]{5}$/)
})

describe('a link that confirms an address', () => {
  let email: string
  let link: string
  beforeAll(async () => {
    email = `link-${Date.now()}@people.example`
    await at.visitor().ask('/auth/sign-up/email', { body: { email, name: 'Link', password: PASSWORD } })
    link = (await at.smtp.waitFor(email)).link
  })
  const isConfirmed = async () => {
    const text = 'SELECT email_verified FROM people."user" WHERE email = $1'
    return (await at.world.owner.query<{ email_verified: boolean }>(text, [email])).rows[0]?.email_verified
  }
  const expireIn = (seconds: number) =>
    at.world.owner.query(
      `UPDATE people.emailed_link SET expires_at = now() + $2 * interval '1 second'
       WHERE user_id = (SELECT id FROM people."user" WHERE email = $1)`,
      [email, seconds],
    )
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = () => {
    const text = `${encode({ alg: 'HS256' })}.${encode({ email, exp: Math.floor(Date.now() / 1000) + 600 })}`
    const secret = at.world.env['NAMEWRIGHT_SECRET'] ?? ''
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }

  test.each<[what: string, token: () => string]>([
    ['that was made up', () => 'A'.repeat(32)],
    ['that names nobody', () => ''],
    ['that was signed, even with our own secret', signed],
    ['in another case', () => (new URL(link).searchParams.get('token') ?? '').toUpperCase()],
  ])('%s confirms nothing', async (_what, token) => {
    const made = `${at.url}/confirm-email?${new URLSearchParams({ token: token() }).toString()}`
    expect((await at.confirm(made, PASSWORD)).status).toBe(410)
    await at.visitor().ask(`/auth/verify-email?token=${token()}`)
    expect(await isConfirmed()).toBe(false)
  })

  test('that has expired confirms nothing', async () => {
    await expireIn(-1)
    expect((await at.confirm(link, PASSWORD)).status).toBe(410)
    expect(await isConfirmed()).toBe(false)
  })

  test('is for confirming alone: it sets no password', async () => {
    await expireIn(600)
    const token = new URL(link).searchParams.get('token')
    const { status } = await at.visitor().ask('/auth/reset-password', { body: { token, newPassword: 'quay-Lemur-58' } })
    expect(status).toBe(400)
  })

  test('is good as it was sent, so that the ones above fail for what is wrong with them', async () => {
    await expireIn(600)
    expect((await at.confirm(link, PASSWORD)).status).toBe(303)
    expect(await isConfirmed()).toBe(true)
    expect((await at.confirm(link, PASSWORD)).status, 'and works once').toBe(410)
  })
})
