/** What the database itself promises about tenants, whatever the application asks. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_ROLE, sql } from '../../src/db/db.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'

// By which a tenant is found from the hash of a key, before it is known who calls.
const LOOKUPS = ['key_secret']
const TENANT_TABLES = ['account', 'api_key', 'favorite', 'history', 'idempotent_answer', 'quota_block', 'quota_period']

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.makeKey(await world.makeAccount())
})
afterAll(() => world[Symbol.asyncDispose]())

test('every table with an account in it is closed by a forced policy, or to the application altogether', async () => {
  const { rows } = await world.owner.query<{ name: string; open: boolean; forced: boolean; policies: string[] }>(
    `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced,
       has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') AS open,
       ARRAY(SELECT pg_get_expr(polqual, polrelid) FROM pg_policy WHERE polrelid = c.oid) AS policies
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
    expect({ name, forced, policies }).toEqual({ name, forced: true, policies: [`(${column} = acting_account())`] })
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
