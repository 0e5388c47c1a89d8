/** A stolen session must not make an existing key worth more: to widen one needs a recent proof, to narrow one does not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOAuthClient, inTurn } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
const KEY = {
  name: 'Mine',
  scopes: ['generate', 'domains:check'],
  allowed_ips: ['192.0.2.0/24', '2001:db8::/32'],
  expires_at: inHours(48),
  quota: { per_minute: 60, burst: 10, per_day: 100, per_month: 1_000 },
}
const PAGE_KEY = { name: 'Page', scopes: ['generate'], origins: ['https://a.example', 'https://b.example'] }

let at: PeopleWorld
let next: () => SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  next = inTurn([await at.signUp('Ada'), await at.signUp('Bea'), await at.signUp('Cleo')])
})
afterAll(() => at[Symbol.asyncDispose]())

async function setRecent({ userId }: SignedIn, isRecent: boolean): Promise<void> {
  const text = `UPDATE people.session SET created_at = now() - interval '1 hour', proved_at = $2 WHERE user_id = $1`
  await at.world.owner.query(text, [userId, isRecent ? new Date() : null])
}

/** With an old session and then with a recent one. */
async function change(body: object, from: object = KEY): Promise<string[]> {
  const ada = next()
  const keys = `/settings/accounts/${ada.userId}/keys`
  await setRecent(ada, true)
  const made = await ada.ask(keys, { body: from })
  expect(made.status, made.text).toBe(201)
  const path = `${keys}/${made.json.data.key.id}`
  const outcomes: string[] = []
  for (const isRecent of [false, true]) {
    await setRecent(ada, isRecent)
    const { status, json } = await ada.ask(path, { method: 'PATCH', body })
    outcomes.push(`${status} ${json.error?.code ?? ''}`.trim())
  }
  return outcomes
}

test.each<[what: string, body: object, from?: object]>([
  ['a further scope', { scopes: ['generate', 'history:read'] }],
  ['no list of addresses', { allowed_ips: [] }],
  ['a further address', { allowed_ips: [...KEY.allowed_ips, '198.51.100.7'] }],
  ['a wider range', { allowed_ips: ['192.0.2.0/23'] }],
  ['an address of the other family', { allowed_ips: ['::ffff:192.0.2.1'] }],
  ['another origin', { origins: ['https://a.example', 'https://evil.example'] }, PAGE_KEY],
  ['a later end', { expires_at: inHours(49) }],
  ['no end', { expires_at: null }],
  ['more in a minute', { quota: { per_minute: 61 } }],
  ['a larger burst', { quota: { burst: 11 } }],
  ['more in a day', { quota: { per_day: 101 } }],
  ['no limit in a month', { quota: { per_month: null } }],
])('%s needs a recent proof', async (_what, body, from) => {
  expect(await change(body, from)).toEqual(['403 recent_sign_in_required', '200'])
})

test.each<[what: string, body: object, from?: object]>([
  ['another name', { name: 'Yours' }],
  ['fewer scopes', { scopes: ['generate'] }],
  ['fewer and narrower addresses', { allowed_ips: ['192.0.2.128/25', '192.0.2.7'] }],
  ['a first list of addresses', { allowed_ips: ['203.0.113.9'] }, { name: 'Open', scopes: ['generate'] }],
  ['fewer origins', { origins: ['https://b.example'] }, PAGE_KEY],
  ['an earlier end', { expires_at: inHours(1) }],
  ['a first end', { expires_at: inHours(1) }, { name: 'Open', scopes: ['generate'] }],
  ['a smaller quota', { quota: { per_minute: 59, burst: 9, per_day: 0, per_month: 999 } }],
  ['everything as it is', { ...KEY, name: 'Same' }],
])('%s needs none', async (_what, body, from) => {
  expect(await change(body, from)).toEqual(['200', '200'])
})

test('what an application may use is held to the same', async () => {
  const ada = next()
  await setRecent(ada, true)
  const oauth = createOAuthClient(at)
  await oauth.grant(ada, await oauth.makePublic())
  const grants = `/settings/accounts/${ada.userId}/grants`
  const { json } = await ada.ask(grants)
  const path = `${grants}/${json.data.grants[0].id}`
  const patch = async (body: object) => (await ada.ask(path, { method: 'PATCH', body })).status
  await setRecent(ada, false)
  expect(await patch({ allowed_ips: ['192.0.2.7'] })).toBe(200)
  expect(await patch({ allowed_ips: [] })).toBe(403)
  await setRecent(ada, true)
  expect(await patch({ allowed_ips: [] })).toBe(200)
})
