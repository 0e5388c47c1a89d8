/**
 * The worker's PostgreSQL connections, which may only access the queue. A job changes an account's rows through
 * `db.ts`, as that account.
 */
import type pg from 'pg'
import { asUnavailable } from './db.ts'
import { openRolePool } from './role-pool.ts'

export interface JobsPool {
  run<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** The interface that pg-boss calls. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: object[] }>
  close(): Promise<void>
}

/** Created by the third migration. */
export const JOBS_ROLE = 'namewright_jobs'
// One takes jobs, one renews leases, one ends jobs; each opens on first use.
export const POOL_SIZE = 3
// Counting a long queue takes longer than a request may take.
const STATEMENT_TIMEOUT_MS = 15_000

export function openJobsPool({ url }: { url: string }): JobsPool {
  const pool = openRolePool({
    url,
    role: JOBS_ROLE,
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // The server ends slow statements; without a response a little later it is unreachable.
    answerTimeoutMs: STATEMENT_TIMEOUT_MS + 2_000,
    schema: 'jobs',
  })
  async function run<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    try {
      return rowsOf(await pool.query<Row>(text, values))
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  return {
    run,
    executeSql: async (text, values) => ({ rows: await run(text, values) }),
    close: () => pool.end(),
  }
}

/** node-postgres returns several results for several statements, contrary to its types. */
export function rowsOf<Row extends object>(answer: pg.QueryResult<Row> | pg.QueryResult<Row>[]): Row[] {
  return Array.isArray(answer) ? answer.flatMap(({ rows }) => rows) : answer.rows
}
