/** Accounts on a real database: their settings, how a change of them reaches every node, and how a long history is exported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountId,
  type Accounts,
  forgetMaker,
  makeId,
  type Members,
  openAccounts,
  openAuditLog,
  openHistory,
  openMembers,
  sql,
  type UserId,
} from '../../../test/source.ts'
import { startApp } from '../../../test/start-app.ts'
import type { World } from '../../../test/world.ts'

let world: World
let accounts: Accounts
let members: Members
const now = Date.now
beforeAll(async () => {
  world = await startApp({ own: true })
  accounts = openAccounts({ db: world.db, now })
  members = openMembers({ db: world.db, now })
})
afterAll(() => world[Symbol.asyncDispose]())

const makeUserId = () => makeId(now()) as UserId

async function makeOwned(name = 'owned') {
  const [account, userId] = [await accounts.create({ name }), makeUserId()]
  await world.db.as(account, [members.adding(account, userId, 'owner')])
  return { account, userId, owner: { accountId: account, userId } }
}

describe('an account', () => {
  test('is made with an id of its own or a given one, by itself or with something else', async () => {
    const own = await accounts.create({ name: 'one', language: 'de', currency: 'EUR', historyDays: 30 })
    expect(await accounts.find(own)).toEqual({
      id: own,
      name: 'one',
      language: 'de',
      currency: 'EUR',
      history_days: 30,
      created_at: expect.any(Date),
    })
    const given = makeId(now()) as AccountId
    expect(await accounts.create({ name: 'two', id: given })).toBe(given)
    expect(await accounts.find(given)).toMatchObject({
      name: 'two',
      language: null,
      currency: null,
      history_days: null,
    })

    const [id, userId] = [makeId(now()) as AccountId, makeUserId()]
    await world.db.as(id, [accounts.creating({ name: 'three' }, id), members.adding(id, userId, 'owner')])
    expect(await accounts.find({ accountId: id, userId })).toMatchObject({ name: 'three' })
  })

  test('changes what is given, keeps what is not, and loses what is null', async () => {
    const { account, owner } = await makeOwned()
    const set = await accounts.change(owner, { language: 'fr', currency: 'JPY', historyDays: 0 })
    expect(set).toMatchObject({ id: account, name: 'owned', language: 'fr', currency: 'JPY', history_days: 0 })
    expect(await accounts.change(owner, { name: 'renamed' })).toMatchObject({ ...set, name: 'renamed' })
    const off = await accounts.change(owner, { language: null, currency: null, historyDays: null })
    expect(off).toMatchObject({ name: 'renamed', language: null, currency: null, history_days: null })
    expect(await accounts.find(account)).toEqual(off)
  })

  test('changes together with what is given along, or not at all', async () => {
    const { account, owner } = await makeOwned()
    const broken = [sql('test_broken', 'SELECT 1 / 0', [])]
    await expect(accounts.change(owner, { name: 'never' }, broken)).rejects.toThrow('division by zero')
    const friend = makeUserId()
    await accounts.change(owner, { name: 'shared' }, [members.adding(account, friend, 'viewer')])
    expect(await accounts.find({ accountId: account, userId: friend })).toMatchObject({ name: 'shared' })
  })

  test('is called by its name for everybody who is in it', async () => {
    const [one, two, three] = [await makeOwned('one'), await makeOwned('two'), await makeOwned('three')]
    await world.db.as(two.account, [members.adding(two.account, one.userId, 'viewer')])
    const { userId } = one
    const mine = (await members.listAccounts(userId)).map(({ account_id: accountId }) => ({ accountId, userId }))
    expect(await accounts.namesOf([...mine, { accountId: three.account, userId }])).toEqual(
      new Map([
        [one.account, 'one'],
        [two.account, 'two'],
      ]),
    )
    expect(await accounts.namesOf([])).toEqual(new Map())
  })

  test('is neither seen nor changed by somebody who is not a member', async () => {
    const { account } = await makeOwned('theirs')
    const { userId, owner } = await makeOwned('mine')
    const stranger = { accountId: account, userId }
    expect(await accounts.find(stranger)).toBeUndefined()
    const note = openAuditLog({ db: world.db, now }).noting(account, {
      action: 'account_changed',
      actor: userId,
      ip: null,
      detail: {},
    })
    expect(await accounts.change(stranger, { name: 'taken' }, [note])).toBeUndefined()
    expect(await accounts.find(owner)).toMatchObject({ name: 'mine' })
    expect(await accounts.find(account)).toMatchObject({ name: 'theirs' })
    expect((await world.owner.query('SELECT FROM security_event WHERE account_id = $1', [account])).rowCount).toBe(0)
  })
})

test('a change of an account is known wherever its keys are remembered', async () => {
  const [account, other] = [await world.makeAccount(), await world.makeAccount()]
  const [key, second, strange] = await Promise.all([account, account, other].map((of) => world.makeKey(of)))
  const settings = async () =>
    Promise.all(
      [key, second, strange].map(async (made) => {
        const at = { ip: '127.0.0.1', audience: 'v1' as const }
        const { language, historyDays } = await world.keys.verify(made?.secret ?? '', at)
        return [language, historyDays]
      }),
    )
  expect(await settings()).toEqual(Array.from({ length: 3 }, () => [undefined, null]))
  await accounts.change(account, { language: 'it', historyDays: 7 })
  await expect.poll(settings).toEqual([
    ['it', 7],
    ['it', 7],
    [undefined, null],
  ])
  const { rows } = await world.owner.query<{ key_id: string }>('SELECT DISTINCT key_id FROM key_change')
  expect(new Set(rows.map(({ key_id: id }) => id))).toEqual(new Set([key?.id, second?.id]))
})

test('a key that a deleted person made lives on and no longer says by whom', async () => {
  const { account, userId } = await makeOwned()
  const { id } = await world.makeKey(account, { createdBy: userId })
  const { id: another } = await world.makeKey(account, { createdBy: 'another' })
  await world.db.as(account, [forgetMaker(account, userId)])
  const made = (await world.keys.list(account)).map((row) => [row.id, row.created_by])
  expect(Object.fromEntries(made)).toEqual({ [id]: null, [another]: 'another' })
})

describe('the history of an account', () => {
  test('is exported in pages, each row once, and read no further than it is asked for', async () => {
    const { account, owner } = await makeOwned()
    await world.owner.query(
      `INSERT INTO history SELECT $1, gen_random_uuid(), now(), gen_random_uuid(), 'n' || n, 1, 'en', '{}', '[]'
       FROM generate_series(1, 1234) n`,
      [account],
    )
    const reading = openHistory({ db: world.db, now }).exporting(owner).history![Symbol.asyncIterator]()
    expect((await reading.next()).value).toMatchObject({ count: 1 })
    const again = openHistory({ db: world.db, now }).exporting(owner).history!
    const rows = (await Array.fromAsync(again)) as { description: string }[]
    expect(new Set(rows.map(({ description }) => description)).size).toBe(1234)
    expect(rows).toHaveLength(1234)
  })

  test('is in no export of somebody who is not a member, and in no further page of somebody who was', async () => {
    const { account, userId } = await makeOwned()
    const guest = makeUserId()
    await world.owner.query(
      `INSERT INTO history SELECT $1, gen_random_uuid(), now(), gen_random_uuid(), 'n', 1, 'en', '{}', '[]'
       FROM generate_series(1, 500)`,
      [account],
    )
    const exportTo = (reader: UserId) =>
      openHistory({ db: world.db, now }).exporting({ accountId: account, userId: reader }).history!
    expect(await Array.fromAsync(exportTo(guest))).toEqual([])
    await world.db.as(account, [members.adding(account, guest, 'admin')])
    let seen = 0
    for await (const row of exportTo(guest)) {
      expect(row).toBeDefined()
      if (++seen === 1) await members.remove(account, guest)
    }
    expect(seen).toBe(100)
    expect(await Array.fromAsync(exportTo(userId))).toHaveLength(500)
  })
})
