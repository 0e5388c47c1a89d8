/**
 * A stolen session that is not recent authorizes no application: whoever has it registers an application of their own
 * and sends the form of the consent page. What it authorized while it was recent ends when the person signs out
 * everywhere, and the owner hears of it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOAuthClient, hiddenOf, linkOf, locationOf, navigate } from '../oauth-client.ts'
import type { App, OAuthClient } from '../oauth-client.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { codeOf } from '../totp.ts'

const WRONG = 'vex-Plum-71-otter'

let at: PeopleWorld
let oauth: OAuthClient
let app: App
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  app = await oauth.makePublic({ client_name: 'Thief' })
})
afterAll(() => at[Symbol.asyncDispose]())

/** As if the person had signed in an hour ago. */
async function age(userId: string): Promise<void> {
  const text = `UPDATE people.session SET created_at = now() - interval '1 hour', proved_at = NULL WHERE user_id = $1`
  await at.world.owner.query(text, [userId])
}

async function signUpLongAgo(): Promise<SignedIn> {
  const person = await at.signUp('Ida')
  await age(person.userId)
  return person
}

async function formFor(visitor: Visitor): Promise<Record<string, string>> {
  const page = await oauth.page(visitor, locationOf(await oauth.ask(visitor, app)))
  expect(page.status).toBe(200)
  return { ...hiddenOf(page), decision: 'allow' }
}

const send = (visitor: Visitor, form: Record<string, string>) => visitor.ask('/consent', { form })

/** No code is anywhere, and the application may do nothing in the account. */
async function expectNothing(reply: Reply, account: string): Promise<void> {
  expect(`${locationOf(reply)} ${reply.text}`).not.toMatch(/[?&;]code=/)
  const grants = 'SELECT id FROM api_key WHERE client_id = $1 AND account_id = $2'
  expect((await at.world.owner.query(grants, [app.id, account])).rows).toEqual([])
  const consents = 'SELECT id FROM people.oauth_consent WHERE client_id = $1 AND user_id = $2'
  expect((await at.world.owner.query(consents, [app.id, account])).rows).toEqual([])
}

describe('an old session', () => {
  test('allows no application without a proof, and is asked for one', async () => {
    const person = await signUpLongAgo()
    const form = await formFor(person)
    const asked = await send(person, form)
    expect(asked.status).toBe(403)
    await expectNothing(asked, person.userId)
    expect(asked.text).toContain('autocomplete="current-password"')
    const wrong = await send(person, { ...form, password: WRONG })
    expect(wrong.status).toBe(400)
    expect(wrong.text).not.toContain(WRONG)
    await expectNothing(wrong, person.userId)
    const { json } = await person.ask(`/settings/accounts/${person.userId}/security-events`)
    expect(json.data.security_events[0]).toMatchObject({ action: 'sign_in_failed', detail: { step: 'step_up' } })
  })

  test('goes on where it was after the password, and is recent then', async () => {
    const person = await signUpLongAgo()
    const asked = await send(person, await formFor(person))
    const given = await send(person, { ...hiddenOf(asked), password: PASSWORD })
    expect(linkOf(given)).toMatch(/[?&]code=/)
    expect((await person.ask('/settings/me/export')).status).toBe(200)
  })

  test('may deny without a proof', async () => {
    const person = await signUpLongAgo()
    const denied = await send(person, { ...(await formFor(person)), decision: 'deny' })
    expect(linkOf(denied)).toMatch(/[?&]error=access_denied/)
  })

  test('of a person without a password proves itself by a code', async () => {
    const person = await at.signUp('Ida')
    const { json } = await person.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
    await person.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(json.totpURI) } })
    await at.world.owner.query('DELETE FROM people.login WHERE user_id = $1', [person.userId])
    await age(person.userId)
    const asked = await send(person, await formFor(person))
    expect(asked.text).toContain('autocomplete="one-time-code"')
    const wrong = await send(person, { ...hiddenOf(asked), code: '000000' })
    expect(wrong.status).toBe(400)
    await expectNothing(wrong, person.userId)
    const given = await send(person, { ...hiddenOf(asked), code: codeOf(json.totpURI, 1) })
    expect(linkOf(given)).toMatch(/[?&]code=/)
  })

  test('proves itself by a new sign-in with a link, which leads back to the same request', async () => {
    const person = await signUpLongAgo()
    const asked = await send(person, await formFor(person))
    const again = /<form method="post" action="\/sign-in">(?:(?!<\/form>).)*name="link".*?<\/form>/s.exec(
      asked.text,
    )?.[0]
    const sent = await person.ask('/sign-in', { form: { ...hiddenOf({ ...asked, text: again ?? '' }), link: '1' } })
    expect(sent.status).toBe(200)
    const { link } = await at.smtp.waitFor(person.email, 2)
    const token = new URL(link).searchParams.get('token') ?? ''
    await expectNothing(await send(person, await formFor(person)), person.userId)
    expect((await person.ask('/sign-in-link', { form: { token } })).status).toBe(303)
    const onward = (/<a href="(\/auth\/oauth2\/authorize[^"]*)"/.exec(sent.text)?.[1] ?? '').replaceAll('&#38;', '&')
    expect(new URL(onward, at.url).searchParams.get('client_id')).toBe(app.id)
    const page = await oauth.page(person, locationOf(await navigate(at, person, onward)))
    const given = await send(person, { ...hiddenOf(page), decision: 'allow' })
    expect(linkOf(given)).toMatch(/[?&]code=/)
  })

  test('ends when it guesses on', async () => {
    const person = await signUpLongAgo()
    const form = { ...(await formFor(person)), password: WRONG }
    const statuses: number[] = []
    while (statuses.length < 20 && statuses.at(-1) !== 429) statuses.push((await send(person, form)).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await person.ask('/settings/me')).status).toBe(401)
  })

  test('renews what was allowed before as ever, without a proof', async () => {
    const person = await at.signUp('Ida')
    const tokens = await oauth.grant(person, app)
    await age(person.userId)
    expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(200)
    const silent = await oauth.authorize(person, app, { prompt: 'none' })
    expect(silent.error).toBe('consent_required')
  })
})

