/** What the database itself promises about tenants, whatever the application asks. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_ROLE, makeId, openPeoplePool, sql, type UserId } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'

// By which a tenant is found from the hash of a key or a link, before it is known who calls; those who watch a domain, and
// those who get an email about it.
const LOOKUPS = ['change_email', 'key_secret', 'share_link', 'watcher']
const TENANT_TABLES = [
  'account',
  'account_plan',
  'api_key',
  'application_rule',
  'batch',
  'batch_chunk',
  'batch_item',
  'delivery',
  'event',
  'favorite',
  'favorite_change',
  'history',
  'idempotent_answer',
  'invitation',
  'key_review',
  'key_traffic',
  'member',
  'quota_block',
  'quota_period',
  'retiring_use',
  'security_event',
  'share',
  'share_item',
  'share_vote',
  'stream_charge',
  'webhook',
]
// Whoever asks as a person sees in which accounts they are.
const MORE: Readonly<Record<string, string[]>> = { member: ['(user_id = acting_user())'] }

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
  await world.makeKey(await world.makeAccount())
})
afterAll(() => world[Symbol.asyncDispose]())

test('every table with an account in it is closed by a forced policy, or to the application altogether', async () => {
  const { rows } = await world.owner.query<{ name: string; open: boolean; forced: boolean; policies: string[] }>(
    `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced,
       has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') AS open,
       ARRAY(SELECT pg_get_expr(polqual, polrelid) FROM pg_policy WHERE polrelid = c.oid
         AND (polroles = '{0}' OR $1::regrole = ANY (polroles)) ORDER BY polname DESC) AS policies
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'public' AND relkind IN ('r', 'p', 'v', 'm') AND (relname = 'account' OR EXISTS (
       SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id' AND NOT attisdropped))
     ORDER BY relname`,
    [APP_ROLE],
  )
  const open = rows.filter((table) => table.open && !LOOKUPS.includes(table.name))
  expect(open.map(({ name }) => name)).toEqual(TENANT_TABLES)
  for (const { name, forced, policies } of open) {
    const column = name === 'account' ? 'id' : 'account_id'
    expect({ name, forced, policies }).toEqual({
      name,
      forced: true,
      policies: [`(${column} = acting_account())`, ...(MORE[name] ?? [])],
    })
  }
  // The partitions have no policies of their own: they are reached through their parent or not at all.
  expect(rows.filter(({ name }) => /^history_p\d+$/.test(name))).toHaveLength(64)
})

test('the application owns nothing and may step around nothing', async () => {
  const { rows } = await world.owner.query<Record<string, unknown>>(
    `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
       (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = r.oid AND deptype = 'o') AS owned,
       (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships
     FROM pg_roles r WHERE rolname = $1`,
    [APP_ROLE],
  )
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      owned: 0,
      memberships: 0,
    },
  ])
})

test('a connection that does not say whose it is sees no row of any tenant and can write none', async () => {
  const account = await world.makeAccount()
  const client = new pg.Client({ connectionString: world.databaseUrl, options: `-c role=${APP_ROLE}` })
  await client.connect()
  for (const table of TENANT_TABLES) {
    const { rows } = await client.query<{ seen: number }>(`SELECT count(*)::int AS seen FROM ${table}`)
    expect(rows, table).toEqual([{ seen: 0 }])
  }
  const insert = `INSERT INTO quota_period (account_id, key_id, kind, starts_on) VALUES ($1, $1, 'day', now())`
  await expect(client.query(insert, [account])).rejects.toMatchObject({ code: '42501' })
  await expect(client.query('SELECT FROM history_p0')).rejects.toMatchObject({ code: '42501' })
  await client.end()
  const { rows } = await world.owner.query<{ keys: number }>('SELECT count(*)::int AS keys FROM api_key')
  expect(rows).toEqual([{ keys: 1 }])
})

test('whose a key is may be read by its hash, but only its own account can write that', async () => {
  const [mine, theirs] = [await world.makeAccount(), await world.makeAccount()]
  const { id } = await world.makeKey(theirs)
  const retire = sql('retire_all', 'UPDATE key_secret SET expires_at = now() WHERE key_id = $1', [id])
  expect((await world.db.as(mine, [retire]))[0].count).toBe(0)
  expect((await world.db.as(theirs, [retire]))[0].count).toBe(1)
  const plant = sql('plant', 'INSERT INTO key_secret (hash, account_id, key_id) VALUES ($1, $2, $3)', [
    Buffer.alloc(32),
    theirs,
    id,
  ])
  await expect(world.db.as(mine, [plant])).rejects.toMatchObject({ code: '42501' })
})

test('the application cannot read who people are; it can only ask whose a token is', async () => {
  const tables = await world.owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'people' AND relkind = 'r' AND has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE')`,
    [APP_ROLE],
  )
  expect(tables.rows).toEqual([])
  const asked = await world.db.lookup(sql('find', 'SELECT * FROM people.find_token($1)', ['0'.repeat(64)]))
  expect(asked.rows).toEqual([])
  await expect(world.db.lookup(sql('people', 'SELECT email FROM people."user"', []))).rejects.toThrow('denied')
})

test('the connections that sign people in reach nothing that a tenant owns', async () => {
  const people = openPeoplePool({ url: world.databaseUrl })
  try {
    for (const table of [...TENANT_TABLES, ...LOOKUPS]) {
      await expect(people.run(`SELECT * FROM public.${table}`), table).rejects.toThrow('denied')
    }
  } finally {
    await people.close()
  }
})

test('a person who names an account they are not in acts in none, though no statement filters', async () => {
  const [mine, theirs] = [await world.makeAccount(), await world.makeAccount()]
  await world.makeKey(theirs)
  const me = makeId(Date.now()) as UserId
  const add = `INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())`
  await world.db.as(mine, [sql('add', add, [mine, me])])
  const keys = sql('all_keys', 'SELECT * FROM api_key', [])
  for (const [account, seen] of [
    [mine, mine],
    [theirs, null],
  ] as const) {
    const who = sql<{ account: string | null }>('who', 'SELECT acting_account()::text AS account', [])
    const [acting, rows] = await world.db.as({ accountId: account, userId: me }, [who, keys])
    expect(acting.rows).toEqual([{ account: seen }])
    expect(rows.rows).toEqual([])
  }
  const insert = sql('steal', add.replace("'owner'", "'admin'"), [theirs, me])
  await expect(world.db.as({ accountId: theirs, userId: me }, [insert])).rejects.toThrow('row-level security')
})
