/**
 * Taking everything along, and being gone: what somebody gets is all that is there, and what is left is nothing.
 *
 * Neither side is compared with a list of tables that somebody keeps up. Every row of the whole database that holds
 * one of the person's marks must be in the export; afterwards no row and no entry of Redis may hold one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'
import { liveFully } from './full-life.ts'
import type { Life } from './full-life.ts'
import { findInRedis, findTraces } from './traces.ts'
import type { Trace } from './traces.ts'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

/** What is held and not handed over. Whole tables, and columns of others. */
const WITHHELD: Readonly<Record<string, string>> = {
  'public.key_secret': 'nothing but hashes of keys',
  'public.watcher': 'which favorites are watched; the favorites say so themselves',
  'jobs.job': 'what is still to be done, by ids; what it is about is in the other tables',
  'people.verification': 'links and codes that are under way: whoever has one can sign in or change a password',
  'people.oauth_client_resource': 'which doors an application may ask for: the same for all of them',
  'public.quota_block': 'how a budget is handed out; what was used of it is in quota_use',
  'public.quota_period.leased': 'as above',
  'public.invitation.hash': 'a hash',
  'public.idempotent_answer.fingerprint': 'a hash',
  'public.share.code_hash': 'a hash; likewise the next one',
  'public.share.host': '',
  'public.share.version': 'counts changes',
  'public.share.searching_until': 'a search that is under way',
  'public.share_link': 'hashes of links',
  'public.share_vote.voter': 'a hash',
  'public.key_traffic.requests': 'goes on being counted between the look and the export; likewise the next one',
  'public.key_traffic.failed': '',
  'people.session.token': 'a hash',
  'people.emailed_link.hash': 'a hash',
  'people.login.password': 'a hash',
  'people.login.access_token': 'a secret of a provider',
  'people.two_factor.secret': 'a secret',
  'people.two_factor.backup_codes': 'secrets',
  'people.passkey.public_key': 'proves the device, tells nothing',
  'people.passkey.counter': 'as above',
  'public.webhook.secret': 'a secret, sealed',
  'public.webhook.busy_by': 'who is sending just now; likewise the next ones',
  'public.webhook.busy_until': '',
  'public.webhook.wake_at': '',
  'people.oauth_client.client_secret': 'a secret',
  'people.oauth_access_token.token': 'a hash',
  'people.oauth_refresh_token.token': 'a hash',
  'people.login.id': 'nobody else knows this row by it; likewise the next ones',
  'people.two_factor.id': '',
  'people.oauth_access_token.id': '',
  'people.oauth_refresh_token.id': '',
  'people.oauth_consent.id': '',
}

const PEOPLE_TABLES = [
  'jobs.job',
  'people.emailed_link',
  'people.login',
  'people.oauth_access_token',
  'people.oauth_client',
  'people.oauth_consent',
  'people.oauth_refresh_token',
  'people.passkey',
  'people.session',
  'people.two_factor',
  'people.user',
  'people.verification',
]
async function tablesOfAccounts(): Promise<readonly string[]> {
  const { rows } = await at.world.owner.query<{ name: string }>(
    `SELECT 'public.' || relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition AND (relname = 'account' OR EXISTS (
       SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id' AND NOT attisdropped))`,
  )
  return rows.map(({ name }) => name)
}

const remove = (person: SignedIn) => person.ask('/settings/me', { method: 'DELETE' })
const redisUrl = () => at.world.env['NAMEWRIGHT_REDIS_URL'] ?? ''
const tablesOf = (traces: readonly Trace[]) => [...new Set(traces.map(({ table }) => table))].toSorted()

