/** The set-ups of docs/configuration.md, run as an administrator would, under names of this test's own. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { ADMIN_URL } from '../../world.ts'
import { blocksOf, readPage, sectionOf } from '../../docs/pages.ts'
import {
  APP_ROLE,
  BEFORE_ALL,
  type Job,
  migrate,
  openAccounts,
  openDb,
  openJobs,
  openLog,
  openPeoplePool,
} from '../../source.ts'

const page = readPage('docs/configuration.md')

async function setUp(heading: string, work: (urlOf: (role: string) => string) => Promise<void>): Promise<void> {
  const mark = randomBytes(4).toString('hex')
  const own = (name: string) => `${name}_${mark}`
  const [sql = ''] = blocksOf(sectionOf(page, heading), 'sql')
  // The roles that cannot log in are shared by all databases of a server, so their names stay.
  const renamed = sql.replace(/\bnamewright(_owner)?\b/g, own)
  const statements = renamed.split(';\n').filter((one) => one.trim() !== '')
  const admin = new pg.Client(ADMIN_URL)
  await admin.connect()
  try {
    const { rows } = await admin.query<{ rolname: string }>('SELECT rolname FROM pg_roles')
    const isThere = (one: string) => rows.some(({ rolname }) => one.trim().startsWith(`CREATE ROLE ${rolname} NOLOGIN`))
    for (const one of statements.filter((statement) => !isThere(statement))) await admin.query(one)
    await work((role) => `postgres://${own(role)}:change-me@${new URL(ADMIN_URL).host}/${own('namewright')}`)
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${own('namewright')} WITH (FORCE)`)
    await admin.query(`DROP ROLE IF EXISTS ${own('namewright')}, ${own('namewright_owner')}`)
    await admin.end()
  }
}

async function serves(url: string): Promise<void> {
  const db = openDb({ url, poolSize: 1 })
  try {
    const accounts = openAccounts({ db, now: Date.now })
    await accounts.create({ name: 'first' })
    // The function behind it is the owner's, whom the policies bind as well.
    expect((await accounts.listTotals({ limit: 1 })).map(({ name }) => name)).toEqual(['first'])
    const { rows } = await db.lookup({ name: 'who', text: 'SELECT current_user AS role', values: [] })
    expect(rows).toEqual([{ role: APP_ROLE }])
  } finally {
    await db.close()
  }
  const people = openPeoplePool({ url })
  try {
    expect(await people.run('SELECT count(*)::int AS people FROM "user"')).toEqual([{ people: 0 }])
  } finally {
    await people.close()
  }
  await doesJobs(url)
}

/** Put in as the account, found and done by a worker, all with the rights that the page gives. */
async function doesJobs(url: string): Promise<void> {
  const db = openDb({ url, poolSize: 1 })
  const jobs = openJobs({ url, log: openLog('silent') })
  const done: unknown[] = []
  const batch = async (job: Job) => {
    if (job.account) await db.as(job.account, [job.finishing()])
    done.push(job.data)
  }
  const work = jobs.work({ handlers: { batch }, places: 3 })
  try {
    const [account] = await jobs.listAccounts(BEFORE_ALL, 1)
    if (account) await db.as(account, [jobs.enqueuing('batch', [{ data: { first: true } }])])
    await expect.poll(() => done, { timeout: 20_000 }).toEqual([{ first: true }])
  } finally {
    await work.stop()
    await Promise.all([jobs.close(), db.close()])
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
