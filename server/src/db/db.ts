/**
 * The one way to PostgreSQL.
 *
 * **Invariant:** every statement on a tenant's table runs in a transaction whose first statement says whose it is
 * (`as`, `transaction`), under a role that owns nothing; the policies in `migrations/` do the rest. A person acts in
 * an account only while the database finds them among its members; otherwise they act in none and see nothing.
 * `lookup` is for the few tables that belong to no tenant.
 *
 * A connection is lost now and then; what was running fails with `unavailable`, and the pool opens another.
 */
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'
import type { Member, UserId } from '../model/member.ts'
import { Batch, sql } from './batch.ts'
import type { Parsed, Rows, RowsOf, Statement } from './batch.ts'
import { openRolePool } from './role-pool.ts'

export { sql } from './batch.ts'
export type { Rows, Statement, Value } from './batch.ts'

export interface Transaction {
  run<Row>(statement: Statement<Row>): Promise<Rows<Row>>
}

/** Whose rows: an account's, once its credential is verified, or those of the account a person is a member of. */
export type Acting = AccountId | Member

export interface Db {
  /** All of them or none, in one round trip, as this account. */
  as<const S extends readonly Statement[]>(acting: Acting, statements: S): Promise<RowsOf<S>>
  /** Several round trips, when a later statement depends on an earlier answer. */
  transaction<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** As a person and as no account: which accounts they are in, and nothing else. */
  asPerson<const S extends readonly Statement[]>(userId: UserId, statements: S): Promise<RowsOf<S>>
  /** One statement on a table that belongs to no tenant. */
  lookup<Row>(statement: Statement<Row>): Promise<Rows<Row>>
  isUp(): Promise<boolean>
  /** False where it only follows another and cannot be written to. */
  isPrimary(): Promise<boolean>
  close(): Promise<void>
}

/** No connection could be had, so nothing was written; any other `unavailable` may have been. */
export class NotSent extends ApiError {}

/** The role of the application: owns nothing, bypasses nothing. Made by the first migration. */
export const APP_ROLE = 'namewright_app'

// A statement of ours takes milliseconds. Five seconds is far outside that and well inside a caller's patience.
const STATEMENT_TIMEOUT_MS = 5_000

export function openDb({ url, poolSize }: { url: string; poolSize: number }): Db {
  const pool = openRolePool({
    url,
    role: APP_ROLE,
    size: poolSize,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const parsed: Parsed = new WeakMap()

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
      throw asUnavailable(error)
    }
  }

  return {
    async as<const S extends readonly Statement[]>(acting: Acting, statements: S) {
      const first = actAs(acting)
      const answers = await send([...first, ...statements])
      return answers.slice(first.length) as RowsOf<S>
    },

    async asPerson<const S extends readonly Statement[]>(userId: UserId, statements: S) {
      const [, ...answers] = await send([actAsPerson(userId), ...statements])
      return answers as RowsOf<S>
    },

    async transaction(acting, work) {
      const client = await pool.connect().catch(neverSent)
      const run = async <Row>(statement: Statement<Row>) => {
        const [answer] = await client.query(new Batch([statement], parsed)).done
        return answer as Rows<Row>
      }
      try {
        await client.query('BEGIN')
        for (const statement of actAs(acting)) await run(statement)
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
        throw asUnavailable(error)
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

    async isPrimary() {
      const [answer] = await send([sql('is_primary', 'SELECT pg_is_in_recovery() AS follows', [])])
      return answer?.rows[0]?.['follows'] === false
    },

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

export function accountOf(acting: Acting): AccountId {
  return typeof acting === 'string' ? acting : acting.accountId
}

function actAs(acting: Acting): Statement[] {
  if (typeof acting === 'string') {
    return [sql('act_as', `SELECT set_config('namewright.account_id', $1, true)`, [acting])]
  }
  // The account is the one that the membership names, so without a membership there is none.
  const { accountId, userId } = acting
  return [
    actAsPerson(userId),
    sql(
      'act_as_member',
      `SELECT set_config('namewright.account_id', coalesce(
         (SELECT account_id::text FROM member WHERE account_id = $1 AND user_id = $2), ''), true)`,
      [accountId, userId],
    ),
  ]
}

function actAsPerson(userId: UserId): Statement {
  return sql('act_as_person', `SELECT set_config('namewright.user_id', $1, true)`, [userId])
}

/** The error as callers may see it: a lost connection is `unavailable`. */
export function asUnavailable(error: unknown): unknown {
  return isConnectionLoss(error) ? new ApiError('unavailable', { cause: error, retryAfter: 2 }) : error
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
