/** The audit log on a real database: what it keeps, in which order, for how long, and from whom. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountId,
  type AuditLog,
  makeId,
  openAuditLog,
  openMembers,
  SECURITY_ACTIONS,
  type SecurityNote,
  sql,
  type UserId,
} from '../../../test/source.ts'
import { startApp } from '../../../test/start-app.ts'
import type { World } from '../../../test/world.ts'

const DAY_MS = 86_400_000

let world: World
let log: AuditLog
// No two notes are of the same moment, so that their order is known.
let ticks = 0
let at = Date.now()
beforeAll(async () => {
  world = await startApp({ own: true })
  log = openAuditLog({ db: world.db, now: () => at + ticks++ })
})
afterAll(() => world[Symbol.asyncDispose]())

const person = makeId(0) as UserId
const noteOf = (more: Partial<SecurityNote> = {}): SecurityNote => ({
  action: 'signed_in',
  actor: person,
  ip: '192.0.2.1',
  detail: {},
  ...more,
})

test('the log answers what was noted, newest first and page by page', async () => {
  const account = await world.makeAccount()
  for (const action of SECURITY_ACTIONS) await log.note(account, noteOf({ action, detail: { name: `“${action}”` } }))
  const newestFirst = SECURITY_ACTIONS.toReversed()
  const seen: string[] = []
  for (let before: string | undefined; ;) {
    const page = await log.list(account, { limit: 10, ...(before === undefined ? {} : { before }) })
    seen.push(...page.slice(0, 10).map(({ action }) => action))
    if (page.length <= 10) break
    before = page[9]?.id
  }
  expect(seen).toEqual(newestFirst)
  const [newest] = await log.list(account, { limit: 1 })
  expect(newest).toEqual({
    id: expect.any(String),
    created_at: expect.any(Date),
    action: newestFirst[0],
    actor: person,
    ip: '192.0.2.1',
    detail: { name: `“${newestFirst[0]}”` },
  })
})

test('a note is there with what it tells, or neither is', async () => {
  const account = await world.makeAccount()
  const members = openMembers({ db: world.db, now: Date.now })
  const joining = [members.adding(account, person, 'owner'), log.noting(account, noteOf({ action: 'member_joined' }))]
  await expect(world.db.as(account, [...joining, sql('test_broken', 'SELECT 1 / 0', [])])).rejects.toThrow()
  expect([await members.list(account), await log.list(account, { limit: 10 })]).toEqual([[], []])
  await world.db.as(account, joining)
  expect(await members.list(account)).toHaveLength(1)
  expect(await log.list(account, { limit: 10 })).toMatchObject([{ action: 'member_joined' }])
})

test('notes are hidden after 90 days, and deleted as the account goes on noting', async () => {
  const account = await world.makeAccount()
  const start = at
  for (let i = 0; i < 45; i++) await log.note(account, noteOf())
  at = start + 90 * DAY_MS - DAY_MS
  expect(await log.list(account, { limit: 100 })).toHaveLength(45)
  at = start + 90 * DAY_MS + DAY_MS
  expect(await log.list(account, { limit: 100 })).toEqual([])
  expect(await stored(account)).toHaveLength(45)
  for (const left of [26, 7, 3]) {
    await log.note(account, noteOf())
    expect(await stored(account)).toHaveLength(left)
  }
  expect(await log.list(account, { limit: 100 })).toHaveLength(3)
  at = start
})

describe('a person who is deleted', () => {
  const other = makeId(1) as UserId

  test('leaves what they did and not who they were', async () => {
    const [account, elsewhere] = [await world.makeAccount(), await world.makeAccount()]
    await log.note(account, noteOf({ action: 'key_created', detail: { name: 'main' } }))
    await log.note(account, noteOf({ action: 'member_joined', actor: other, detail: { user_id: person } }))
    const invited = { email: 'Person@Example.com', role: 'admin' }
    await log.note(account, noteOf({ action: 'member_invited', actor: other, detail: invited }))
    await log.note(account, noteOf({ action: 'key_revoked', actor: other, detail: { name: 'old' } }))
    await log.note(elsewhere, noteOf())
    await world.db.as(account, log.forgetActor(account, person, 'person@example.com'))
    const listed = (await log.list(account, { limit: 10 })).map(({ action, actor, ip, detail }) => [
      action,
      actor,
      ip,
      detail,
    ])
    expect(listed).toEqual([
      ['key_revoked', other, '192.0.2.1', { name: 'old' }],
      ['member_invited', other, '192.0.2.1', { role: 'admin' }],
      ['member_joined', other, '192.0.2.1', {}],
      ['key_created', null, null, { name: 'main' }],
    ])
    expect(await log.list(elsewhere, { limit: 10 })).toMatchObject([{ actor: person, ip: '192.0.2.1' }])
  })

  test('is forgotten without an address, too', async () => {
    const account = await world.makeAccount()
    await log.note(account, noteOf({ detail: { user_id: person, name: 'main' } }))
    await world.db.as(account, log.forgetActor(account, person))
    expect(await log.list(account, { limit: 10 })).toMatchObject([{ actor: null, ip: null, detail: { name: 'main' } }])
  })
})

async function stored(account: AccountId): Promise<object[]> {
  return (await world.owner.query<object>('SELECT * FROM security_event WHERE account_id = $1', [account])).rows
}
