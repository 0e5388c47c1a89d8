/** Signing in with an emailed link: for one browser, once, for ten minutes, and never past the second factor. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { codeOf } from '../totp.ts'

const SESSION = '__Host-namewright.session_token'
const BROWSER = '__Host-namewright.browser'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

const newAddress = () => `link-${randomInt(1e12)}@people.example`
const requestLink = (visitor: Visitor, email: string, more: object = {}) =>
  visitor.ask('/auth/sign-in/magic-link', { body: { email, ...more } })
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
const pathOf = (link: string) => link.replace(at.url, '')
const redeem = (visitor: Visitor, link: string, more: Record<string, string> = {}) =>
  visitor.ask('/sign-in-link', { form: { token: tokenOf(link), ...more } })
const emailOf = async (visitor: Visitor) => (await visitor.ask('/auth/get-session')).json?.user?.email
const goesTo = ({ status, headers }: Reply) => `${status} ${headers.get('location')}`

/** The link in the n-th email to this address. */
async function linkFor(visitor: Visitor, email: string, n = 2): Promise<string> {
  expect((await requestLink(visitor, email)).status).toBe(200)
  return (await at.smtp.waitFor(email, n)).link
}

async function expire({ userId }: SignedIn): Promise<void> {
  const text = `UPDATE people.emailed_link SET expires_at = now() - interval '1 second' WHERE user_id = $1`
  await at.world.owner.query(text, [userId])
}

async function eventsOf({ userId }: SignedIn): Promise<string[]> {
  const text = 'SELECT action FROM security_event WHERE account_id = $1 ORDER BY id'
  const { rows } = await at.world.owner.query<{ action: string }>(text, [userId])
  return rows.map(({ action }) => action)
}

