/**
 * PostgreSQL connections that may only access the schema `people`. No statement of a request under /v1 runs on them,
 * and no statement on them can reach a tenant's data.
 */
import type pg from 'pg'
import type { SqlValue } from './batch.ts'
import { asUnavailable } from './db.ts'
import { openRolePool } from './role-pool.ts'

export interface PeoplePool {
  readonly pool: pg.Pool
  readonly run: <Row extends object>(text: string, values?: readonly SqlValue[]) => Promise<Row[]>
  readonly transaction: <T>(work: (run: PeoplePool['run']) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Created by the second migration. */
export const PEOPLE_ROLE = 'namewright_people'
// Sign-ins are rare compared to generate requests: a few connections serve a node.
export const POOL_SIZE = 4
const STATEMENT_TIMEOUT_MS = 5_000

export function openPeoplePool({ url }: { url: string }): PeoplePool {
  const pool = openRolePool({
    url,
    role: PEOPLE_ROLE,
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // The server ends slow statements; without a response a little later it is unreachable.
    answerTimeoutMs: STATEMENT_TIMEOUT_MS + 2_000,
    schema: 'people',
  })
  return {
    pool,
    async run<Row extends object>(text: string, values: readonly SqlValue[] = []) {
      const answer = await pool.query<Row>(text, [...values]).catch(fail)
      return answer.rows
    },
    async transaction(work) {
      const client = await pool.connect().catch(fail)
      const run = async <Row extends object>(text: string, values: readonly SqlValue[] = []) =>
        (await client.query<Row>(text, [...values])).rows
      try {
        await client.query('BEGIN')
        const result = await work(run)
        await client.query('COMMIT')
        client.release()
        return result
      } catch (error) {
        // Closing the connection rolls back.
        client.release(true)
        return fail(error)
      }
    },
    close: () => pool.end(),
  }
}

function fail(error: unknown): never {
  throw asUnavailable(error)
}
