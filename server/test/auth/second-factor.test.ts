/** The second factor: codes of an authenticator app and recovery codes, each good once, and nothing before one is given. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'
import { codeOf, wrongCodeOf } from '../totp.ts'

const SESSION = '__Host-namewright.session_token'
const TWO_FACTOR = '__Host-namewright.two_factor'

interface Careful extends SignedIn {
  readonly uri: string
  readonly recovery: readonly string[]
}

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

const refusal = ({ status, json }: Reply) => `${status} ${json?.code ?? json?.error?.code}`
const sessionOf = async (visitor: Visitor) => (await visitor.ask('/auth/get-session')).json
const giveCode = (visitor: Visitor, code: string, more: object = {}) =>
  visitor.ask('/auth/two-factor/verify-totp', { body: { code, ...more } })
const giveRecovery = (visitor: Visitor, code: string, more: object = {}) =>
  visitor.ask('/auth/two-factor/verify-backup-code', { body: { code, ...more } })

/**
 * Somebody with a second factor. It is turned on with the code of the step before, so that the one of this step and of
 * the next are still unused.
 */
async function careful(): Promise<Careful> {
  const ada = await at.signUp('Ada')
  const on = await ada.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
  expect(on.status, on.text).toBe(200)
  const { totpURI: uri, backupCodes: recovery } = on.json
  const turnOn = async () => (await giveCode(ada, codeOf(uri, -1))).status
  // The step may end while the code is on its way.
  expect([await turnOn(), await turnOn()]).toContain(200)
  return { ...ada, uri, recovery }
}

/** With the right password, and no code yet. */
async function halfIn({ email }: SignedIn, visitor = at.visitor()): Promise<Visitor> {
  const reply = await visitor.ask('/auth/sign-in/email', { body: { email, password: PASSWORD } })
  expect(reply.json).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
  return visitor
}

async function eventsOf({ userId }: SignedIn): Promise<string[]> {
  const text = 'SELECT action FROM security_event WHERE account_id = $1 ORDER BY id'
  const { rows } = await at.world.owner.query<{ action: string }>(text, [userId])
  return rows.map(({ action }) => action)
}

describe('turning it on', () => {
  test('takes the password and a first code; until then a sign-in is as before', async () => {
    const ada = await at.signUp('Ada')
    const enable = (password: string) => ada.ask('/auth/two-factor/enable', { body: { password } })
    expect(refusal(await enable('vex-Plum-71-otter'))).toBe('400 INVALID_PASSWORD')
    const { totpURI: uri, backupCodes } = (await enable(PASSWORD)).json
    expect(uri).toMatch(/^otpauth:\/\/totp\/Namewright:/)
    expect(backupCodes).toHaveLength(10)
    expect(refusal(await giveCode(ada, wrongCodeOf(uri)))).toBe('401 INVALID_CODE')
    const other = await at.signIn(ada.email, PASSWORD)
    expect((await sessionOf(other)).user.twoFactorEnabled).toBe(false)
    expect((await giveCode(ada, codeOf(uri))).status).toBe(200)
    expect((await sessionOf(ada)).user.twoFactorEnabled).toBe(true)
    await halfIn(ada)
    await expect.poll(() => eventsOf(ada)).toContain('two_factor_on')
    expect((await at.smtp.waitFor(ada.email, 2)).text).not.toContain(new URL(uri).searchParams.get('secret'))
  })

  test('happens once: the secret of one that is on is neither shown again nor replaced', async () => {
    const ada = await careful()
    const again = await ada.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
    expect(refusal(again)).toBe('400 TOTP_ALREADY_ENABLED')
    expect(again.text).not.toContain('otpauth')
  })
})

