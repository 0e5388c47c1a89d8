/**
 * One connection for operator commands that inspect a database: errors are reported in PostgreSQL's own words. Never
 * used to serve a request.
 */
import pg from 'pg'
import type { OwnerRun } from './migrate.ts'
import { rowsOf } from './jobs-pool.ts'

export interface AdminConnection extends AsyncDisposable {
  readonly run: OwnerRun
}

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000

/** With `role` it acts as that role from the start, like the pools of a node. */
export async function openAdminConnection(url: string, role?: string): Promise<AdminConnection> {
  const settings = [`statement_timeout=${STATEMENT_TIMEOUT_MS}`, 'timezone=UTC', ...(role ? [`role=${role}`] : [])]
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    run: async (text, values) => rowsOf(await client.query<object>(text, values)),
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  }
}
