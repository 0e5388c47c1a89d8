/**
 * Accounts on a real database: their settings, how a change of them reaches every node, and that an account can be
 * taken along whole and forgotten whole, whatever tables there are.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts } from '../src/tenancy/accounts/accounts.ts'
import type { Accounts } from '../src/tenancy/accounts/accounts.ts'
import { openBatches } from '../src/automation/batches/batches.ts'
import { openCache } from '../src/platform/cache/cache.ts'
import type { Cache } from '../src/platform/cache/cache.ts'
import { sql } from '../src/platform/db/db.ts'
import type { Acting, Statement } from '../src/platform/db/db.ts'
import type { Exported } from '../src/platform/db/walk.ts'
import { openFavorites } from '../src/library/favorites/favorites.ts'
import { openHistory } from '../src/library/history/history.ts'
import { openIdempotency } from '../src/platform/idempotency/idempotency.ts'
import { exporting as exportingKeys } from '../src/tenancy/keys/exporting.ts'
import { forgetMaker, forgetting as forgettingKeys } from '../src/tenancy/keys/forgetting.ts'
import { openMembers } from '../src/tenancy/members/members.ts'
import type { Members } from '../src/tenancy/members/members.ts'
import type { AccountId } from '../src/model/caller.ts'
import type { Domain } from '../src/model/domain.ts'
import { makeId } from '../src/model/id.ts'
import type { UserId } from '../src/model/member.ts'
import { exporting as exportingQuota } from '../src/tenancy/quota/exporting.ts'
import { forgetting as forgettingQuota } from '../src/tenancy/quota/forgetting.ts'
import { openAuditLog } from '../src/tenancy/audit-log/audit-log.ts'
import { openShares } from '../src/library/shares/shares.ts'
import { openTraffic } from '../src/tenancy/traffic/traffic.ts'
import type { Traffic } from '../src/tenancy/traffic/traffic.ts'
import { openChanges } from '../src/library/watch/changes.ts'
import { openWebhooks } from '../src/automation/webhooks/webhooks.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'
import { REDIS_TIMEOUT_MS, REDIS_URL } from './redis.ts'

let world: World
let cache: Cache
let accounts: Accounts
let members: Members
let traffic: Traffic
const now = Date.now
beforeAll(async () => {
  world = await openWorld()
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
  accounts = openAccounts({ db: world.db, now })
  members = openMembers({ db: world.db, now })
  traffic = openTraffic({ db: world.db, now, onLoss: () => {} })
})
afterAll(async () => {
  await traffic.close()
  await cache.close()
  await world[Symbol.asyncDispose]()
})

// Hashes and secrets, who is sending to a webhook just now, and what no account of anybody's is.
const WITHHELD = [
  'is_visitors',
  'account_id',
  'hash',
  'code_hash',
  'host',
  'version',
  'searching_until',
  'voter',
  'secret',
  'old_secret',
  'busy_by',
  'busy_until',
  'wake_at',
]

const webhooksOf = ({ db }: World) =>
  openWebhooks({ db, now, secrets: ['secret'], allowed: [], send: () => Promise.reject(new Error('nothing is sent')) })

const sharesOf = ({ db }: World) => openShares({ db, now, secrets: ['secret'] })

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

  test('is closed to somebody who is not a member, even to statements that filter nothing', async () => {
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
    const unfiltered = [
      sql('test_seen', 'SELECT id FROM account', []),
      sql('test_update', `UPDATE account SET name = 'taken'`, []),
      sql('test_delete', 'DELETE FROM account', []),
    ] as const
    const counts = (await world.db.as(stranger, unfiltered)).map(({ count }) => count)
    expect(counts).toEqual([0, 0, 0])
    await world.db.as(owner, unfiltered.slice(0, 2))
    expect(await accounts.find(owner)).toMatchObject({ name: 'taken' })
    expect(await accounts.find(account)).toMatchObject({ name: 'theirs' })
  })
})

test('a change of an account is known wherever its keys are remembered within a second', async () => {
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
  await sleep(1000)
  expect(await settings()).toEqual([
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

describe('everything an account has', () => {
  test('is forgotten with it, and nothing of another account', async () => {
    const [gone, stays] = [await fillAccount(), await fillAccount()]
    const before = await countsOf(stays.account)
    expect(Object.values(await countsOf(gone.account)).every((count) => count > 0)).toBe(true)
    await world.db.as(gone.account, forgettingAll(gone.account))
    expect(Object.entries(await countsOf(gone.account)).filter(([, count]) => count > 0)).toEqual([])
    expect(await countsOf(stays.account)).toEqual(before)
    await sleep(1000)
    const at = { ip: '127.0.0.1', audience: 'v1' as const }
    await expect(world.keys.verify(gone.secret, at)).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('is out of reach of the statements that forget, for somebody who is not a member', async () => {
    const { account } = await fillAccount()
    const before = await countsOf(account)
    const { userId } = await makeOwned()
    const unfiltered = forgettingAll(account).map((statement) => ({
      ...statement,
      name: `test_${statement.name}`,
      text: statement.text.replace(/WHERE (?:account_)?id = \$1/, 'WHERE $1::uuid IS NOT NULL'),
    }))
    await world.db.as({ accountId: account, userId }, unfiltered)
    expect(await countsOf(account)).toEqual(before)
  })

  test('is in its export, with every column but hashes and what only the service needs', async () => {
    const { account, owner } = await fillAccount()
    const taken = await collect(owner)
    const tables: Record<string, string> = {
      account: 'account',
      account_plan: 'plan',
      api_key: 'keys',
      application_rule: 'application_rules',
      batch: 'batches',
      batch_chunk: 'batch_chunks',
      batch_item: 'batch_items',
      delivery: 'deliveries',
      event: 'events',
      favorite: 'favorites',
      favorite_change: 'favorite_changes',
      history: 'history',
      invitation: 'invitations',
      key_review: 'key_reviews',
      key_traffic: 'key_traffic',
      member: 'members',
      retiring_use: 'retiring_uses',
      security_event: 'security_events',
      share: 'shares',
      share_item: 'share_items',
      share_vote: 'share_votes',
      stream_charge: 'stream_charges',
      webhook: 'webhooks',
    }
    // Hashes, a ledger whose sums are in `quota_use`, answers that are repeated for a day, and what `favorite` says.
    const leftOut = ['idempotent_answer', 'key_secret', 'quota_block', 'quota_period', 'share_link', 'watcher']
    const counts = await countsOf(account)
    expect(Object.keys(counts).toSorted()).toEqual([...Object.keys(tables), ...leftOut].toSorted())
    for (const [table, kind] of Object.entries(tables)) {
      expect([table, taken[kind]?.length]).toEqual([table, counts[table]])
      const columns = (await columnsOf(table)).filter((name) => !WITHHELD.includes(name))
      for (const row of taken[kind] ?? []) expect(Object.keys(row).toSorted()).toEqual(columns)
    }
    expect(taken.history?.[0]).toMatchObject({ options: { tone: 'calm' }, suggestions: [{ name: 'Fernhill' }] })
    expect(taken.favorites?.[0]).toMatchObject({ saved: { available: true }, current: { available: true } })
    expect(taken.favorite_changes?.[0]).toMatchObject({ before: { available: true }, after: { available: false } })
    expect(taken.batch_chunks?.[0]).toMatchObject({ requests: [{ description: 'a garden' }, null] })
    expect(taken.batch_items?.[0]).toMatchObject({ n: 1, result: null, error: { code: 'invalid_request' } })
    expect(taken.events?.[0]).toMatchObject({ type: 'quota.warning', data: { percent: 50 } })
    expect(taken.security_events?.[0]).toMatchObject({ action: 'signed_in', detail: { with: 'passkey' } })
    expect(taken.share_items?.[0]).toMatchObject({ domain: 'fernhill.com', seen: { available: true } })
    expect(taken.quota_use).toEqual([
      { key_id: expect.any(String), kind: 'day', starts_on: '2026-11-15', used: 30 },
      { key_id: expect.any(String), kind: 'day', starts_on: '2026-11-16', used: 20 },
      { key_id: expect.any(String), kind: 'month', starts_on: '2026-11-01', used: 50 },
    ])
    expect(JSON.stringify(taken)).not.toMatch(/hash/i)
  })

  test('is exported in pages, each row once, and read no further than it is asked for', async () => {
    const { account, owner } = await makeOwned()
    await world.owner.query(
      `INSERT INTO history SELECT $1, gen_random_uuid(), now(), gen_random_uuid(), 'n' || n, 1, 'en', '{}', '[]'
       FROM generate_series(1, 1234) n`,
      [account],
    )
    const history = openHistory({ db: world.db, now }).exporting(owner).history ?? noRows()
    const [first] = await Array.fromAsync(firstOf(history))
    expect(first).toMatchObject({ count: 1 })
    const again = openHistory({ db: world.db, now }).exporting(owner).history ?? noRows()
    const rows = (await Array.fromAsync(again)) as { description: string }[]
    expect(new Set(rows.map(({ description }) => description)).size).toBe(1234)
    expect(rows).toHaveLength(1234)
  })

  test('is in no export of somebody who is not a member, and in no further page of somebody who was', async () => {
    const { account } = await fillAccount()
    const { userId } = await makeOwned()
    const taken = await collect({ accountId: account, userId })
    expect(Object.values(taken).every((rows) => rows.length === 0)).toBe(true)

    await world.owner.query(
      `INSERT INTO history SELECT $1, gen_random_uuid(), now(), gen_random_uuid(), 'n', 1, 'en', '{}', '[]'
       FROM generate_series(1, 500)`,
      [account],
    )
    await world.db.as(account, [members.adding(account, userId, 'admin')])
    let seen = 0
    const rows = openHistory({ db: world.db, now }).exporting({ accountId: account, userId }).history ?? noRows()
    for await (const row of rows) {
      expect(row).toBeDefined()
      if (++seen === 1) await members.remove(account, userId)
    }
    expect(seen).toBe(100)
  })
})

/** In the order that `tenancy/quota/forgetting.ts` asks for. */
function forgettingAll(account: AccountId): Statement[] {
  const { db } = world
  return [
    ...forgettingKeys(account),
    ...forgettingQuota(account),
    ...openHistory({ db, now }).forgetting(account),
    ...openChanges({ db }).forgetting(account),
    ...openFavorites({ db, now }).forgetting(account),
    ...openBatches({ db, now, days: 30 }).forgetting(account),
    ...openIdempotency({ db, cache, now }).forgetting(account),
    ...webhooksOf(world).forgetting(account),
    ...sharesOf(world).forgetting(account),
    ...openAuditLog({ db, now }).forgetting(account),
    ...members.forgetting(account),
    ...accounts.forgetting(account),
  ]
}

