/** Connections that act as one role from the start, so that even RESET ROLE returns to it. */
import pg from 'pg'

const CONNECT_TIMEOUT_MS = 3_000

export interface RolePoolOptions {
  readonly url: string
  readonly role: string
  readonly size: number
  readonly statementTimeoutMs: number
  /** The longest wait for a connection; three seconds by default. */
  readonly connectTimeoutMs?: number
  /** The longest wait for a response, for callers without a timer of their own. */
  readonly answerTimeoutMs?: number
  /** Its search path; the database's default when absent. */
  readonly schema?: string
}

export function openRolePool({
  url,
  role,
  size,
  statementTimeoutMs,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  answerTimeoutMs,
  schema,
}: RolePoolOptions): pg.Pool {
  const settings = [
    `role=${role}`,
    ...(schema === undefined ? [] : [`search_path=${schema}`]),
    'timezone=UTC',
    `statement_timeout=${statementTimeoutMs}`,
  ]
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  })
  // Without a listener a broken connection, idle or in use, would end the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

function ignore(): void {}
