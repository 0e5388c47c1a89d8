/**
 * One database that is up to date, of which every world of a run gets a copy: migrating takes ten times as long as copying.
 * Without it a world migrates a database of its own.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { COMPILED } from './compiled.ts'
import { REDIS_SERVER } from './redis.ts'

/**
 * Where the databases of the tests are. `pnpm test` starts a PostgreSQL for its run and names it here, because the
 * machine's own allows a hundred connections, which is six nodes. Without it, the machine's own.
 */
export const POSTGRES_SERVER = process.env['NAMEWRIGHT_TEST_POSTGRES'] ?? 'postgres://root@127.0.0.1:5432'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname
/** Passes its name to the worlds of this run. */
const VARIABLE = 'NAMEWRIGHT_TEST_TEMPLATE'

export const findTemplate = (): string | undefined => process.env[VARIABLE]

/** Begins with the name of the run's template, so that the end of the run finds what a worker has left. */
export const makeDatabaseName = (): string => `${findTemplate() ?? `nw_test_${randomHex()}`}_${randomHex()}`

const randomHex = () => randomBytes(6).toString('hex')

/** Answers with what removes it, and every database of the run that is still there. */
export async function makeTemplate(): Promise<() => Promise<void>> {
  const name = `nw_test_${randomHex()}`
  const remove = async () => {
    const left = await runOnServer(`SELECT datname FROM pg_database WHERE datname LIKE '${name}%'`)
    for (const { datname } of left) await runOnServer(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  }
  await runOnServer(`CREATE DATABASE ${name}`)
  try {
    // The service's own command, which ends by itself: only then does Node keep what it has compiled.
    execFileSync(process.execPath, [MAIN, 'migrate'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        ...COMPILED,
        NAMEWRIGHT_DATABASE_URL: `${POSTGRES_SERVER}/${name}`,
        NAMEWRIGHT_REDIS_URL: REDIS_SERVER,
        NAMEWRIGHT_SECRET: randomBytes(24).toString('hex'),
      },
    })
    process.env[VARIABLE] = name
  } catch {
    console.error('No database to copy could be made; every world migrates its own.')
  }
  return remove
}

async function runOnServer(statement: string): Promise<{ datname?: string }[]> {
  const server = new pg.Client(`${POSTGRES_SERVER}/postgres`)
  await server.connect()
  try {
    return (await server.query<{ datname?: string }>(statement)).rows
  } finally {
    await server.end()
  }
}
