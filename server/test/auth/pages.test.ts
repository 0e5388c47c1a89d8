/** The pages by which people sign in, come in by a link, and find back in, without a script and in their language. */
import { createHash, randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LANGUAGES, openMembers, type UserId } from '../source.ts'
import { hiddenOf } from '../oauth-client.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'
import { codeOf, wrongCodeOf } from '../totp.ts'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({
    people: true,
    own: true,
    settings: {
      // With the web app people land there; see ../web/.
      NAMEWRIGHT_WEB_DIR: 'none',
      NAMEWRIGHT_SIGN_IN_WITH: 'github=https://our-id:secret@github.com,work=https://id:secret@127.0.0.1:1',
    },
  })
})
afterAll(() => at[Symbol.asyncDispose]())

const NEW_PASSWORD = 'quill-Anvil-58-fern'

describe('setting up', () => {
  test('a node whose accounts cannot be read at the start prints the link all the same, and serves', async () => {
    const rename = (from: string, to: string) =>
      at.world.owner.query(`ALTER FUNCTION ${from}(text, uuid, integer, date) RENAME TO ${to}`)
    await rename('account_totals', 'account_totals_away')
    try {
      const { node, url } = await at.startNode()
      await vi.waitUntil(() => node.output().includes('/setup?token='), { timeout: 45_000 })
      const answer = await at.visitor().ask(`${url}/readyz`)
      expect(answer.status).toBe(200)
    } finally {
      await rename('account_totals_away', 'account_totals')
    }
  })

  test('the link that is printed at the start makes the first person, once', async () => {
    const link = await vi.waitUntil(() => /^ {2}(\S+\/setup\?token=[\w-]+)$/m.exec(at.node.output())?.[1], {
      timeout: 45_000,
    })
    // On a line of its own, and nowhere else.
    expect(at.node.output().split('/setup?token=')).toHaveLength(2)
    const somebody = at.visitor()
    const page = await somebody.ask(link)
    expect(page.text).toContain('You are the first user.')
    const form = { ...hiddenOf(page), name: 'First', email: 'First@people.example', password: NEW_PASSWORD }

    const weak = await somebody.ask('/setup', {
      form: { ...form, name: ' ', email: 'first', password: 'password1234' },
    })
    expect(weak.status).toBe(400)
    for (const field of ['name', 'email', 'password']) expect(weak.text).toContain(`id="${field}-wrong"`)
    expect(weak.text).not.toContain('password1234')
    expect(weak.text).toContain('This is a common password, or a combination of common ones.')

    const done = await somebody.ask('/setup', { form })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/signed-in'])
    expect((await somebody.ask('/signed-in')).text).toContain('Signed in as <bdi>first@people.example</bdi>')
    const { rows } = await at.world.owner.query('SELECT action FROM security_event ORDER BY id')
    expect(rows.map(({ action }) => String(action))).toContain('setup_completed')

    for (const again of [await at.visitor().ask(link), await at.visitor().ask('/setup', { form })]) {
      expect(again.status).toBe(410)
      expect(again.text).toContain('This link is invalid')
    }
  })
})

