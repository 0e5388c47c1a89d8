/** A change of the email address: proved at the new one, reported at the old one, and by nobody but its owner. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

const newAddress = () => `moved-${randomInt(1e12)}@people.example`
const request = (person: Visitor, email: string) => person.ask('/settings/me/email', { body: { email } })
const pathOf = (link: string) => link.replace(at.url, '')
const confirm = (visitor: Visitor, link: string) =>
  visitor.ask('/change-email', { form: { token: new URL(link).searchParams.get('token') ?? '' } })
const emailOf = async (visitor: Visitor) => (await visitor.ask('/settings/me')).json?.data?.person.email
const signIn = async (email: string) =>
  (await at.visitor().ask('/auth/sign-in/email', { body: { email, password: PASSWORD } })).status

async function requested(person: SignedIn, email = newAddress()): Promise<{ email: string; link: string }> {
  const reply = await request(person, email)
  expect(reply.status, reply.text).toBe(200)
  return { email, link: (await at.smtp.waitFor(email)).link }
}

async function age({ userId }: SignedIn, table: 'session' | 'emailed_link'): Promise<void> {
  const change =
    table === 'session'
      ? `created_at = now() - interval '20 minutes', proved_at = NULL`
      : `expires_at = now() - interval '1 second'`
  await at.world.owner.query(`UPDATE people.${table} SET ${change} WHERE user_id = $1`, [userId])
}

async function actionsOf({ userId }: SignedIn): Promise<string[]> {
  const text = 'SELECT action FROM security_event WHERE account_id = $1'
  return (await at.world.owner.query<{ action: string }>(text, [userId])).rows.map(({ action }) => action)
}

test('the new address signs in, the old one does not and is notified, and other sessions end', async () => {
  const ada = await at.signUp()
  const elsewhere = await at.signIn(ada.email, PASSWORD)
  const { email, link } = await requested(ada)
  expect(await emailOf(ada), 'nothing has changed yet').toBe(ada.email)
  const page = await ada.ask(pathOf(link))
  expect([page.status, page.text.includes(email)]).toEqual([200, true])
  const done = await confirm(ada, link)
  expect(done.status, done.text).toBe(200)
  expect([await emailOf(ada), await emailOf(elsewhere)]).toEqual([email, undefined])
  expect([await signIn(email), await signIn(ada.email)]).toEqual([200, 401])
  const notice = await at.smtp.waitFor(ada.email, 2)
  expect(notice.subject).toBe('Your email address changed')
  expect(notice.text, 'whoever reads the old mailbox does not learn the new address').not.toContain(email)
  await expect.poll(() => actionsOf(ada)).toContain('email_changed')
})

describe('the link', () => {
  test('that is only opened, as mail scanners do, changes nothing', async () => {
    const ada = await at.signUp()
    const { link } = await requested(ada)
    for (const visitor of [at.visitor(), ada])
      for (const method of ['GET', 'HEAD']) await visitor.ask(pathOf(link), { method })
    expect(await emailOf(ada)).toBe(ada.email)
  })

  test('changes nothing without a session, nor in a session of somebody else', async () => {
    const [ada, eve] = [await at.signUp(), await at.signUp()]
    const { email, link } = await requested(ada)
    for (const visitor of [at.visitor(), eve]) {
      const shown = await visitor.ask(pathOf(link))
      expect(shown.text).toContain('Sign in to your account in this browser first')
      expect(shown.text).not.toContain(email)
      expect((await confirm(visitor, link)).status).toBe(403)
    }
    expect([await emailOf(ada), await emailOf(eve)]).toEqual([ada.email, eve.email])
    expect((await confirm(ada, link)).status).toBe(200)
  })

  test('works once, also when it is used several times at once', async () => {
    const ada = await at.signUp()
    const { link } = await requested(ada)
    const statuses = await Promise.all([1, 2, 3].map(async () => (await confirm(ada, link)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect((await confirm(ada, link)).status).toBe(410)
  })

  test('is void after an hour, after a later one, and after a change of the password', async () => {
    const ada = await at.signUp()
    const first = await requested(ada)
    const second = await requested(ada)
    expect((await ada.ask(pathOf(first.link))).status).toBe(410)
    await age(ada, 'emailed_link')
    expect((await ada.ask(pathOf(second.link))).status).toBe(410)
    const third = await requested(ada)
    const body = { currentPassword: PASSWORD, newPassword: 'quay-Lemur-58-fjord' }
    await ada.ask('/auth/change-password', { body })
    expect((await ada.ask(pathOf(third.link))).status).toBe(410)
    expect(await emailOf(ada)).toBe(ada.email)
  })

  test('of an address that somebody signed up with meanwhile changes nothing', async () => {
    const ada = await at.signUp()
    const { email, link } = await requested(ada)
    await at.visitor().ask('/auth/sign-up/email', { body: { email, name: 'Eve', password: PASSWORD } })
    await at.smtp.waitFor(email, 2)
    const reply = await confirm(ada, link)
    expect([reply.status, reply.text.includes('already belongs to an account')]).toEqual([409, true])
    expect(await emailOf(ada)).toBe(ada.email)
  })

  test('from another site is refused', async () => {
    const ada = await at.signUp()
    const { link } = await requested(ada)
    const form = { token: new URL(link).searchParams.get('token') ?? '' }
    const reply = await ada.ask('/change-email', { form, headers: { origin: 'https://evil.example' } })
    expect([reply.status, await emailOf(ada)]).toEqual([403, ada.email])
  })

  test('voids the links that were emailed to the old address', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    await browser.ask('/auth/sign-in/magic-link', { body: { email: ada.email } })
    const old = await at.smtp.waitFor(ada.email, 2)
    await confirm(ada, (await requested(ada)).link)
    const token = new URL(old.link).searchParams.get('token') ?? ''
    expect((await browser.ask('/sign-in-link', { form: { token } })).status).toBe(410)
  })
})

describe('a request', () => {
  test('is answered alike for an address that belongs to somebody, who gets no email', async () => {
    const [ada, eve] = [await at.signUp(), await at.signUp()]
    const [taken, free] = [await request(ada, eve.email), await request(ada, newAddress())]
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    expect(at.smtp.emails.filter(({ to }) => to === eve.email)).toHaveLength(1)
  })

  test('needs a step-up, a session and an address', async () => {
    const ada = await at.signUp()
    expect((await request(at.visitor(), newAddress())).status).toBe(401)
    expect((await request(ada, 'nobody')).status).toBe(400)
    await age(ada, 'session')
    const refused = await request(ada, newAddress())
    expect([refused.status, refused.json.error.code]).toEqual([403, 'recent_sign_in_required'])
    expect((await ada.ask('/settings/me/step-up', { body: { password: PASSWORD } })).status).toBe(200)
    expect((await request(ada, newAddress())).status).toBe(200)
  })

  test('is limited by person, and by address whoever asks', async () => {
    const ada = await at.signUp()
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await request(ada, newAddress())).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const email = newAddress()
    const others: number[] = []
    for (let n = 0; n < 4; n++) others.push((await request(await at.signUp(), email)).status)
    expect(others).toEqual([200, 200, 200, 429])
  })
})