async function collect(acting: Acting): Promise<Record<string, object[]>> {
  const { db } = world
  const kinds: Exported = {
    ...accounts.exporting(acting),
    ...members.exporting(acting),
    ...exportingKeys(db, acting),
    ...exportingQuota(db, acting),
    ...openHistory({ db, now }).exporting(acting),
    ...openFavorites({ db, now }).exporting(acting),
    ...openChanges({ db }).exporting(acting),
    ...openBatches({ db, now, days: 30 }).exporting(acting),
    ...webhooksOf(world).exporting(acting),
    ...sharesOf(world).exporting(acting),
    ...traffic.exporting(acting),
    ...openAuditLog({ db, now }).exporting(acting),
  }
  const entries = Object.entries(kinds).map(async ([kind, rows]) => [kind, await Array.fromAsync(rows)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** An account with at least one row in every table that can hold one. */
async function fillAccount() {
  const { account, userId, owner } = await makeOwned()
  const { id: keyId, secret } = await world.makeKey(account)
  const at = { ip: '127.0.0.1', audience: 'v1' as const }
  const caller = await world.keys.verify(secret, at)
  await members.invite(owner, { email: 'a@example.com', role: 'viewer', invitedBy: userId })
  const { db } = world
  const entry = { description: 'a garden', count: 1, language: 'en', options: '{"tone":"calm"}' }
  const favorite = {
    domain: 'fernhill.com' as Domain,
    name: 'Fernhill',
    note: null,
    tags: ['green'],
    watch: true,
    seen: '{"available":true}',
  }
  const batch = {
    chunks: [{ size: 2, requests: '[{"description":"a garden","count":1},null]', wrong: 1 }],
    wrong: [{ n: 1, error: { code: 'invalid_request' as const } }],
    webhookId: null,
    language: 'en',
  }
  const event = [account, makeId(now()), '{"percent":50}']
  const webhook = { url: 'https://hooks.example.com/', events: ['quota.warning'], description: null } as const
  await db.transaction(account, (tx) => webhooksOf(world).create(tx, account, webhook, userId))
  await db.as(account, [
    ...openHistory({ db, now }).recording(caller, { ...entry, suggestions: '[{"name":"Fernhill"}]' }),
    openFavorites({ db, now }).adding(caller, favorite).statement,
    ...openBatches({ db, now, days: 30 }).accept(caller, batch, makeId(now())).statements,
    openAuditLog({ db, now }).noting(account, {
      action: 'signed_in',
      actor: userId,
      ip: null,
      detail: { with: 'passkey' },
    }),
    sql(
      'test_change',
      `INSERT INTO favorite_change SELECT account_id, id, id, now(), 'taken', current, '{"available":false}'
       FROM favorite WHERE account_id = $1`,
      [account],
    ),
    sql('test_event', `INSERT INTO event VALUES ($1, $2, now(), 'quota.warning', 'once', $3)`, event),
    sql(
      'test_periods',
      `INSERT INTO quota_period VALUES ($1, $2, 'day', '2026-11-15', 30), ($1, $2, 'day', '2026-11-16', 100),
         ($1, $2, 'month', '2026-11-01', 130)`,
      [account, keyId],
    ),
    // One closed, one with 20 of 100 used.
    sql(
      'test_blocks',
      `INSERT INTO quota_block VALUES
         ($1, $2, gen_random_uuid(), '2026-11-15', 30, 30, false, now(), now(), now()),
         ($1, $2, gen_random_uuid(), '2026-11-16', 100, 20, false, now(), now(), NULL)`,
      [account, keyId],
    ),
    sql('test_traffic', `INSERT INTO key_traffic VALUES ($1, $2, '2026-11-15', 'POST /v1/generate', 3, 1)`, [
      account,
      keyId,
    ]),
    sql('test_review', 'INSERT INTO key_review VALUES ($1, $2, now())', [account, keyId]),
    sql('test_use', `INSERT INTO retiring_use VALUES ($1, $2, 'nw_Ab…', '192.0.2.1', 'curl', 3, now())`, [
      account,
      keyId,
    ]),
    sql('test_plan', 'INSERT INTO account_plan (account_id, keys) VALUES ($1, 50)', [account]),
    sql('test_charge', `INSERT INTO stream_charge VALUES ($1, 'stream', now(), '{Fernhill}')`, [account]),
    sql('test_rule', `INSERT INTO application_rule VALUES ($1, 'agent', 'Agent', 'blocked', now())`, [account]),
    sql('test_answer', `INSERT INTO idempotent_answer VALUES ($1, 'key', '', now(), 200, '{}', '')`, [account]),
  ])
  await share(account, userId)
  return { account, userId, owner, secret }
}

/** The favorite, with a vote. */
async function share(account: AccountId, createdBy: UserId): Promise<void> {
  const shares = sharesOf(world)
  const { rows } = await world.owner.query<{ id: string }>('SELECT id FROM favorite WHERE account_id = $1', [account])
  const draft = {
    title: 'Ours',
    message: null,
    favoriteIds: rows.map(({ id }) => id),
    names: [],
    days: 1,
    showPrices: true,
    createdBy,
  }
  const { id, items } = await shares.create(account, draft)
  const votes = new Map(items.map((item) => [item.id, 'up'] as const))
  await shares.vote({ account, id }, { voter: Buffer.alloc(32), name: 'Ada', votes })
}

/** How many rows of an account there are, by every table that has an account in it. */
async function countsOf(account: AccountId): Promise<Record<string, number>> {
  const { rows: tables } = await world.owner.query<{ name: string; key: string }>(
    `SELECT relname AS name, CASE relname WHEN 'account' THEN 'id' ELSE 'account_id' END AS key
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'public' AND relkind IN ('r', 'p') AND NOT relispartition AND (relname = 'account' OR EXISTS (
       SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id' AND NOT attisdropped))`,
  )
  const counts = tables.map(async ({ name, key }) => {
    const text = `SELECT count(*)::int AS count FROM ${name} WHERE ${key} = $1`
    const { rows } = await world.owner.query<{ count: number }>(text, [account])
    return [name, rows[0]?.count ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await world.owner.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
    [table],
  )
  return rows.map(({ name }) => name).toSorted()
}

async function* firstOf(rows: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const row of rows) {
    yield row
    return
  }
}

async function* noRows(): AsyncGenerator<object> {}
