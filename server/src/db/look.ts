/**
 * One connection for an operator's look at a database: whatever goes wrong is told as PostgreSQL says it. Nothing that serves a
 * request goes this way.
 */
import pg from 'pg'
import type { OwnerRun } from './migrate.ts'
import { rowsOf } from './jobs-pool.ts'

export interface Look extends AsyncDisposable {
  readonly run: OwnerRun
}

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000

/** With `role` it acts as that one from its first moment, like the pools of a node. */
export async function openLook(url: string, role?: string): Promise<Look> {
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
