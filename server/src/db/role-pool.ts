/** Connections that act as one role from their first moment, so that even RESET ROLE comes back to it. */
import pg from 'pg'

const CONNECT_TIMEOUT_MS = 3_000

export interface RolePoolOptions {
  readonly url: string
  readonly role: string
  readonly size: number
  readonly statementTimeoutMs: number
  /** Who asks without a timer of its own waits no longer than that. */
  readonly answerTimeoutMs?: number
  /** The one it finds names in; the database's own where there is none. */
  readonly schema?: string
}

export function openRolePool({
  url,
  role,
  size,
  statementTimeoutMs,
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
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