describe('an application that is allowed', () => {
  test('is reported to the person and to the owners of the account', async () => {
    const owner = await at.signUp('Olga')
    const person = await at.signUp('Ida')
    const team = await owner.ask('/settings/accounts', { body: { name: 'Team Tern' } })
    const account = String(team.json.data.account.id)
    await at.world.owner.query(
      `INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'member', now())`,
      [account, person.userId],
    )
    const given = await send(person, { ...(await formFor(person)), account })
    expect(linkOf(given)).toMatch(/[?&]code=/)
    for (const { email } of [owner, person]) {
      const { subject, text, link } = await at.smtp.waitFor(email, 2)
      expect(subject).toContain('Team Tern')
      expect(text).toContain('Thief (127.\u200b0.\u200b0.\u200b1)')
      expect(link).toBe(`${at.url}/settings/apps`)
    }
  })

  test('by a session that is over, too, ends when the person signs out everywhere else', async () => {
    const person = await at.signUp('Ida')
    const [thief, gone] = [await at.signIn(person.email, PASSWORD), await at.signIn(person.email, PASSWORD)]
    const [stolen, after] = [await oauth.grant(thief, app), await oauth.grant(gone, app)]
    const own = await oauth.grant(person, await oauth.makePublic())
    const alien = await oauth.grant(await at.signUp('Bo'), app)
    // Whoever signs out keeps the applications that they authorized.
    expect((await gone.ask('/auth/sign-out', { body: {} })).status).toBe(200)
    const kept = await oauth.refresh(app, after.refresh_token)
    for (const { access_token } of [stolen, kept.json, own]) expect((await oauth.show(access_token)).status).toBe(200)
    expect((await person.ask('/settings/me/sessions', { method: 'DELETE' })).status).toBe(200)
    expect((await thief.ask('/settings/me')).status).toBe(401)
    for (const { access_token, refresh_token } of [stolen, kept.json]) {
      await expect.poll(async () => (await oauth.show(access_token)).status).toBe(401)
      expect((await oauth.refresh(app, refresh_token)).json.error).toBe('invalid_grant')
    }
    for (const { access_token } of [own, alien]) expect((await oauth.show(access_token)).status).toBe(200)
  })

  test('by one session ends when the person ends that session', async () => {
    const person = await at.signUp('Ida')
    const thief = await at.signIn(person.email, PASSWORD)
    const stolen = await oauth.grant(thief, app)
    const own = await oauth.grant(person, await oauth.makePublic())
    const { json } = await person.ask('/settings/me/sessions')
    const { id } = json.data.sessions.find(({ current }: { current: boolean }) => !current)
    expect((await person.ask(`/settings/me/sessions/${id}`, { method: 'DELETE' })).status).toBe(200)
    await expect.poll(async () => (await oauth.show(stolen.access_token)).status).toBe(401)
    expect((await oauth.refresh(app, stolen.refresh_token)).json.error).toBe('invalid_grant')
    expect((await oauth.show(own.access_token)).status).toBe(200)
  })
})