describe('signing in', () => {
  test('a person signs in and is told that they are', async () => {
    const ada = await at.signUp('Ada')
    const somebody = at.visitor()
    expect((await somebody.ask('/signed-in')).headers.get('location')).toBe('/sign-in')
    const form = { email: ada.email, password: PASSWORD }
    const signedIn = await somebody.ask('/sign-in', { form })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/signed-in'])
    expect((await somebody.ask('/signed-in')).text).toContain(ada.email)
  })

  test('a wrong password says so at the field, and does not say who exists', async () => {
    const ada = await at.signUp('Ada')
    const said = []
    for (const email of [ada.email, somewhere(), 'no address']) {
      const page = await at.visitor().ask('/sign-in', { form: { email, password: '"><script>wrong' } })
      expect(page.status).toBe(400)
      expect(page.text).toContain('aria-describedby="password-wrong" aria-invalid="true" autofocus')
      expect(page.text).not.toContain('<script')
      said.push(page.text.replace(email, ''))
    }
    expect(new Set(said).size).toBe(1)
  })

  test('an address that is not confirmed is told to confirm it', async () => {
    const email = somewhere()
    const somebody = at.visitor()
    await somebody.ask('/auth/sign-up/email', { body: { email, name: 'U', password: PASSWORD } })
    await at.smtp.waitFor(email)
    const page = await somebody.ask('/sign-in', { form: { email, password: PASSWORD } })
    expect(page.text).toContain('Confirm your email address first')
  })

  test('tries at the page and at the door are counted together', async () => {
    const ada = await at.signUp('Ada')
    const wrong = { email: ada.email, password: 'wrong' }
    let tries = 0
    let page = await at.visitor().ask('/sign-in', { form: wrong })
    while (page.status === 400 && tries++ < 20) {
      await at.visitor().ask('/auth/sign-in/email', { body: wrong })
      page = await at.visitor().ask('/sign-in', { form: wrong })
    }
    expect(page.status).toBe(429)
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(page.text).toMatch(/Too many attempts. Try again in \d+ seconds./)
    expect(tries).toBeLessThan(6)
  })

  test('a provider is a button that leads there, and back to where somebody wanted to go', async () => {
    const somebody = at.visitor()
    const page = await somebody.ask('/sign-in?client_id=x&scope=generate')
    expect(page.text).toContain('<button name="provider" value="github">Sign in with GitHub</button>')
    const left = await somebody.ask('/sign-in', { form: { ...hiddenOf(page), provider: 'github' } })
    expect(left.text).toContain('content="0;url=https://github.com/login/oauth/authorize?')
    expect(left.text).toContain('client_id=our-id')
    expect(left.headers.getSetCookie().join()).toContain('state')
    const { rows } = await at.world.owner.query<{ value: string }>('SELECT value FROM people.verification')
    const states = rows.map(({ value }) => value).filter((value) => value.includes('callbackURL'))
    expect(states.join()).toContain(`"callbackURL":"${at.url}/auth/oauth2/authorize?client_id=x&scope=generate"`)
    expect(states.join()).toContain(`"errorURL":"${at.url}/sign-in?client_id=x&scope=generate&failed=github"`)
  })

  test('a provider that fails, or that there is none of, is said so', async () => {
    const failed = 'failed. Try again, or sign in another way.'
    const back = await at.visitor().ask('/sign-in?failed=github&error=access_denied')
    expect(back.text).toContain(`Signing in with GitHub ${failed}`)
    const none = await at.visitor().ask('/sign-in', { form: { provider: 'nobody' } })
    expect([none.status, none.text.includes(failed)]).toEqual([400, true])
    const down = await at.visitor().ask('/sign-in', { form: { provider: 'work' } })
    expect(down.text).toContain(failed)
  })

  test('a form of another site signs nobody in', async () => {
    const ada = await at.signUp('Ada')
    for (const origin of ['https://evil.example', 'null']) {
      const form = { email: ada.email, password: PASSWORD }
      const page = await at.visitor().ask('/sign-in', { form, headers: { origin } })
      expect(page.status).toBe(403)
      expect(page.headers.getSetCookie()).toEqual([])
    }
  })

  test('a form that is too long is refused', async () => {
    const page = await at.visitor().ask('/sign-in', { form: { email: 'x'.repeat(17_000) } })
    expect(page.status).toBe(413)
    expect(page.text).toContain('16 KiB')
  })
})

describe('the second factor', () => {
  test('a code of the app or a recovery code is the second half of signing in', async () => {
    const ada = await at.signUp('Ada')
    const { uri, recovery } = await turnOn(ada)
    const form = { email: ada.email, password: PASSWORD }
    const somebody = at.visitor()
    const first = await somebody.ask('/sign-in', { form })
    expect(first.headers.get('location')).toBe('/second-factor')
    expect((await somebody.ask('/signed-in')).status).toBe(303)
    const page = await somebody.ask('/second-factor')
    expect(page.text).toContain('autocomplete="one-time-code"')

    const wrong = await somebody.ask('/second-factor', { form: { code: wrongCodeOf(uri) } })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('The code is incorrect.')
    const [, head = '', tail = ''] = /^(...)(...)$/.exec(codeOf(uri, 1)) ?? []
    const right = await somebody.ask('/second-factor', { form: { code: `${head} ${tail}` } })
    expect([right.status, right.headers.get('location')]).toEqual([303, '/signed-in'])
    expect((await somebody.ask('/signed-in')).status).toBe(200)

    const other = at.visitor()
    await other.ask('/sign-in', { form })
    expect((await other.ask('/second-factor', { form: { code: recovery } })).headers.get('location')).toBe('/signed-in')
    await other.ask('/sign-in', { form })
    expect((await other.ask('/second-factor', { form: { code: recovery } })).status).toBe(400)
  })

  test('without a password first there is nothing to prove', async () => {
    const page = await at.visitor().ask('/second-factor', { form: { code: '123456' } })
    expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in'])
  })
})