describe('after the password and before the code', () => {
  test('nobody is signed in', async () => {
    const ada = await careful()
    const half = await halfIn(ada)
    expect([...half.cookies.keys()]).toEqual([TWO_FACTOR])
    expect(await sessionOf(half)).toBeNull()
    for (const path of ['/settings/me', `/settings/accounts/${ada.userId}/keys`]) {
      expect((await half.ask(path)).status, path).toBe(401)
    }
    const make = await half.ask(`/settings/accounts/${ada.userId}/keys`, { body: { name: 'x', scopes: ['generate'] } })
    expect(refusal(make)).toBe('401 sign_in_required')
    for (const path of ['enable', 'disable', 'get-totp-uri', 'generate-backup-codes']) {
      const reply = await half.ask(`/auth/two-factor/${path}`, { body: { password: PASSWORD } })
      expect(reply.status, path).toBe(401)
    }
    expect((await half.ask('/auth/passkey/generate-register-options')).status).toBe(401)
    expect(await sessionOf(half)).toBeNull()
  })

  test('nobody without the password gets as far as the code', async () => {
    const ada = await careful()
    const stranger = at.visitor()
    expect(refusal(await giveCode(stranger, codeOf(ada.uri)))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    stranger.cookies.set(TWO_FACTOR, `2fa-${'x'.repeat(20)}.${'y'.repeat(43)}%3D`)
    expect(refusal(await giveCode(stranger, codeOf(ada.uri)))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
  })

  test('the code of somebody else does not help', async () => {
    const [ada, eve] = [await careful(), await careful()]
    const half = await halfIn(ada)
    expect(refusal(await giveCode(half, codeOf(eve.uri)))).toBe('401 INVALID_CODE')
    expect(refusal(await giveRecovery(half, eve.recovery[0] ?? ''))).toBe('401 INVALID_BACKUP_CODE')
    expect(await sessionOf(half)).toBeNull()
  })
})

describe('a code of the app', () => {
  test('opens the door', async () => {
    const ada = await careful()
    const half = await halfIn(ada)
    expect((await giveCode(half, codeOf(ada.uri))).status).toBe(200)
    expect((await sessionOf(half)).user.id).toBe(ada.userId)
    expect([...half.cookies.keys()]).toEqual([SESSION])
  })

  test('is refused when it is wrong, which its owner can see', async () => {
    const ada = await careful()
    const half = await halfIn(ada)
    for (const code of [
      wrongCodeOf(ada.uri),
      '',
      '12345',
      `${codeOf(ada.uri)} `,
      codeOf(ada.uri, -3),
      codeOf(ada.uri, 4),
    ]) {
      expect((await giveCode(await halfIn(ada), code)).status, code).toBe(401)
    }
    expect(await sessionOf(half)).toBeNull()
    await expect.poll(() => eventsOf(ada)).toContain('sign_in_failed')
  })

  test('opens once: neither another browser nor the same gets in with it again', async () => {
    const ada = await careful()
    const [half, thief] = [await halfIn(ada), await halfIn(ada)]
    const code = codeOf(ada.uri)
    expect((await giveCode(half, code)).status).toBe(200)
    expect(refusal(await giveCode(thief, code))).toBe('401 INVALID_CODE')
    expect(refusal(await giveCode(await halfIn(ada), code))).toBe('401 INVALID_CODE')
    expect(await sessionOf(thief)).toBeNull()
    const next = codeOf(ada.uri, 1)
    expect((await giveCode(thief, next)).status, 'the next one does').toBe(200)
    // It is valid for three steps of thirty seconds, and almost as much passes.
    await at.world.owner.query(
      `UPDATE people.verification SET expires_at = expires_at - interval '89 seconds' WHERE value = $1`,
      [ada.userId],
    )
    expect(refusal(await giveCode(await halfIn(ada), next))).toBe('401 INVALID_CODE')
  })

  test('opens once even when it comes five times in the same moment', async () => {
    const ada = await careful()
    const halves = await Promise.all(Array.from({ length: 5 }, () => halfIn(ada)))
    const code = codeOf(ada.uri)
    const replies = await Promise.all(halves.map((half) => giveCode(half, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('that turned it on does not sign in afterwards', async () => {
    const ada = await at.signUp('Ada')
    const { totpURI: uri } = (await ada.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })).json
    const code = codeOf(uri)
    expect((await giveCode(ada, code)).status).toBe(200)
    expect(refusal(await giveCode(await halfIn(ada), code))).toBe('401 INVALID_CODE')
  })
})

describe('a recovery code', () => {
  test('opens once, and the others still do', async () => {
    const ada = await careful()
    const [first = '', second = ''] = ada.recovery
    const half = await halfIn(ada)
    expect((await giveRecovery(half, first)).status).toBe(200)
    expect((await sessionOf(half)).user.id).toBe(ada.userId)
    const again = await halfIn(ada)
    expect(refusal(await giveRecovery(again, first))).toBe('401 INVALID_BACKUP_CODE')
    expect((await giveRecovery(again, second)).status).toBe(200)
  })

  test('opens once even when it comes three times in the same moment', async () => {
    const ada = await careful()
    const halves = await Promise.all([halfIn(ada), halfIn(ada), halfIn(ada)])
    const replies = await Promise.all(halves.map((half) => giveRecovery(half, ada.recovery[0] ?? '')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is worth nothing once new ones are made, which takes the password', async () => {
    const ada = await careful()
    const make = (password: string) => ada.ask('/auth/two-factor/generate-backup-codes', { body: { password } })
    expect(refusal(await make('vex-Plum-71-otter'))).toBe('400 INVALID_PASSWORD')
    const fresh = (await make(PASSWORD)).json.backupCodes as string[]
    expect(fresh).toHaveLength(10)
    const half = await halfIn(ada)
    expect(refusal(await giveRecovery(half, ada.recovery[0] ?? ''))).toBe('401 INVALID_BACKUP_CODE')
    expect((await giveRecovery(half, fresh[0] ?? '')).status).toBe(200)
    await expect.poll(() => eventsOf(ada)).toContain('recovery_codes_made')
  })
})

describe('whoever guesses', () => {
  test('has five tries for a password given, and then gives the password again', async () => {
    const ada = await careful()
    const half = await halfIn(ada)
    const wrong = wrongCodes(ada.uri)
    for (const code of wrong.slice(0, 5)) expect(refusal(await giveCode(half, code))).toBe('401 INVALID_CODE')
    expect(refusal(await giveCode(half, codeOf(ada.uri)))).toBe('400 TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')
    expect(refusal(await giveCode(half, codeOf(ada.uri, 1)))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    expect(await sessionOf(half)).toBeNull()
  })

  test('is locked out after ten wrong ones, of either kind, from wherever, and so is the right one', async () => {
    const ada = await careful()
    const wrong = wrongCodes(ada.uri)
    const [one, two] = [await halfIn(ada), await halfIn(ada)]
    for (const code of wrong.slice(0, 5)) expect((await giveCode(one, code)).status).toBe(401)
    for (const code of wrong.slice(5, 10)) expect((await giveRecovery(two, code)).status).toBe(401)
    const half = await halfIn(ada)
    expect(refusal(await giveCode(half, codeOf(ada.uri)))).toBe('429 ACCOUNT_TEMPORARILY_LOCKED')
    expect(refusal(await giveRecovery(half, ada.recovery[0] ?? ''))).toBe('429 ACCOUNT_TEMPORARILY_LOCKED')
    expect((await sessionOf(ada)).user.id, 'who is in stays in').toBe(ada.userId)
    await at.world.owner.query(
      `UPDATE people.two_factor SET locked_until = now() - interval '1 second' WHERE user_id = $1`,
      [ada.userId],
    )
    expect((await giveCode(half, codeOf(ada.uri, 1))).status, 'until the time is over').toBe(200)
  })

  test('from one address is stopped before that', async () => {
    const visitor = at.visitor()
    const statuses: number[] = []
    for (let n = 0; n < 22; n++) statuses.push((await giveCode(visitor, '123456')).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses.slice(20)).toEqual([429, 429])
  })
})

describe('turning it off', () => {
  test('takes the password, and then a sign-in is one step again', async () => {
    const ada = await careful()
    const disable = (visitor: Visitor, password: string) =>
      visitor.ask('/auth/two-factor/disable', { body: { password } })
    expect(refusal(await disable(ada, 'vex-Plum-71-otter'))).toBe('400 INVALID_PASSWORD')
    expect((await disable(ada, '')).status).toBe(400)
    expect((await sessionOf(ada)).user.twoFactorEnabled).toBe(true)
    expect((await disable(await halfIn(ada), PASSWORD)).status).toBe(401)
    expect((await disable(ada, PASSWORD)).json).toEqual({ status: true })
    await at.signIn(ada.email, PASSWORD)
    const { rows } = await at.world.owner.query('SELECT 1 FROM people.two_factor WHERE user_id = $1', [ada.userId])
    expect(rows).toEqual([])
    await expect.poll(() => eventsOf(ada)).toContain('two_factor_off')
    const signIns = async () => (await eventsOf(ada)).filter((action) => action === 'signed_in').length
    await expect.poll(signIns, { message: 'a session that is renewed is no sign-in' }).toBe(2)
  })

  test('cannot be done by the page of somebody else', async () => {
    const ada = await careful()
    const asking = { body: { password: PASSWORD }, headers: { origin: 'https://evil.example' } }
    expect((await ada.ask('/auth/two-factor/disable', asking)).status).toBe(403)
    expect((await sessionOf(ada)).user.twoFactorEnabled).toBe(true)
  })
})

test('no browser is trusted to need no code the next time', async () => {
  const ada = await careful()
  const half = await halfIn(ada)
  expect((await giveCode(half, codeOf(ada.uri), { trustDevice: true })).status).toBe(200)
  expect([...half.cookies.keys()]).toEqual([SESSION])
  await halfIn(ada, half)
})

test('a password set anew by letter does not go around it', async () => {
  const ada = await careful()
  // To verify the address, and that the second factor is on.
  await at.smtp.waitFor(ada.email, 2)
  await ada.ask('/auth/request-password-reset', { body: { email: ada.email } })
  const token = new URL((await at.smtp.waitFor(ada.email, 3)).link).searchParams.get('token')
  const newPassword = 'quay-Lemur-58-fjord'
  const thief = at.visitor()
  expect((await thief.ask('/auth/reset-password', { body: { token, newPassword } })).status).toBe(200)
  const reply = await thief.ask('/auth/sign-in/email', { body: { email: ada.email, password: newPassword } })
  expect(reply.json).toMatchObject({ twoFactorRedirect: true })
  expect(await sessionOf(thief)).toBeNull()
})

test('neither the secret nor a recovery code can be read in the database', async () => {
  const ada = await careful()
  const { rows } = await at.world.owner.query<{ row: string }>(
    'SELECT t::text AS row FROM people.two_factor t WHERE user_id = $1',
    [ada.userId],
  )
  const [{ row } = { row: '' }] = rows
  expect(row).toContain(ada.userId)
  for (const code of ada.recovery) expect(row).not.toContain(code)
  expect(row).not.toContain(new URL(ada.uri).searchParams.get('secret'))
})

/** Ten that are wrong for minutes, and different. */
function wrongCodes(uri: string): string[] {
  const near = new Set([-2, -1, 0, 1, 2, 3, 4].map((steps) => codeOf(uri, steps)))
  const codes = Array.from({ length: 20 }, (_, n) => String(n * 41_113).padStart(6, '0'))
  return codes.filter((code) => !near.has(code)).slice(0, 10)
}
