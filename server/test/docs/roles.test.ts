/** The set-ups of docs/configuration.md, run as an administrator would, under names of this test's own. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openAccounts } from '../../src/accounts/accounts.ts'
import { APP_ROLE, openDb } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ADMIN_URL } from '../world.ts'
import { blocksOf, readPage, sectionOf } from './pages.ts'

const page = readPage('docs/configuration.md')

async function setUp(heading: string, work: (urlOf: (role: string) => string) => Promise<void>): Promise<void> {
  const mark = randomBytes(4).toString('hex')
  const own = (name: string) => `${name}_${mark}`
  const [sql = ''] = blocksOf(sectionOf(page, heading), 'sql')
  // The application's role is shared by all databases of a server, so its name stays.
  const renamed = sql.replace(/\bnamewright(_owner)?\b/g, own)
  const statements = renamed.split(';\n').filter((one) => one.trim() !== '')
  const admin = new pg.Client(ADMIN_URL)
  await admin.connect()
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [APP_ROLE])
    for (const one of statements.slice(rowCount === 0 ? 0 : 1)) await admin.query(one)
    await work((role) => `postgres://${own(role)}:change-me@127.0.0.1:5432/${own('namewright')}`)
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${own('namewright')} WITH (FORCE)`)
    await admin.query(`DROP ROLE IF EXISTS ${own('namewright')}, ${own('namewright_owner')}`)
    await admin.end()
  }
}

async function serves(url: string): Promise<void> {
  const db = openDb({ url, poolSize: 1 })
  try {
    await openAccounts({ db, now: Date.now }).create({ name: 'first' })
    const { rows } = await db.lookup({ name: 'who', text: 'SELECT current_user AS role', values: [] })
    expect(rows).toEqual([{ role: APP_ROLE }])
  } finally {
    await db.close()
  }
}

test('the set-up with one role can migrate and serve', async () => {
  await setUp('### One role', async (urlOf) => {
    expect(await migrate(urlOf('namewright'))).not.toEqual([])
    await serves(urlOf('namewright'))
  })
})

test('in the set-up with two roles the one that serves cannot switch row-level security off', async () => {
  await setUp('### Two roles', async (urlOf) => {
    expect(await migrate(urlOf('namewright_owner'))).not.toEqual([])
    await serves(urlOf('namewright'))
    const client = new pg.Client(urlOf('namewright'))
    await client.connect()
    try {
      await expect(client.query('ALTER TABLE history DISABLE ROW LEVEL SECURITY')).rejects.toThrow('must be owner')
      await expect(
        client.query('SET ROLE namewright_app; ALTER TABLE history NO FORCE ROW LEVEL SECURITY'),
      ).rejects.toThrow('must be owner')
    } finally {
      await client.end()
    }
  })
})
