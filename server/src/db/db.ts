/**
 * The one way to PostgreSQL.
 *
 * **Invariant:** every statement on a tenant's table runs in a transaction whose first statement says whose it is
 * (`as`, `transaction`), under a role that owns nothing; the policies in `migrations/` do the rest. `lookup` is for
 * the few tables that belong to no tenant.
 *
 * A connection is lost now and then; what was running fails with `unavailable`, and the pool opens another.
 */
import pg from 'pg'
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'
import { Batch, sql } from './batch.ts'
import type { Parsed, Rows, RowsOf, Statement } from './batch.ts'

export { sql } from './batch.ts'
export type { Rows, Statement, Value } from './batch.ts'

export interface Transaction {
  run<Row>(statement: Statement<Row>): Promise<Rows<Row>>
}

export interface Db {
  /** All of them or none, in one round trip, as this account. */
  as<const S extends readonly Statement[]>(account: AccountId, statements: S): Promise<RowsOf<S>>
  /** Several round trips, when a later statement depends on an earlier answer. */
  transaction<T>(account: AccountId, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** One statement on a table that belongs to no tenant. */
  lookup<Row>(statement: Statement<Row>): Promise<Rows<Row>>
  isUp(): Promise<boolean>
  close(): Promise<void>
}

/** No connection could be had, so nothing was written; any other `unavailable` may have been. */
export class NotSent extends ApiError {}

/** The role of the application: owns nothing, bypasses nothing. Made by the first migration. */
export const APP_ROLE = 'namewright_app'

// A statement of ours takes milliseconds. Five seconds is far outside that and well inside a caller's patience.
const STATEMENT_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 3_000

export function openDb({ url, poolSize }: { url: string; poolSize: number }): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Set as the connection starts, so even RESET ROLE comes back to the application's role.
    options: `-c role=${APP_ROLE} -c timezone=UTC -c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
  })
  const parsed: Parsed = new WeakMap()
  // Without a listener a broken connection, idle or in use, would end the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))

  async function send(statements: readonly Statement[]) {
    const client = await pool.connect().catch(neverSent)
    const batch = client.query(new Batch(statements, parsed))
    try {
      const answers = await batch.done
      client.release()
      return answers
    } catch (error) {
      // Which statements the server had parsed by then is not known, so the connection is not used again.
      client.release(true)
      throw isConnectionLoss(error) ? new ApiError('unavailable', { cause: error, retryAfter: 2 }) : error
    }
  }

  return {
    async as<const S extends readonly Statement[]>(account: AccountId, statements: S) {
      const [, ...answers] = await send([actAs(account), ...statements])
      return answers as RowsOf<S>
    },

    async transaction(account, work) {
      const client = await pool.connect().catch(neverSent)
      const run = async <Row>(statement: Statement<Row>) => {
        const [answer] = await client.query(new Batch([statement], parsed)).done
        return answer as Rows<Row>
      }
      try {
        await client.query('BEGIN')
        await run(actAs(account))
        const result = await work({ run })
        await client.query('COMMIT')
        client.release()
        return result
      } catch (error) {
        // A refusal of ours leaves the connection sound; after any other failure it is closed, which rolls back.
        const sound =
          error instanceof ApiError &&
          (await client.query('ROLLBACK').then(
            () => true,
            () => false,
          ))
        client.release(!sound)
        throw isConnectionLoss(error) ? new ApiError('unavailable', { cause: error, retryAfter: 2 }) : error
      }
    },

    async lookup<Row>(statement: Statement<Row>) {
      const [answer] = await send([statement])
      return answer as Rows<Row>
    },

    isUp: () =>
      send([sql('is_up', 'SELECT 1', [])]).then(
        () => true,
        () => false,
      ),

    close: () => pool.end(),
  }
}

/** Does this error say that the named constraint refused the write? */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint
}

/** PostgreSQL's five-character code; empty when the error is not its own. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function actAs(account: AccountId): Statement {
  return { name: 'act_as', text: `SELECT set_config('namewright.account_id', $1, true)`, values: [account] }
}

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof ApiError) return false
  const code = sqlStateOf(error)
  // 40P01 and 40001: it lost against another transaction and may try again. 57P0x: the server is shutting down or starting; 08xxx: connection faults; 25006: a standby. No SQLSTATE at all
  // means that node-postgres lost the socket.
  return code === '' || /^(40P01|40001|57P0|08|25006|53300|E[A-Z]{3})/.test(code)
}

function neverSent(cause: unknown): never {
  throw new NotSent('unavailable', { cause, retryAfter: 2 })
}

function ignore(): void {}
