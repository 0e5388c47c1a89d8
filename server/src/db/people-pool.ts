/**
 * The other way to PostgreSQL: connections that may only see the schema `people`. No statement that serves a request
 * under /v1 runs on them, and no statement on them can reach what a tenant owns.
 */
import type pg from 'pg'
import type { Value } from './batch.ts'
import { asUnavailable } from './db.ts'
import { openRolePool } from './role-pool.ts'

export interface PeoplePool {
  readonly pool: pg.Pool
  readonly run: <Row extends object>(text: string, values?: readonly Value[]) => Promise<Row[]>
  readonly transaction: <T>(work: (run: PeoplePool['run']) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Made by the second migration. */
export const PEOPLE_ROLE = 'namewright_people'
// Signing in is rare beside generating: a few connections serve a node.
export const POOL_SIZE = 4
const STATEMENT_TIMEOUT_MS = 5_000

export function openPeoplePool({ url }: { url: string }): PeoplePool {
  const pool = openRolePool({
    url,
    role: PEOPLE_ROLE,
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // The server ends what takes too long; a little later nobody is there.
    answerTimeoutMs: STATEMENT_TIMEOUT_MS + 2_000,
    schema: 'people',
  })
  return {
    pool,
    async run<Row extends object>(text: string, values: readonly Value[] = []) {
      const answer = await pool.query<Row>(text, [...values]).catch(fail)
      return answer.rows
    },
    async transaction(work) {
      const client = await pool.connect().catch(fail)
      const run = async <Row extends object>(text: string, values: readonly Value[] = []) =>
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
