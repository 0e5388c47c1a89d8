/**
 * The demo's database: `namewright_demo`, created at the start and dropped at the end, on an existing PostgreSQL, or
 * that of a PostgreSQL which the demo starts.
 *
 * An existing PostgreSQL is used only if its role may create databases and roles. Roles that the migrations added are
 * dropped at the end, too. A database that another demo is using is left unchanged.
 */
import type { Machine } from '../../platform/config/machine.ts'
import { openAdminConnection } from '../../platform/db/admin-connection.ts'
import { DemoError, startOwnPostgres, type OwnPostgresOptions } from './own-postgres.ts'

export interface DemoDatabase extends AsyncDisposable {
  readonly url: string
  readonly ownerUrl: string
}

const NAME = 'namewright_demo'
const ROLES = ['namewright_app', 'namewright_people', 'namewright_jobs']
const OBJECT_IN_USE = '55006'

const CAN_BE_USED = `
  SELECT 1 FROM pg_roles
  WHERE rolname = current_user AND (rolsuper OR rolcreatedb AND rolcreaterole)
    AND current_setting('server_version_num')::int >= 150000`

/** The wished one is tried first, then the usual local addresses with the person's name. */
export async function openDemoDatabase(
  { databaseUrl: wished, user, environment }: Pick<Machine, 'databaseUrl' | 'user' | 'environment'>,
  waiting: Omit<OwnPostgresOptions, 'environment'> = {},
): Promise<DemoDatabase> {
  const usual = ['127.0.0.1:5432/postgres', 'localhost/postgres?host=/var/run/postgresql']
  for (const url of [...(wished ? [wished] : []), ...usual.map((place) => `postgres://${user}@${place}`)]) {
    if (!(await canBeUsed(url))) continue
    const { host, searchParams } = new URL(url)
    waiting.step?.(`Using PostgreSQL at ${searchParams.get('host') ?? host} …`)
    return makeDatabase(url)
  }
  return startOwnPostgres({ ...waiting, environment })
}

async function canBeUsed(url: string): Promise<boolean> {
  try {
    await using connection = await openAdminConnection(url)
    return (await connection.run(CAN_BE_USED)).length > 0
  } catch {
    return false
  }
}

async function makeDatabase(adminUrl: string): Promise<DemoDatabase> {
  await using connection = await openAdminConnection(adminUrl)
  const found = (await connection.run('SELECT rolname FROM pg_roles WHERE rolname = ANY ($1)', [ROLES])) as {
    rolname: string
  }[]
  const added = ROLES.filter((role) => !found.some(({ rolname }) => rolname === role))
  await connection.run(`DROP DATABASE IF EXISTS ${NAME}`).catch((error: unknown) => {
    const isInUse = error instanceof Error && 'code' in error && error.code === OBJECT_IN_USE
    throw isInUse ? new DemoError('Another demo is using this PostgreSQL. Stop it first.') : error
  })
  await connection.run(`CREATE DATABASE ${NAME} TEMPLATE template0`)
  const url = new URL(adminUrl)
  url.pathname = `/${NAME}`
  return {
    url: url.href,
    ownerUrl: url.href,
    async [Symbol.asyncDispose]() {
      await using ending = await openAdminConnection(adminUrl)
      await ending.run(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`)
      // A role that another database uses by now stays.
      for (const role of added) await ending.run(`DROP ROLE IF EXISTS ${role}`).catch(() => {})
    },
  }
}
