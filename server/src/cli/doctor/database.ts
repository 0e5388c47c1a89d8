/**
 * Checks PostgreSQL as the service will use it: each role can connect, no role bypasses row-level security, the
 * schema matches, an acknowledged write survives a crash, and there are connections for all nodes.
 *
 * It only reads. A check that cannot run because of an earlier problem is not reported a second time.
 */
import type { Config } from '../../platform/config/config.ts'
import { openAdminConnection } from '../../platform/db/admin-connection.ts'
import { compareSchema } from '../../platform/db/migrate.ts'
import type { OwnerRun } from '../../platform/db/migrate.ts'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding, Notes } from './finding.ts'

export interface DatabaseCheck {
  readonly config: Pick<Config, 'database' | 'nodes'>
  /** The maximum number of connections that one node opens. */
  readonly perNode: number
  readonly roles: readonly string[]
  readonly queues: readonly string[]
  readonly now: () => number
}

const VERSION_LEAST = 150_000
// Access tokens and leases are compared with both clocks; a request lasts seconds.
const CLOCKS_DIFFER_MS = 1_000
const CLOCKS_WRONG_MS = 30_000

interface Server {
  readonly version: string
  readonly number: number
  readonly login: string
  readonly is_super: boolean
  readonly bypasses: boolean
  readonly follows: boolean
  readonly encoding: string
  readonly fsync: string
  readonly synchronous_commit: string
  readonly standbys: string
  readonly connections: number
  readonly at_ms: number
}

