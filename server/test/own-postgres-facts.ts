/** A program for `demo.test.ts`: what the service may do in the PostgreSQL that the demo starts, as JSON. */
import { readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AccountId,
  APP_ROLE,
  migrate,
  openAccounts,
  openAdminConnection,
  openDb,
  openKeys,
  readMachine,
  sql,
  startOwnPostgres,
} from './source.ts'

await using own = await startOwnPostgres(readMachine())
await migrate(own.ownerUrl)
const db = openDb({ url: own.url, poolSize: 2 })
const accounts = openAccounts({ db, now: Date.now })
const keys = openKeys({ db, now: Date.now })
const [first, second] = [await accounts.create({ name: 'first' }), await accounts.create({ name: 'second' })]
const quota = { perMinute: 1, burst: 1, perDay: null, perMonth: null }
await keys.create(first, { name: 'key', scopes: [], quota, allowedIps: [] })
const countKeys = async (account: AccountId) => {
  const [found] = await db.as(account, [
    sql<{ keys: number }>('count', 'SELECT count(*)::int AS keys FROM api_key', []),
  ])
  return found.rows[0]?.keys
}
const rowOf = async (url: string, text: string, role?: string) => {
  await using connection = await openAdminConnection(url, role)
  return (await connection.run(text))[0]
}
const isRefused = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    () => 'refused',
  )

const [folder = ''] = readdirSync(tmpdir())
const withoutPassword = new URL(own.ownerUrl)
withoutPassword.password = ''
const facts = {
  ...(await rowOf(
    own.ownerUrl,
    `SELECT substring(current_setting('server_version') FROM '^\\d+') AS major, current_setting('listen_addresses') AS listens,
            substring(pg_read_file('/proc/self/status') FROM 'Uid:\\s+(\\d+)') AS uid`,
  )),
  mode: (statSync(join(tmpdir(), folder)).mode & 0o777).toString(8),
  withoutPassword: await isRefused(rowOf(withoutPassword.href, 'SELECT 1')),
  role: await rowOf(
    own.url,
    'SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = session_user',
    APP_ROLE,
  ),
  keys: { first: await countKeys(first), second: await countKeys(second) },
  asOwner: await isRefused(rowOf(own.url, 'SET ROLE namewright_owner')),
  alter: await isRefused(rowOf(own.url, 'ALTER TABLE api_key DISABLE ROW LEVEL SECURITY', APP_ROLE)),
}
keys.close()
await db.close()
console.log(JSON.stringify(facts))
