/**
 * The third way to PostgreSQL: connections of the worker, which may only touch the queue. What a job does to the rows of
 * an account it does through `db.ts`, as that account.
 */
import type pg from 'pg'
import { asUnavailable } from './db.ts'
import { openRolePool } from './role-pool.ts'

export interface JobsPool {
  run<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** The shape in which pg-boss asks. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: object[] }>
  close(): Promise<void>
}

/** Made by the third migration. */
export const JOBS_ROLE = 'namewright_jobs'
// One takes jobs, one renews leases, one ends jobs; opened when first needed.
export const POOL_SIZE = 3
// Counting a long queue takes longer than serving a request may.
const STATEMENT_TIMEOUT_MS = 15_000

export function openJobsPool({ url }: { url: string }): JobsPool {
  const pool = openRolePool({
    url,
    role: JOBS_ROLE,
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // The server ends what takes too long; a little later nobody is there.
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

/** node-postgres answers several statements with several results, whatever its types say. */
export function rowsOf<Row extends object>(answer: pg.QueryResult<Row> | pg.QueryResult<Row>[]): Row[] {
  return Array.isArray(answer) ? answer.flatMap(({ rows }) => rows) : answer.rows
}
