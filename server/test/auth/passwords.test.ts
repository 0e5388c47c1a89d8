/** Passwords: which are taken, how one is reset by email, what a stranger learns from trying, and when it is enough. */
import * as fc from 'fast-check'
import { fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findWeakness, isWeak, PASSWORD_MAX, PASSWORD_MIN } from '../source.ts'
import { emptyRedis } from '../redis.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'

const NEW_PASSWORD = 'quay-Lemur-58-fjord'
const WRONG = 'vex-Plum-71-otter'
const WEAK = 'P@ssw0rd!2026'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

const signUp = (email: string, more: Record<string, unknown> = {}, visitor = at.visitor()) =>
  visitor.ask('/auth/sign-up/email', { body: { email, name: 'Ida', password: PASSWORD, ...more } })
const signIn = (email: string, password: string, visitor = at.visitor()) =>
  visitor.ask('/auth/sign-in/email', { body: { email, password } })
const requestReset = (email: string) => at.visitor().ask('/auth/request-password-reset', { body: { email } })
const setByLink = (token: string, newPassword: string) =>
  at.visitor().ask('/auth/reset-password', { body: { token, newPassword } })
const sessionOf = async (visitor: Visitor) => (await visitor.ask('/auth/get-session')).json

let strangers = 0
const strangeAddress = () => `nobody-${++strangers}-${Date.now()}@people.example`
const refusal = ({ status, json }: Reply) => `${status} ${json?.code ?? json?.error?.code}`

/** The token of the n-th email to somebody. */
async function resetTokenOf(email: string, n: number): Promise<string> {
  const message = await at.smtp.waitFor(email, n)
  return new URL(message.link).searchParams.get('token') ?? ''
}