const SERVER = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
    session_user::text AS login, r.rolsuper AS is_super, r.rolbypassrls AS bypasses, pg_is_in_recovery() AS follows,
    pg_encoding_to_char((SELECT encoding FROM pg_database WHERE datname = current_database())) AS encoding,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS standbys,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS connections,
    (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS at_ms
  FROM pg_roles r WHERE r.rolname = session_user`

export async function checkDatabase(connection: DatabaseCheck): Promise<readonly Finding[]> {
  const notes = notesOn('PostgreSQL')
  const { database } = connection.config
  try {
    await using reached = await openAdminConnection(database.url.reveal())
    const startedAt = connection.now()
    const [server] = (await reached.run(SERVER)) as Server[]
    if (server) judgeServer(notes, server, connection, (startedAt + connection.now()) / 2)
    await judgeRoles(notes, reached.run, connection.roles, database.url.reveal())
  } catch (error) {
    notes.problem(`unreachable: ${reasonOf(error)}`, 'start it, or correct NAMEWRIGHT_DATABASE_URL')
    return notes.list
  }
  const schema = await checkSchema(database.ownerUrl.reveal(), connection.queues)
  return [...notes.list, ...schema, ...(await checkStandby(database.standbyUrl?.reveal()))]
}

function judgeServer(notes: Notes, server: Server, { config, perNode }: DatabaseCheck, here: number): void {
  const { version, login, connections } = server
  notes.require(
    server.number >= VERSION_LEAST,
    `${version}, connected as ${login}`,
    'upgrade PostgreSQL to 15 or newer',
  )
  if (server.follows) {
    notes.problem('it is a read-only replica', 'set the address of the primary, or of a proxy in front of it')
  }
  if (server.encoding !== 'UTF8')
    notes.problem(`its encoding is ${server.encoding}`, 'create the database with the encoding UTF8')
  if (server.is_super || server.bypasses) {
    notes.warning(
      `${login} is a superuser or bypasses row-level security`,
      'use a login role without these rights, see docs/configuration.md',
    )
  }
  const apart = Math.abs(server.at_ms - here)
  const found = `the clocks of PostgreSQL and this machine are ${(apart / 1000).toFixed(1)} s apart`
  const todo = 'synchronize both with NTP: the expiry of keys and leases depends on the clock'
  if (apart > CLOCKS_WRONG_MS) notes.problem(found, todo)
  else notes.expect(apart <= CLOCKS_DIFFER_MS, found, todo)
  if (server.fsync === 'off') notes.problem('fsync is off: a power failure can destroy the database', 'turn it on')
  if (
    ['off', 'local'].includes(server.synchronous_commit) &&
    (server.synchronous_commit === 'off' || server.standbys)
  ) {
    notes.problem(
      `synchronous_commit is ${server.synchronous_commit}: a crash can lose confirmed writes`,
      'set it to on',
    )
  } else if (config.database.standbyUrl && server.standbys === '') {
    notes.warning(
      'no synchronous replica: a failover may lose the last commits, although callers got a success response',
      'set synchronous_standby_names, or synchronous_mode in Patroni',
    )
  } else
    notes.ok(`synchronous_commit is ${server.synchronous_commit}, synchronous replicas: ${server.standbys || 'none'}`)
  const wanted = perNode * config.nodes
  const room = `${config.nodes} nodes may open ${wanted} connections, ${connections} are allowed`
  notes.require(wanted <= connections, room, 'raise max_connections, or use a pooler in session mode')
}

async function judgeRoles(notes: Notes, run: OwnerRun, roles: readonly string[], url: string): Promise<void> {
  const found = (await run(
    `SELECT rolname AS role, rolsuper OR rolbypassrls AS is_above, pg_has_role(session_user, oid, 'MEMBER') AS is_ours,
       (SELECT count(*) FROM pg_class WHERE relowner = r.oid)::integer AS owns
     FROM pg_roles r WHERE rolname = ANY ($1)`,
    [roles],
  )) as { role: string; is_above: boolean; is_ours: boolean; owns: number }[]
  const missing = roles.filter((role) => !found.some((one) => one.role === role))
  if (missing.length > 0) {
    notes.problem(`the roles ${missing.join(', ')} do not exist`, 'run namewright-server migrate as the owner')
  }
  for (const { role, is_above, is_ours, owns } of found) {
    if (is_above) {
      notes.problem(
        `${role} bypasses row-level security: tenants could see each other`,
        `ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS`,
      )
    }
    if (owns > 0)
      notes.problem(
        `${role} owns ${owns} tables and could change their row-level security`,
        'change their owner to the owner role',
      )
    if (!is_ours) {
      notes.problem(
        `the login role is not a member of ${role}`,
        `GRANT ${role} TO the login role of NAMEWRIGHT_DATABASE_URL`,
      )
      continue
    }
    // As a node does it, which a pooler in front of PostgreSQL may forbid.
    const fault = await actAs(url, role)
    if (fault !== undefined) {
      notes.problem(
        `a connection as ${role} is refused: ${fault}`,
        'a pooler must run in session mode and forward startup options',
      )
    }
  }
  if (notes.list.every(({ level }) => level !== 'problem'))
    notes.ok(`the login role is a member of ${roles.join(', ')}; row-level security applies to all of them`)
}

async function actAs(url: string, role: string): Promise<string | undefined> {
  try {
    await using as = await openAdminConnection(url, role)
    const [row] = (await as.run('SELECT current_user::text AS role')) as { role: string }[]
    return row?.role === role ? undefined : `the active role is ${row?.role}`
  } catch (error) {
    return reasonOf(error)
  }
}

const UNGUARDED = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT a.attisdropped AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1`

/** Also used after a restore: whether this version can serve from this database. */
export async function checkSchema(ownerUrl: string, queues: readonly string[]): Promise<readonly Finding[]> {
  const notes = notesOn('schema')
  try {
    await using owner = await openAdminConnection(ownerUrl)
    const { missing, changed, newer } = await compareSchema(owner.run)
    if (missing.length > 0) {
      notes.problem(
        `${missing.length} migrations are not applied, the first is ${missing[0]}`,
        'run namewright-server migrate, or start a node with NAMEWRIGHT_MIGRATE=auto',
      )
      return notes.list
    }
    if (changed.length > 0) {
      notes.problem(`${changed.join(', ')} was changed after it was applied`, 'install the release that applied it')
    }
    if (newer.length > 0) {
      notes.warning(`a newer version has applied ${newer.join(', ')}`, 'upgrade this node to that version')
    }
    if (missing.length + changed.length === 0) notes.ok('every migration is applied')
    const unguarded = (await owner.run(UNGUARDED)) as { name: string }[]
    if (unguarded.length > 0) {
      notes.problem(
        `${unguarded.map(({ name }) => name).join(', ')}: row-level security is not forced`,
        'it was turned off: run ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY',
      )
    } else notes.ok('row-level security is forced on every tenant table')
    await judgeQueue(notes, owner.run, queues)
  } catch (error) {
    notes.problem(
      `the check as the owner role failed: ${reasonOf(error)}`,
      'correct NAMEWRIGHT_OWNER_DATABASE_URL: it needs the role that owns the tables',
    )
  }
  return notes.list
}

async function judgeQueue(notes: Notes, run: OwnerRun, queues: readonly string[]): Promise<void> {
  const todo = 'run namewright-server migrate'
  const [table] = (await run("SELECT to_regclass('jobs.queue') IS NOT NULL AS is_there")) as { is_there: boolean }[]
  if (!table?.is_there) return notes.problem('the job queue is not set up', todo)
  const rows = (await run('SELECT name FROM jobs.queue')) as { name: string }[]
  const missing = queues.filter((queue) => !rows.some(({ name }) => name === queue))
  if (missing.length > 0) return notes.problem(`the queues ${missing.join(', ')} do not exist`, todo)
  notes.ok(`the job queue is set up: ${queues.join(', ')}`)
}

async function checkStandby(url: string | undefined): Promise<readonly Finding[]> {
  const notes = notesOn('standby')
  if (url === undefined) {
    notes.skipped('NAMEWRIGHT_STANDBY_URL is empty: reads fail while the primary is down')
    return notes.list
  }
  try {
    await using standby = await openAdminConnection(url)
    const [state] = (await standby.run(
      `SELECT pg_is_in_recovery() AS follows,
         coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)::double precision AS behind`,
    )) as { follows: boolean; behind: number }[]
    if (!state?.follows) {
      notes.warning(
        'it is a primary, not a replica',
        'set the address of the replica; after a failover swap the two settings',
      )
    } else notes.ok(`it replicates; its last transaction is ${state.behind.toFixed(0)} s old`)
  } catch (error) {
    notes.problem(`unreachable: ${reasonOf(error)}`, 'start it, or correct NAMEWRIGHT_STANDBY_URL')
  }
  return notes.list
}