test(
  'the export holds every row of every table that names the person, and no secret',
  { timeout: 60_000 },
  async () => {
    const life = await liveFully(at)
    const traces = await findTraces(at.world.owner, life.marks)
    // The check below is worth as much as the life that was lived.
    expect(tablesOf(traces)).toEqual([...PEOPLE_TABLES, ...(await tablesOfAccounts())].toSorted())
    const reply = await life.person.ask('/settings/me/export')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="namewright-\d{4}-\d\d-\d\d\.json"$/,
    )
    expect(reply.headers.get('content-type')).toContain('application/json')
    const objects = objectsIn(reply.json, new Set([plain(life.person.userId)]))
    const missing = traces.filter((trace) => !isIn(objects, trace, life))
    expect(missing).toEqual([])

    const noted = await at.world.owner.query(
      `SELECT 1 FROM security_event WHERE account_id = $1 AND action = 'exported'`,
      [life.person.userId],
    )
    expect(noted.rowCount).toBe(1)
    expect(reply.text).toContain('"exported"')
    for (const secret of ['sealed', life.ownKey, life.sharedKey, '$argon2']) expect(reply.text).not.toContain(secret)
    const friends = await findTraces(at.world.owner, [life.friend.email])
    expect(friends.length).toBeGreaterThan(0)
    for (const mark of [life.friend.email, life.friend.address]) expect(reply.text).not.toContain(mark)
  },
)

test('a person who is deleted leaves nothing, in no table and not in Redis', { timeout: 60_000 }, async () => {
  const life = await liveFully(at)
  const { person, friend, sharedTeam, sharedKey, marks, keyIds, ownKey } = life
  const other = await at.startNode()
  const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
  expect((await person.ask(`${other.url}/v1/history`, withKey(ownKey))).status).toBe(200)
  const inRedis = await findInRedis(redisUrl(), keyIds)
  expect(inRedis.filter((entry) => entry.startsWith('q:'))).toHaveLength(2)
  const shared = await countShared(sharedTeam)

  expect((await remove(person)).status).toBe(200)
  const refused = await person.ask(`${other.url}/v1/history`, withKey(ownKey))
  expect({ status: refused.status, code: refused.json.error.code }).toEqual({ status: 401, code: 'invalid_token' })
  // What was still being noted when the answer was sent.
  await sleep(300)
  expect(await findTraces(at.world.owner, marks)).toEqual([])
  expect(await findInRedis(redisUrl(), [...marks, ...keyIds])).toEqual([])

  // What belongs to the others is as it was, but for who made it.
  expect(await countShared(sharedTeam)).toEqual({ ...shared, members: 1, invitations: 0 })
  expect((await friend.ask('/v1/history', withKey(sharedKey))).json.data.history).toHaveLength(1)
  const log = await at.world.owner.query('SELECT action, actor FROM security_event WHERE account_id = $1 ORDER BY id', [
    sharedTeam,
  ])
  expect(log.rows).toContainEqual({ action: 'account_changed', actor: null })
  // Both of one moment, in any order.
  expect(
    log.rows
      .slice(-2)
      .map(({ action, actor }) => `${action} ${actor}`)
      .toSorted(),
  ).toEqual(['key_review_due null', 'member_removed null'])
  expect((await friend.ask(`/settings/accounts/${sharedTeam}/members`)).json.data.members).toHaveLength(1)
  await expect(at.signIn(person.email, person.password)).rejects.toThrow('401')
})

test(
  'requests that are under way while their account is deleted leave nothing either',
  { timeout: 60_000 },
  async () => {
    const person = await at.signUp('Busy Bee')
    const marks = [person.userId, person.email]
    const { secret } = await at.world.makeKey(person.userId as AccountId, { createdBy: person.userId })
    const headers = { authorization: `Bearer ${secret}` }
    const statuses: number[] = []
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let i = 0; statuses.filter((status) => status === 401).length < 8; i++) {
        const domain = `busy-bee-${caller}-${i}.com`
        const replies = await Promise.all([
          person.ask('/v1/generate', { body: { description: 'honey from the garden', count: 3 }, headers }),
          person.ask('/v1/favorites', { body: { domain }, headers: { ...headers, 'idempotency-key': domain } }),
        ])
        statuses.push(...replies.map(({ status }) => status))
      }
    })
    await expect.poll(() => statuses.length).toBeGreaterThan(8)
    expect((await remove(person)).status).toBe(200)
    await Promise.all(callers)
    expect([...new Set(statuses)].filter((status) => ![200, 201, 401, 503].includes(status))).toEqual([])
    expect(await findTraces(at.world.owner, marks)).toEqual([])
  },
)