describe('a password that is tried first', () => {
  test('is refused at sign-up, and nobody is made', async () => {
    const own = strangeAddress()
    const tries = [WEAK, 'Short-7x', 'qwerty123456'].map((password) => ({ email: strangeAddress(), password }))
    for (const { email, password } of [...tries, { email: own, password: `${own.split('@')[0]}-2026` }]) {
      const reply = await signUp(email, { password })
      expect(refusal(reply), password).toBe('400 WEAK_PASSWORD')
      const { rows } = await at.world.owner.query('SELECT 1 FROM people."user" WHERE email = $1', [email])
      expect(rows).toEqual([])
    }
  })

  test('is refused with the rule that it breaks', async () => {
    const own = strangeAddress()
    const rules = {
      'Short-7x': 'too_short',
      [WEAK]: 'too_common',
      abcabcabcabcabc: 'too_regular',
      '9471 6058 3729 14': 'few_letters',
      [`${own.split('@')[0]}-2026`]: 'own_address',
    }
    for (const [password, rule] of Object.entries(rules)) {
      const { json } = await signUp(rule === 'own_address' ? own : strangeAddress(), { password })
      expect(json, password).toMatchObject({ code: 'WEAK_PASSWORD', rule })
      expect(json.message).toMatch(/^The password .+\.$/)
      expect(json.message).not.toContain(password)
    }
  })

  test('is refused when it is changed, as is one made of the own address', async () => {
    const ida = await at.signUp('Ida')
    const change = (newPassword: string) =>
      ida.ask('/auth/change-password', { body: { currentPassword: PASSWORD, newPassword } })
    expect(refusal(await change(WEAK))).toBe('400 WEAK_PASSWORD')
    expect(refusal(await change(`${ida.email}!`))).toBe('400 WEAK_PASSWORD')
    expect((await signIn(ida.email, PASSWORD)).status).toBe(200)
  })

  test('is refused behind a reset link, which can then still be used', async () => {
    const ida = await at.signUp('Ida')
    await requestReset(ida.email)
    const token = await resetTokenOf(ida.email, 2)
    expect(refusal(await setByLink(token, WEAK))).toBe('400 WEAK_PASSWORD')
    expect(refusal(await setByLink(token, `${ida.email}!`))).toBe('400 WEAK_PASSWORD')
    expect((await setByLink(token, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('isWeak', () => {
  const dress = fc.stringMatching(/^[0-9!?.#_-]{0,12}$/)
  const long = (text: string) => text.length >= PASSWORD_MIN && text.length <= PASSWORD_MAX

  test('sees a common word through any dress of digits and signs', () => {
    const word = fc.constantFrom('password', 'Letmein', 'QWERTY', 'iloveyou', 'Namewright', 'p@ssw0rd', 'adminpassword')
    const dressed = fc.tuple(dress, word, dress).map((parts) => parts.join(''))
    fc.assert(fc.property(dressed, (text) => isWeak(text)))
  })

  test('takes no password that is too short or too long, or has less than three letters', () => {
    fc.assert(fc.property(fc.string({ maxLength: PASSWORD_MIN - 1 }), (text) => isWeak(text)))
    fc.assert(fc.property(fc.string({ minLength: PASSWORD_MAX + 1, maxLength: 300 }), (text) => isWeak(text)))
    fc.assert(fc.property(fc.stringMatching(/^\d{12,40}$/), (text) => isWeak(text)))
  })

  test('names the first rule that is broken', () => {
    expect(findWeakness('x'.repeat(PASSWORD_MAX + 1))).toBe('too_long')
    expect(findWeakness('12345')).toBe('too_short')
    expect(findWeakness('123456789012')).toBe('too_regular')
    // Long, and made of common words all the same.
    expect(findWeakness('password-password-password-2026')).toBe('too_common')
    expect(findWeakness('ida.lovelace!2026', 'Ida.Lovelace@people.example')).toBe('own_address')
    expect(findWeakness('ulna-teak-moth-7')).toBeUndefined()
  })

  test('takes no walk along the alphabet or the digits, forwards or backwards', () => {
    for (const text of ['123456789012', 'abcdefghijklmn', 'nmlkjihgfedcba', '987654321098', '1q2w3e4r5t6y']) {
      expect(isWeak(text), text).toBe(true)
    }
  })

  test('takes none that is the own address, in whole or up to the @, in any dress', () => {
    const local = fc.stringMatching(/^[a-z]{4,12}[.+_]?[a-z]{2,8}$/)
    fc.assert(
      fc.property(local, dress, dress, (name, before, after) => {
        const email = `${name}@people.example`
        return isWeak(before + name + after, email) && isWeak(before + email + after, email)
      }),
    )
  })

  test('takes several words that nobody thinks of first, and what a machine makes', () => {
    const word = fc.constantFrom('ulna', 'teak', 'moth', 'quay', 'lemur', 'fjord', 'plum', 'otter', 'vex', 'zinc')
    const words = fc.uniqueArray(word, { minLength: 3, maxLength: 5 }).map((all) => `${all.join('-')}-7`)
    fc.assert(fc.property(words.filter(long), (text) => !isWeak(text, 'ida@people.example')))
    const isMixed = (text: string) => new Set(text).size > 8 && text.replace(/\d/g, '').length > 8
    const machine = fc.stringMatching(/^[b-df-hj-np-tv-z2-9]{16,40}$/).filter(isMixed)
    fc.assert(fc.property(machine, (text) => !isWeak(text, 'ida@people.example')))
  })

  test('never fails, whatever it is given', () => {
    const any = fc.string({ unit: 'binary', maxLength: 140 })
    fc.assert(fc.property(any, any, (text, email) => typeof isWeak(text, email) === 'boolean'))
  })
})

describe('a password set anew by letter', () => {
  test('works once, ends every session and is told to its owner', async () => {
    const ida = await at.signUp('Ida')
    const elsewhere = await at.signIn(ida.email, PASSWORD)
    await requestReset(ida.email)
    const token = await resetTokenOf(ida.email, 2)
    expect((await setByLink(token, NEW_PASSWORD)).json).toEqual({ status: true })
    expect(await sessionOf(ida)).toBeNull()
    expect(await sessionOf(elsewhere)).toBeNull()
    expect((await ida.ask(`/settings/accounts/${ida.userId}/keys`)).status).toBe(401)
    expect(refusal(await signIn(ida.email, PASSWORD))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
    expect((await signIn(ida.email, NEW_PASSWORD)).status).toBe(200)
    expect(refusal(await setByLink(token, WRONG))).toBe('400 INVALID_TOKEN')
    expect((await signIn(ida.email, NEW_PASSWORD)).status).toBe(200)
    const notice = await at.smtp.waitFor(ida.email, 3)
    expect(notice.text).not.toContain(token)
  })

  test('gives no session by itself, so that a second factor is still asked for', async () => {
    const ida = await at.signUp('Ida')
    await requestReset(ida.email)
    const visitor = at.visitor()
    const body = { token: await resetTokenOf(ida.email, 2), newPassword: NEW_PASSWORD }
    expect((await visitor.ask('/auth/reset-password', { body })).status).toBe(200)
    expect([...visitor.cookies.keys()]).toEqual([])
  })

  test('proves the address too: whoever signed up with it before and never proved it is out', async () => {
    const email = strangeAddress()
    await signUp(email)
    await at.smtp.waitFor(email)
    const { rows } = await at.world.owner.query<{ id: string }>('SELECT id FROM people."user" WHERE email = $1', [
      email,
    ])
    await at.world.owner.query(
      `INSERT INTO people.login (id, account_id, provider_id, user_id, updated_at) VALUES ('x', 'x', 'acme', $1, now())`,
      [rows[0]?.id],
    )
    expect(refusal(await signIn(email, PASSWORD))).toBe('403 EMAIL_NOT_VERIFIED')
    // The second email to them: signing in has sent another link to verify.
    await at.smtp.waitFor(email, 2)
    await requestReset(email)
    await setByLink(await resetTokenOf(email, 3), NEW_PASSWORD)
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
    expect(refusal(await signIn(email, PASSWORD))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
    const logins = await at.world.owner.query('SELECT provider_id FROM people.login WHERE user_id = $1', [rows[0]?.id])
    expect(logins.rows).toEqual([{ provider_id: 'credential' }])
  })

  test('cannot be had with a link that was made up or has expired', async () => {
    expect(refusal(await setByLink('A'.repeat(24), NEW_PASSWORD))).toBe('400 INVALID_TOKEN')
    const ida = await at.signUp('Ida')
    await requestReset(ida.email)
    const token = await resetTokenOf(ida.email, 2)
    await at.world.owner.query(
      `UPDATE people.verification SET expires_at = now() - interval '1 second' WHERE value = $1`,
      [ida.userId],
    )
    expect(refusal(await setByLink(token, NEW_PASSWORD))).toBe('400 INVALID_TOKEN')
    expect((await signIn(ida.email, PASSWORD)).status).toBe(200)
  })
})

describe('a password that is changed', () => {
  test('needs the old one, and ends the other sessions when told to', async () => {
    const ida = await at.signUp('Ida')
    const elsewhere = await at.signIn(ida.email, PASSWORD)
    const change = (currentPassword: string) =>
      ida.ask('/auth/change-password', {
        body: { currentPassword, newPassword: NEW_PASSWORD, revokeOtherSessions: true },
      })
    expect(refusal(await change(WRONG))).toBe('400 INVALID_PASSWORD')
    expect((await change(PASSWORD)).status).toBe(200)
    expect(await sessionOf(elsewhere)).toBeNull()
    expect(await sessionOf(ida)).toMatchObject({ user: { id: ida.userId } })
    expect((await signIn(ida.email, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('a stranger does not learn who is here', () => {
  let ida: SignedIn
  beforeAll(async () => {
    ida = await at.signUp('Ida')
  })

  test('by asking for a new password: the answer is the same, and nothing is sent', async () => {
    const unknown = strangeAddress()
    const [known, none] = [await requestReset(ida.email), await requestReset(unknown)]
    expect({ status: none.status, text: none.text }).toEqual({ status: known.status, text: known.text })
    await at.smtp.waitFor(ida.email, 2)
    expect(at.smtp.emails.filter(({ to }) => to === unknown)).toEqual([])
  })

  test('by asking for another letter to verify an address', async () => {
    const unknown = strangeAddress()
    const send = (email: string) => at.visitor().ask('/auth/send-verification-email', { body: { email } })
    const [known, none] = [await send(ida.email), await send(unknown)]
    expect({ status: none.status, text: none.text }).toEqual({ status: known.status, text: known.text })
    expect(at.smtp.emails.filter(({ to }) => to === unknown)).toEqual([])
  })

  test('by signing up: an address that is taken is answered like a new one, and its owner is told', async () => {
    const said = {
      name: ' I\u0007da\u202e ',
      image: 'https://evil.example/x.png',
      language: 'de-AT',
      password: NEW_PASSWORD,
    }
    const fresh = strangeAddress()
    const [taken, made] = [await signUp(ida.email, said), await signUp(fresh, said)]
    const shape = ({ status, json }: Reply) => ({
      status,
      keys: Object.keys(json.user),
      json: { ...json, user: { ...json.user, id: typeof json.user.id, email: '', createdAt: '', updatedAt: '' } },
    })
    expect(shape(taken)).toEqual(shape(made))
    expect(made.json.user).toMatchObject({ name: 'I da', image: null, language: 'de' })
    expect(taken.json.user.id).not.toBe(ida.userId)
    const notice = await at.smtp.waitFor(ida.email, 3)
    expect(new URL(notice.link).pathname).toBe('/reset-password')
    expect(refusal(await signIn(ida.email, NEW_PASSWORD))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
    expect((await signIn(ida.email, PASSWORD)).status).toBe(200)
  })

  test('by a wrong password: the answer is the same', async () => {
    const [known, none] = [await signIn(ida.email, WRONG), await signIn(strangeAddress(), WRONG)]
    expect({ status: none.status, text: none.text }).toEqual({ status: known.status, text: known.text })
    expect(refusal(known)).toBe('401 INVALID_EMAIL_OR_PASSWORD')
  })

  test('by how long a wrong password takes', async () => {
    const people = [await at.signUp('Jo'), await at.signUp('Kim'), await at.signUp('Lu')]
    const msOf = async (email: string) => {
      const from = at.visitor()
      const startedAt = performance.now()
      expect((await signIn(email, WRONG, from)).status).toBe(401)
      return performance.now() - startedAt
    }
    const ratios: number[] = []
    // Eight wrong passwords each stay below the limit of ten. A busy machine may spoil a round, not every one.
    for (const { email } of people) {
      const [known, unknown]: [number[], number[]] = [[], []]
      for (let n = 0; n < 8; n++) {
        known.push(await msOf(email))
        unknown.push(await msOf(strangeAddress()))
      }
      ratios.push(medianOf(known) / medianOf(unknown))
    }
    expect(
      ratios.some((ratio) => ratio > 0.7 && ratio < 1.4),
      ratios.join(' '),
    ).toBe(true)
  })
})

describe('whoever goes on trying is stopped for a while', () => {
  test('for one person, from however many addresses', async () => {
    const ida = await at.signUp('Ida')
    for (let n = 0; n < 10; n++) expect((await signIn(ida.email, WRONG)).status).toBe(401)
    for (const spelling of [ida.email, ida.email.toUpperCase()]) {
      const stopped = await signIn(spelling, WRONG)
      expect(refusal(stopped)).toBe('429 rate_limited')
      expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await signIn(ida.email, PASSWORD)).status, 'the right one does not pass either').toBe(429)
    expect((await sessionOf(ida)).user.id, 'who is in stays in').toBe(ida.userId)
  })

  test('for one person, however the body is written', async () => {
    const ida = await at.signUp('Ida')
    for (let n = 0; n < 10; n++) expect((await signIn(ida.email, WRONG)).status).toBe(401)
    const { email } = ida
    const send = (type: string, body: string) => askRaw(at.visitor(), type, body)
    const json = JSON.stringify({ email, password: WRONG })
    const form = new URLSearchParams({ email, password: WRONG }).toString()
    const type = 'application/x-www-form-urlencoded'
    expect((await send('application/json', json)).status).toBe(429)
    expect((await send(type, form)).status).toBe(429)
    expect((await send('Application/X-WWW-Form-URLencoded', form)).status, 'a type in capitals').toBe(429)
    expect((await send(`${type}; charset=utf-8`, form)).status).toBe(429)
    expect((await send(type, `email=x@people.example&${form}`)).status, 'a field twice').toBe(429)
    expect((await send(type, `${form}&email=x@people.example`)).status, 'and the other way round').not.toBe(200)
    expect((await send('application/json', `\uFEFF${json}`)).status, 'a byte order mark').toBe(429)
    expect((await send(type, `\uFEFF${form}`)).status, 'a byte order mark').toBe(429)
    expect((await send('application/json; charset=utf-8', json)).status).toBe(429)
    expect((await send('application/json', `{"email":"x@people.example",${json.slice(1)}`)).status).toBe(429)
  })

  test('from one address, for however many people', async () => {
    const visitor = at.visitor()
    const replies: Reply[] = []
    while (replies.length < 40 && replies.at(-1)?.status !== 429)
      replies.push(await signIn(strangeAddress(), WRONG, visitor))
    expect(replies.length).toBeGreaterThan(29)
    expect(refusal(replies.at(-1)!)).toBe('429 rate_limited')
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn(strangeAddress(), WRONG)).status, 'others go on').toBe(401)
  })

  test('by the address of the connection: what a stranger says of it is not believed', async () => {
    const redis = await emptyRedis()
    const node = await at.world.startNode({ ...redis, NAMEWRIGHT_PORT: '0', NAMEWRIGHT_TRUSTED_PROXIES: '' })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      // Ten emails at once, whatever X-Forwarded-For says; every visitor sends another address there.
      const email = strangeAddress()
      statuses.push((await at.visitor().ask(`${node.url}/auth/request-password-reset`, { body: { email } })).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200))
    expect(statuses.slice(10)).toEqual([429, 429])
    await node.stop()
  })

  test('in asking for letters to one person', async () => {
    const ida = await at.signUp('Ida')
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await requestReset(ida.email)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })
})

/** With a content type and a body of its own making. */
async function askRaw({ address }: Visitor, type: string, body: string): Promise<{ status: number }> {
  const headers = { 'content-type': type, 'x-forwarded-for': address, origin: at.url }
  const options = { method: 'POST', headers, body, dispatcher: at.agent }
  const response = await fetch(`${at.url}/auth/sign-in/email`, options)
  await response.text()
  return response
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