describe('a sign-in link', () => {
  test('signs in the browser that asked for it, once', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    await requestLink(browser, ada.email.toUpperCase())
    const { link } = await at.smtp.waitFor(ada.email, 2)
    const page = await browser.ask(pathOf(link))
    expect([page.status, page.text.includes(ada.email)]).toEqual([200, true])
    expect(goesTo(await redeem(browser, link))).toMatch(/^303 \//)
    expect(await emailOf(browser)).toBe(ada.email)
    await expect.poll(async () => (await eventsOf(ada)).filter((action) => action === 'signed_in')).toHaveLength(2)
    // The same link again, in the same browser, signed out.
    browser.cookies.delete(SESSION)
    expect((await redeem(browser, link)).status).toBe(410)
    expect(await emailOf(browser)).toBeUndefined()
  })

  test('that is only opened, as mail scanners do, signs nobody in and stays valid', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    const link = await linkFor(browser, ada.email)
    for (const method of ['GET', 'HEAD', 'GET']) await at.visitor().ask(pathOf(link), { method })
    await browser.ask(pathOf(link))
    expect(await emailOf(browser)).toBeUndefined()
    await redeem(browser, link)
    expect(await emailOf(browser)).toBe(ada.email)
  })

  test('in another browser signs nobody in, says which browser is needed, and is recorded', async () => {
    const ada = await at.signUp()
    const [asking, thief] = [at.visitor(), at.visitor()]
    const link = await linkFor(asking, ada.email)
    // A browser with a binding of its own is as wrong as one without.
    for (const visitor of [thief, thief]) {
      const shown = await visitor.ask(pathOf(link))
      expect(shown.text).toContain('Open this link in the browser in which you requested it')
      expect(shown.text, 'nobody learns whose link it is').not.toContain(ada.email)
      expect((await redeem(visitor, link)).status).toBe(403)
      expect(await emailOf(visitor)).toBeUndefined()
      await requestLink(thief, newAddress())
    }
    await expect.poll(() => eventsOf(ada)).toContain('sign_in_failed')
    await redeem(asking, link)
    expect(await emailOf(asking)).toBe(ada.email)
  })

  test('is void after ten minutes, after a later one, and after a change of the password', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    const first = await linkFor(browser, ada.email)
    const { rows } = await at.world.owner.query<{ s: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS s FROM people.emailed_link WHERE user_id = $1`,
      [ada.userId],
    )
    expect(rows).toEqual([{ s: 600 }])
    const second = await linkFor(browser, ada.email, 3)
    expect((await redeem(browser, first)).status).toBe(410)
    await expire(ada)
    expect((await redeem(browser, second)).status).toBe(410)
    const third = await linkFor(browser, ada.email, 4)
    const body = { currentPassword: PASSWORD, newPassword: 'quay-Lemur-58-fjord' }
    expect((await ada.ask('/auth/change-password', { body })).status).toBe(200)
    expect((await redeem(browser, third)).status).toBe(410)
    expect(await emailOf(browser)).toBeUndefined()
  })

  test('used twice at once signs in once', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    const link = await linkFor(browser, ada.email)
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await redeem(browser, link)).status))
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status === 410)).toHaveLength(3)
    const { rows } = await at.world.owner.query('SELECT 1 FROM people.session WHERE user_id = $1', [ada.userId])
    expect(rows, 'the session of the sign-up, and one more').toHaveLength(2)
  })

  test('replaces the password only: a second factor is still asked for', async () => {
    const ada = await at.signUp()
    const { totpURI: uri } = (await ada.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })).json
    const turnOn = async () =>
      (await ada.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(uri, -1) } })).status
    expect([await turnOn(), await turnOn()]).toContain(200)
    const browser = at.visitor()
    await at.smtp.waitFor(ada.email, 2)
    const link = await linkFor(browser, ada.email, 3)
    expect(goesTo(await redeem(browser, link))).toBe('303 /second-factor')
    expect([browser.cookies.has(SESSION), await emailOf(browser)]).toEqual([false, undefined])
    const signIns = async () => (await eventsOf(ada)).filter((action) => action === 'signed_in').length
    const before = await signIns()
    const code = await browser.ask('/second-factor', { form: { code: codeOf(uri) } })
    expect(code.status).toBe(303)
    expect(await emailOf(browser)).toBe(ada.email)
    await expect.poll(signIns).toBe(before + 1)
  })

  test('leads on to a page of the app, and nowhere else', async () => {
    const ada = await at.signUp()
    const asked = await requestLink(at.visitor(), ada.email, { callbackURL: 'https://evil.example/' })
    expect(asked.status).toBe(403)
    const browser = at.visitor()
    const link = await linkFor(browser, ada.email)
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
      const page = await browser.ask(`${pathOf(link)}&to=${encodeURIComponent(to)}`)
      expect([page.status, page.text.includes('name="to"')]).toEqual([200, false])
    }
    const reply = await redeem(browser, link, { to: '//evil.example' })
    expect(reply.headers.get('location')).toMatch(/^\/(?:signed-in)?$/)
  })

  test('is not redeemed by the path of the library, nor from another site', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    const link = await linkFor(browser, ada.email)
    const direct = await browser.ask(`/auth/magic-link/verify?token=${tokenOf(link)}`)
    expect(direct.status).toBe(404)
    const form = { token: tokenOf(link) }
    const foreign = await browser.ask('/sign-in-link', { form, headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    expect(await emailOf(browser)).toBeUndefined()
  })
})

describe('a request for a sign-in link', () => {
  test('is answered alike for every address, and creates nobody', async () => {
    const ada = await at.signUp()
    const unconfirmed = newAddress()
    await at.visitor().ask('/auth/sign-up/email', { body: { email: unconfirmed, name: 'Eve', password: PASSWORD } })
    await at.smtp.waitFor(unconfirmed)
    const unknown = newAddress()
    const replies = await Promise.all(
      [ada.email, unconfirmed, unknown].map(async (email) => {
        const visitor = at.visitor()
        const { status, text, headers } = await requestLink(visitor, email)
        return { status, text, names: [...visitor.cookies.keys()], type: headers.get('content-type') }
      }),
    )
    const [first] = replies
    expect(first).toMatchObject({ status: 200, text: '{"status":true}', names: [BROWSER] })
    for (const reply of replies) expect(reply).toEqual(first)
    // Who has not confirmed the address is asked to do so, with the password or in the browser of the sign-up.
    expect((await at.smtp.waitFor(unconfirmed, 2)).link).toContain('/confirm-email?')
    await at.smtp.waitFor(ada.email, 2)
    expect(at.smtp.emails.filter(({ to }) => to === unknown)).toEqual([])
    const { rows } = await at.world.owner.query('SELECT 1 FROM people."user" WHERE email = $1', [unknown])
    expect(rows).toEqual([])
  })

  test('is limited by address, wherever it comes from, and by IP address', async () => {
    for (const email of [(await at.signUp()).email, newAddress()]) {
      const statuses: number[] = []
      for (let n = 0; n < 4; n++) statuses.push((await requestLink(at.visitor(), email)).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
    const one = at.visitor()
    const statuses = await Promise.all(
      Array.from({ length: 11 }, async () => (await requestLink(one, newAddress())).status),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('works on the page without scripts, which keeps where the person was going', async () => {
    const ada = await at.signUp()
    const browser = at.visitor()
    expect((await browser.ask('/sign-in', { form: { link: '1', email: 'nobody', password: '' } })).status).toBe(400)
    const sent = await browser.ask('/sign-in', { form: { link: '1', email: ada.email, password: '', join: 'abc' } })
    expect(sent.status, sent.text).toBe(200)
    expect(sent.text).toContain('a sign-in link is on its way')
    expect(sent.text).toContain('href="/join?token=abc"')
    await redeem(browser, (await at.smtp.waitFor(ada.email, 2)).link)
    expect(await emailOf(browser)).toBe(ada.email)
  })
})

describe('a confirmation link', () => {
  const signUp = (visitor: Visitor, email: string, password = PASSWORD) =>
    visitor.ask('/auth/sign-up/email', { body: { email, name: 'Grace', password } })

  test('signs in without the password, in the browser that signed up', async () => {
    const email = newAddress()
    const browser = at.visitor()
    await signUp(browser, email)
    const { link } = await at.smtp.waitFor(email)
    const page = await browser.ask(pathOf(link))
    expect([page.text.includes('name="password"'), page.text.includes(email)]).toEqual([false, true])
    expect((await at.visitor().ask(pathOf(link))).text).toContain('name="password"')
    expect((await at.confirm(link, '', browser)).status).toBe(303)
    expect(await emailOf(browser)).toBe(email)
  })

  test('of a sign-up that a later one replaced is bound to the browser of the later one', async () => {
    const email = newAddress()
    const [first, later] = [at.visitor(), at.visitor()]
    await signUp(first, email)
    await at.smtp.waitFor(email)
    await signUp(later, email, 'vex-Plum-71-otter')
    const { link } = await at.smtp.waitFor(email, 2)
    expect((await at.confirm(link, PASSWORD, first)).status).toBe(400)
    expect(await emailOf(first)).toBeUndefined()
    expect((await at.confirm(link, '', later)).status).toBe(303)
    expect(await emailOf(later)).toBe(email)
  })
})