test('deleting twice, one after the other or at once, is harmless', async () => {
  const ada = await at.signUp()
  expect((await remove(ada)).status).toBe(200)
  expect((await remove(ada)).status).toBe(401)
  const ben = await at.signUp()
  await at.world.makeKey(ben.userId as AccountId)
  const replies = await Promise.all([remove(ben), remove(ben), remove(ben)])
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { status, text } of replies) expect([200, 401, 503], text).toContain(status)
  expect(await findTraces(at.world.owner, [ada.userId, ben.userId, ada.email, ben.email])).toEqual([])
})

test('the only owner of what others use is not deleted, nor is anything else of theirs', async () => {
  const life = await liveFully(at)
  const { friend } = life
  const before = await findTraces(at.world.owner, [friend.userId])
  const reply = await remove(friend)
  expect({ status: reply.status, code: reply.json.error.code }).toEqual({ status: 409, code: 'last_owner' })
  expect(await findTraces(at.world.owner, [friend.userId])).toEqual(before)

  // With another owner they can go, and the team goes on.
  const path = `/settings/accounts/${life.sharedTeam}/members/${life.person.userId}`
  expect((await friend.ask(path, { method: 'PATCH', body: { role: 'owner' } })).status).toBe(200)
  expect((await remove(friend)).status).toBe(200)
  await sleep(300)
  expect(await findTraces(at.world.owner, [friend.userId, friend.email])).toEqual([])
  const left: Reply = await life.person.ask(`/settings/accounts/${life.sharedTeam}`)
  expect(left.json.data.account).toMatchObject({ name: 'Shared team', role: 'owner' })
})

test('the same address may come again, as somebody new', async () => {
  const ada = await at.signUp('Ada')
  await remove(ada)
  const again = at.visitor()
  const body = { email: ada.email, name: 'Ada again', password: ada.password }
  expect((await again.ask('/auth/sign-up/email', { body })).status).toBe(200)
  const { link } = await at.smtp.waitFor(ada.email, 2)
  await at.confirm(link, ada.password, again)
  const back = await at.signIn(ada.email, ada.password)
  const { person, accounts } = (await back.ask('/settings/me')).json.data
  expect(person.id).not.toBe(ada.userId)
  expect(accounts).toHaveLength(1)
})

async function countShared(account: string) {
  const count = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE account_id = $1)`
  const { rows } = await at.world.owner.query(
    `SELECT ${count('member')} AS members, ${count('invitation')} AS invitations, ${count('api_key')} AS keys,
       ${count('history')} AS history, ${count('quota_block')} AS blocks, ${count('quota_period')} AS periods`,
    [account],
  )
  return rows[0]
}

/** Each object of the export, as the set of values it holds and stands in. */
function objectsIn(value: unknown, around: ReadonlySet<string>): ReadonlySet<string>[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, around))
  if (typeof value !== 'object' || value === null) return []
  const values = new Set([...around, ...Object.values(value).map(plain)])
  const isSmall = (item: unknown) => typeof item !== 'object' || item === null
  const passedOn = new Set([...around, ...Object.values(value).filter(isSmall).map(plain)])
  return [values, ...Object.values(value).flatMap((item) => objectsIn(item, passedOn))]
}

/** By all of its values; in the schema of Better Auth, whose columns are many, also by its id. */
function isIn(objects: readonly ReadonlySet<string>[], { table, row }: Trace, { person, sharedTeam }: Life): boolean {
  if (table in WITHHELD) return true
  const id = row['client_id'] ?? row['id']
  if (table === 'people.oauth_client' && objects.some((values) => values.has(plain(id)))) return true
  // What somebody else did to them in a team, without who it was.
  const isByOther =
    table === 'public.security_event' && row['account_id'] === sharedTeam && row['actor'] !== person.userId
  const shown = Object.entries(row).filter(
    ([column, value]) =>
      value !== null &&
      !(`${table}.${column}` in WITHHELD) &&
      !(isByOther && ['actor', 'ip', 'credential_id'].includes(column)),
  )
  return objects.some((values) => shown.every(([, value]) => values.has(plain(value))))
}

/** One spelling for what PostgreSQL and we write differently. */
function plain(value: unknown): string {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value)) return new Date(value).toISOString()
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${name}:${plain(item)}`).join()}}`
}