describe('a forgotten password', () => {
  test('the letter leads to a new one, once, and the old one is over', async () => {
    const ada = await at.signUp('Ada')
    const somebody = at.visitor()
    expect((await somebody.ask('/reset-password')).text).toContain('we will send a link to it')
    const sent = await somebody.ask('/reset-password', { form: { email: ada.email } })
    expect(sent.text).toContain('a link is on its way')
    const { link } = await at.smtp.waitFor(ada.email, 2)
    const page = await somebody.ask(link)
    expect(page.text).toContain('autocomplete="new-password"')
    expect(page.text).toContain('12 to 128 characters')

    const weak = await somebody.ask('/reset-password', { form: { ...hiddenOf(page), password: 'short' } })
    expect(weak.status).toBe(400)
    expect(weak.text).toContain('12 to 128 characters')
    expect(weak.text).toContain('Choose at least 12 characters. This one has 5.')
    const own = await somebody.ask('/reset-password', { form: { ...hiddenOf(page), password: `${ada.email}!` } })
    expect(own.text).toContain('This password contains your email address.')
    const done = await somebody.ask('/reset-password', { form: { ...hiddenOf(page), password: NEW_PASSWORD } })
    expect(done.text).toContain('Your password is changed.')
    const again = await somebody.ask('/reset-password', { form: { ...hiddenOf(page), password: NEW_PASSWORD } })
    expect(again.status).toBe(410)

    await expect(at.signIn(ada.email, PASSWORD)).rejects.toThrow('401')
    expect((await ada.ask('/signed-in')).status).toBe(303)
    await at.signIn(ada.email, NEW_PASSWORD)
  })

  test('letters to one address are few, whether the page or the door is asked', async () => {
    const email = somewhere()
    const statuses = []
    for (let tries = 0; tries < 3; tries++) {
      statuses.push((await at.visitor().ask('/reset-password', { form: { email } })).status)
      statuses.push((await at.visitor().ask('/auth/request-password-reset', { body: { email } })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  })
})

describe('an invitation', () => {
  test('somebody new chooses a name and a password, and is in', async () => {
    const { ada, account, token } = await invite('new-one@people.example')
    const somebody = at.visitor()
    const page = await somebody.ask(`/join?token=${token}`)
    expect(page.text).toContain('Join <bdi>Team</bdi>')
    expect(page.text).toContain('<bdi>Ada</bdi> has invited <bdi>new-one@people.example</bdi>.')
    const form = { ...hiddenOf(page), name: 'New One', password: NEW_PASSWORD, email: ada.email }
    const weak = await somebody.ask('/join', { form: { ...form, password: 'password1234' } })
    expect(weak.status).toBe(400)
    const done = await somebody.ask('/join', { form })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/signed-in'])
    expect((await somebody.ask('/signed-in')).text).toContain('new-one@people.example')
    expect(await rolesIn(account)).toEqual(['member'])
    expect((await at.visitor().ask(`/join?token=${token}`)).status).toBe(410)
  })

  test('somebody known signs in first and then says yes', async () => {
    const bob = await at.signUp('Bob')
    const { account, token } = await invite(bob.email)
    const somebody = at.visitor()
    const page = await somebody.ask(`/join?token=${token}`)
    expect(page.text).not.toContain('new-password')
    const [, link = ''] = /<a href="(\/sign-in\?[^"]+)"/.exec(page.text) ?? []
    const signIn = await somebody.ask(link.replaceAll('&#38;', '&'))
    expect(signIn.text).toContain(`value="${bob.email}"`)
    const form = { ...hiddenOf(signIn), email: bob.email, password: PASSWORD }
    const signedIn = await somebody.ask('/sign-in', { form })
    expect(signedIn.headers.get('location')).toBe(`/join?token=${token}`)
    const asked = await somebody.ask(`/join?token=${token}`)
    const done = await somebody.ask('/join', { form: hiddenOf(asked) })
    expect(done.headers.get('location')).toBe('/signed-in')
    expect(await rolesIn(account)).toEqual(['member'])
  })

  test('a link is of no use to somebody else who is signed in', async () => {
    const [bob, eve] = [await at.signUp('Bob'), await at.signUp('Eve')]
    const { account, token } = await invite(bob.email)
    const form = { token, name: 'Eve', password: NEW_PASSWORD }
    const sent = await eve.ask('/join', { form })
    expect(sent.headers.get('location')).toBe(`/sign-in?join=${token}`)
    expect(await rolesIn(account)).toEqual([])
  })

  test('a link that is none says so', async () => {
    for (const path of ['/join', '/join?token=x', `/join?token=${'A'.repeat(64)}`]) {
      const page = await at.visitor().ask(path)
      expect(page.status).toBe(410)
    }
  })
})

describe('signing out', () => {
  test('is a button wherever somebody sees that they are signed in, and ends the session', async () => {
    const ada = await at.signUp('Ada')
    const page = await ada.ask('/signed-in')
    expect(page.text).toContain('<form method="post" action="/sign-out">')
    const out = await ada.ask('/sign-out', { form: {} })
    expect([out.status, out.headers.get('location')]).toEqual([303, '/sign-in'])
    expect((await ada.ask('/auth/get-session')).json).toBeNull()
    const { rows } = await at.world.owner.query('SELECT 1 FROM people.session WHERE user_id = $1', [ada.userId])
    expect(rows).toEqual([])
  })

  test('by a form of another site does nothing', async () => {
    const ada = await at.signUp('Ada')
    const out = await ada.ask('/sign-out', { form: {}, headers: { origin: 'https://evil.example' } })
    expect(out.status).toBe(403)
    expect((await ada.ask('/settings/me')).status).toBe(200)
  })
})

describe('every page', () => {
  const paths = ['/sign-in', '/second-factor', '/reset-password', '/reset-password?token=x', '/setup', '/join']

  test.each(paths)('%s loads nothing, runs nothing, is stored nowhere and framed by nobody', async (path) => {
    const { headers, text } = await at.visitor().ask(path)
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).not.toMatch(/<script|\son\w+=|style=|<img|<link/)
  })

  test.each(paths)('%s has one heading, and a label for every field', async (path) => {
    const { text } = await at.visitor().ask(path)
    expect(text.match(/<h1>/g)).toHaveLength(1)
    const fields = [...text.matchAll(/<input id="(\w+)"/g)].map(([, id]) => id)
    const labels = [...text.matchAll(/<label for="(\w+)"/g)].map(([, id]) => id)
    expect(labels).toEqual(fields)
  })

  test.each(LANGUAGES)('is there in %s', async (language) => {
    const direction = language === 'ar' ? 'rtl' : 'ltr'
    const [byBrowser, byAddress] = [
      await at.visitor().ask('/sign-in', { headers: { 'accept-language': `${language};q=0.9, en;q=0.1` } }),
      await at.visitor().ask(`/sign-in?ui_locales=xx%20${language}`, { headers: { 'accept-language': 'de' } }),
    ]
    for (const page of [byBrowser, byAddress]) {
      expect(page.text).toContain(`<html lang="${language}" dir="${direction}">`)
      expect(page.headers.get('content-language')).toBe(language)
    }
    const wrong = await at.visitor().ask('/sign-in', { form: { ...hiddenOf(byAddress), email: 'x', password: 'x' } })
    expect(wrong.headers.get('content-language')).toBe(language)
  })

  test('is in the language that the person chose, once they are known', async () => {
    const ada = await at.signUp('Ada')
    await at.world.owner.query('UPDATE people."user" SET language = $2 WHERE id = $1', [ada.userId, 'tr'])
    const page = await ada.ask('/signed-in', { headers: { 'accept-language': 'en' } })
    expect(page.headers.get('content-language')).toBe('tr')
    expect((await ada.ask('/signed-in?ui_locales=ar')).headers.get('content-language')).toBe('ar')
    expect((await ada.ask('/signed-in?other=a?b&ui_locales=ar')).headers.get('content-language')).toBe('ar')
  })
})

async function turnOn(person: SignedIn): Promise<{ uri: string; recovery: string }> {
  const on = await person.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
  const uri = String(on.json.totpURI)
  const proved = await person.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(uri) } })
  expect(proved.status).toBe(200)
  return { uri, recovery: String(on.json.backupCodes[0]) }
}

async function invite(email: string): Promise<{ ada: SignedIn & Visitor; account: string; token: string }> {
  const ada = await at.signUp('Ada')
  const account = await at.world.makeAccount({ name: 'Team' })
  const members = openMembers({ db: at.world.db, now: Date.now })
  const draft = { email, role: 'member', invitedBy: ada.userId as UserId } as const
  await at.world.db.as(account, [members.adding(account, draft.invitedBy, 'owner')])
  const { token } = await members.invite(account, draft)
  return { ada, account, token }
}

async function rolesIn(account: string): Promise<string[]> {
  const { rows } = await at.world.owner.query<{ role: string }>(
    `SELECT role FROM member WHERE account_id = $1 AND role <> 'owner'`,
    [account],
  )
  return rows.map(({ role }) => role)
}

/** Where nobody has been before: limits outlive a run. */
function somewhere(): string {
  return `somewhere-${randomInt(1e12)}@people.example`
}
