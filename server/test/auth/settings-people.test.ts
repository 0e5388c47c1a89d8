/** What somebody sees and changes of themselves: who they are, where they are signed in, which accounts they are in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

function expectRefusal(reply: Reply, status: number, code: ErrorCode): void {
  expect({ status: reply.status, code: reply.json?.error?.code }, reply.text).toEqual({ status, code })
  expect(reply.text, 'every placeholder is filled in').not.toMatch(/\{[a-z]+\}/)
}

const actionsIn = async (account: string) => {
  const text = 'SELECT action, actor, ip, detail FROM security_event WHERE account_id = $1 ORDER BY id'
  return (await at.world.owner.query(text, [account])).rows
}

/** As if the session had begun that long ago. */
const age = ({ userId }: SignedIn, minutes: number) =>
  at.world.owner.query(
    `UPDATE people.session SET created_at = created_at - $2 * interval '1 minute' WHERE user_id = $1`,
    [userId, minutes],
  )

describe('a person', () => {
  test('sees who they are and which accounts they are in', async () => {
    const ada = await at.signUp('Ada')
    const reply = await ada.ask('/settings/me')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.json).toEqual({
      status: 'success',
      data: {
        person: { id: ada.userId, email: ada.email, name: 'Ada', language: null, two_factor: false },
        accounts: [{ id: ada.userId, name: 'Ada', role: 'owner', own: true }],
      },
    })
  })

  test('changes name and language, which is noted without saying what they were', async () => {
    const ada = await at.signUp('Ada')
    const reply = await ada.ask('/settings/me', { method: 'PATCH', body: { name: 'Ada L.', language: 'pt-BR' } })
    expect(reply.json.data.person).toMatchObject({ name: 'Ada L.', language: 'pt-BR' })
    expect((await ada.ask('/settings/me')).json.data.person).toMatchObject({ name: 'Ada L.', language: 'pt-BR' })
    const noted = {
      action: 'profile_changed',
      actor: ada.userId,
      ip: ada.address,
      detail: { changed: 'name language' },
    }
    expect(await actionsIn(ada.userId)).toContainEqual(noted)
    await ada.ask('/settings/me', { method: 'PATCH', body: { language: null } })
    expect((await ada.ask('/settings/me')).json.data.person).toMatchObject({ name: 'Ada L.', language: null })
  })

  test('cannot become what nobody is', async () => {
    const ada = await at.signUp()
    const long = { name: 'x'.repeat(101) }
    for (const body of [
      {},
      { name: '' },
      { name: '   ' },
      long,
      { language: 'e' },
      { email: 'other@people.example' },
    ]) {
      expectRefusal(await ada.ask('/settings/me', { method: 'PATCH', body }), 400, 'invalid_request')
    }
  })

  test('is slowed down after sixty changes at once', async () => {
    const ada = await at.signUp()
    // At once, and some more than sixty: on a slow machine one more is allowed every second.
    const change = () => ada.ask('/settings/me', { method: 'PATCH', body: { name: 'A' } })
    const replies: Reply[] = await Promise.all(Array.from({ length: 100 }, change))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const reply of refused) expectRefusal(reply, 429, 'rate_limited')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('sessions', () => {
  test('are listed with where and when, and which one this is', async () => {
    const ada = await at.signUp()
    const elsewhere = await at.signIn(ada.email, ada.password)
    const { sessions } = (await ada.ask('/settings/me/sessions')).json.data
    expect(sessions).toHaveLength(2)
    expect(Object.keys(sessions[0])).toEqual(['id', 'created_at', 'expires_at', 'address', 'browser', 'current'])
    const [here] = sessions.filter(({ current }: { current: boolean }) => current)
    expect(here.address).toBe(ada.address)
    expect(sessions.find(({ id }: { id: string }) => id !== here.id).address).toBe(elsewhere.address)
  })

  test('are ended one by one, and it is noted', async () => {
    const ada = await at.signUp()
    const elsewhere = await at.signIn(ada.email, ada.password)
    const { sessions } = (await ada.ask('/settings/me/sessions')).json.data
    const { id } = sessions.find(({ current }: { current: boolean }) => !current)
    expect((await ada.ask(`/settings/me/sessions/${id}`, { method: 'DELETE' })).status).toBe(200)
    expectRefusal(await elsewhere.ask('/settings/me'), 401, 'sign_in_required')
    expect((await ada.ask('/settings/me')).status).toBe(200)
    expectRefusal(await ada.ask(`/settings/me/sessions/${id}`, { method: 'DELETE' }), 404, 'not_found')
    const noted = { action: 'session_ended', actor: ada.userId, ip: ada.address, detail: { session_id: id } }
    expect(await actionsIn(ada.userId)).toContainEqual(noted)
  })

  test('of somebody else are not there', async () => {
    const [ada, eve] = [await at.signUp(), await at.signUp()]
    const [{ id }] = (await ada.ask('/settings/me/sessions')).json.data.sessions
    expectRefusal(await eve.ask(`/settings/me/sessions/${id}`, { method: 'DELETE' }), 404, 'not_found')
    expect((await ada.ask('/settings/me')).status).toBe(200)
  })

  test('are all ended but this one', async () => {
    const ada = await at.signUp()
    const others = [await at.signIn(ada.email, ada.password), await at.signIn(ada.email, ada.password)]
    expect((await ada.ask('/settings/me/sessions', { method: 'DELETE' })).status).toBe(200)
    for (const other of others) expectRefusal(await other.ask('/settings/me'), 401, 'sign_in_required')
    expect((await ada.ask('/settings/me/sessions')).json.data.sessions).toHaveLength(1)
  })
})

describe('an account', () => {
  const create = async (person: SignedIn, name = 'Team') => {
    const reply = await person.ask('/settings/accounts', { body: { name } })
    expect(reply.status, reply.text).toBe(201)
    return reply.json.data.account
  }

  test('of a team is made by anybody, who owns it', async () => {
    const ada = await at.signUp()
    const account = await create(ada, 'Makers')
    expect(account).toEqual({
      id: expect.any(String),
      name: 'Makers',
      language: null,
      currency: null,
      history_days: null,
      created_at: expect.any(String),
      role: 'owner',
      own: false,
      change_emails: false,
      limits: expect.objectContaining({ names_per_day: 10_000 }),
      suspended: null,
    })
    expect((await ada.ask(`/settings/accounts/${account.id}`)).json.data.account).toEqual(account)
    const { accounts } = (await ada.ask('/settings/me')).json.data
    expect(accounts).toEqual([
      { id: ada.userId, name: 'Ada Test', role: 'owner', own: true },
      { id: account.id, name: 'Makers', role: 'owner', own: false },
    ])
    expect(await actionsIn(account.id)).toMatchObject([{ action: 'account_created', actor: ada.userId }])
  })

  test('has settings, each of which can be changed and taken off', async () => {
    const ada = await at.signUp()
    const { id } = await create(ada)
    const path = `/settings/accounts/${id}`
    const change = async (body: object) => (await ada.ask(path, { method: 'PATCH', body })).json.data.account
    expect(await change({ name: 'New', language: 'de', currency: 'USD', history_days: 30 })).toMatchObject({
      name: 'New',
      language: 'de',
      currency: 'USD',
      history_days: 30,
    })
    expect(await change({ history_days: 0 })).toMatchObject({ name: 'New', history_days: 0 })
    for (const on of [true, false]) {
      const emails = await ada.ask(`${path}/change-emails`, { method: 'PUT', body: { is_on: on } })
      expect(emails.json.data.account).toMatchObject({ name: 'New', change_emails: on })
    }
    const cleared = { language: null, currency: null, history_days: null }
    expect(await change(cleared)).toMatchObject({ name: 'New', ...cleared })
    expect(await actionsIn(id)).toContainEqual({
      action: 'account_changed',
      actor: ada.userId,
      ip: ada.address,
      detail: { changed: 'history_days' },
    })
  })

  test('cannot be changed to what no account is', async () => {
    const ada = await at.signUp()
    const days = [-1, 36_501, 1.5].map((history_days) => ({ history_days }))
    for (const body of [{}, { name: ' ' }, ...days, { currency: 'XXX' }, { language: 'not a language' }]) {
      const reply = await ada.ask(`/settings/accounts/${ada.userId}`, { method: 'PATCH', body })
      expectRefusal(reply, 400, 'invalid_request')
    }
  })

  test('of one’s own cannot be deleted without oneself', async () => {
    const ada = await at.signUp()
    expectRefusal(await ada.ask(`/settings/accounts/${ada.userId}`, { method: 'DELETE' }), 409, 'own_account')
  })

  test('is deleted only by somebody who has signed in a moment ago, and then with all it owns', async () => {
    const ada = await at.signUp()
    const { id } = await create(ada, 'Short-lived')
    const key = await at.world.makeKey(id)
    await age(ada, 16)
    expectRefusal(await ada.ask(`/settings/accounts/${id}`, { method: 'DELETE' }), 403, 'recent_sign_in_required')
    await age(ada, -16)
    expect((await ada.ask(`/settings/accounts/${id}`, { method: 'DELETE' })).status).toBe(200)
    expectRefusal(await ada.ask(`/settings/accounts/${id}`), 404, 'not_found')
    const asked = await ada.ask('/v1/history', { headers: { authorization: `Bearer ${key.secret}` } })
    expectRefusal(asked, 401, 'invalid_token')
    expect(await actionsIn(id)).toEqual([])
    const noted = { action: 'account_deleted', detail: { account_id: id, name: 'Short-lived' } }
    expect(await actionsIn(ada.userId)).toContainEqual(expect.objectContaining(noted))
    expect((await ada.ask('/settings/me')).json.data.accounts).toHaveLength(1)
  })
})

test('whoever signed in too long ago neither takes everything along nor is deleted', async () => {
  const ada = await at.signUp()
  await age(ada, 16)
  expectRefusal(await ada.ask('/settings/me/export'), 403, 'recent_sign_in_required')
  expectRefusal(await ada.ask('/settings/me', { method: 'DELETE' }), 403, 'recent_sign_in_required')
})

test('a method that an address does not have is told which it has', async () => {
  const ada = await at.signUp()
  const reply = await ada.ask(`/settings/accounts/${ada.userId}`, { method: 'PUT', body: {} })
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, PATCH, DELETE'])
})
