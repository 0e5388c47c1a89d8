/**
 * One database that is up to date, of which every world of a run gets a copy: migrating takes ten times as long as copying.
 * Without it a world migrates a database of its own.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { COMPILED } from './compiled.ts'

const SERVER = 'postgres://root@127.0.0.1:5432'
const MAIN = new URL('../src/main.ts', import.meta.url).pathname
/** Tells the worlds of this run its name. */
const VARIABLE = 'NAMEWRIGHT_TEST_TEMPLATE'

export const findTemplate = (): string | undefined => process.env[VARIABLE]

/** Answers with what removes it. */
export async function makeTemplate(): Promise<() => Promise<void>> {
  const name = `nw_test_${randomBytes(6).toString('hex')}`
  const remove = () => runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await runOnServer(`CREATE DATABASE ${name}`)
  try {
    // The service's own command, which ends by itself: only then does Node keep what it has compiled.
    execFileSync(process.execPath, [MAIN, 'migrate'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        ...COMPILED,
        NAMEWRIGHT_DATABASE_URL: `${SERVER}/${name}`,
        NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:6379/9',
        NAMEWRIGHT_SECRET: randomBytes(24).toString('hex'),
      },
    })
    process.env[VARIABLE] = name
  } catch {
    console.error('No database to copy could be made; every world migrates its own.')
  }
  return remove
}

async function runOnServer(statement: string): Promise<void> {
  const server = new pg.Client(`${SERVER}/postgres`)
  await server.connect()
  try {
    await server.query(statement)
  } finally {
    await server.end()
  }
}
