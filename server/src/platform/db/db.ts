/**
 * The only access to PostgreSQL for tenant data.
 *
 * **Invariant:** every statement on a tenant's table runs in a transaction whose first statement sets the tenant (`as`,
 * `transaction`), under a role that owns nothing; the policies in `migrations/` enforce the isolation. A person acts in
 * an account only while the database finds them among its members; otherwise they see nothing. `lookup` is for the few
 * tables that belong to no tenant.
 *
 * When a connection is lost, its statement fails with `unavailable` and the pool opens another. While the primary is
 * unreachable (`primary-health-check.ts`), no request waits for it: reads go to the standby, if there is one, and
 * writes fail at once with `NotWritten`.
 */
import { ApiError, NotWritten } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Member, UserId } from '../../model/member.ts'
import type pg from 'pg'
import { withSpan } from '../tracing/trace-context.ts'
import { StatementBatch, sql, type Parsed, type Rows, type RowsOf, type Statement } from './batch.ts'
import { createPrimaryHealthCheck, type PrimaryHealthCheck } from './primary-health-check.ts'
import { openRolePool } from './role-pool.ts'

export { ofAccount, own, sql } from './batch.ts'
export type { Own, Rows, Statement, SqlValue as Value, Window } from './batch.ts'

export interface Transaction {
  run<Row>(statement: Statement<Row>): Promise<Rows<Row>>
}

/** The tenant: an account, once its credential is verified, or a person as a member of an account. */
export type Acting = AccountId | Member

export interface Db {
  /** All statements or none, in one round trip, as this account. */
  as<const S extends readonly Statement[]>(acting: Acting, statements: S): Promise<RowsOf<S>>
  /** Like `as`, for statements that only read: uses the standby while the primary is down. */
  read<const S extends readonly Statement[]>(acting: Acting, statements: S): Promise<RowsOf<S>>
  /** Several round trips, when a later statement depends on an earlier result. */
  transaction<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** As a person without an account: shows which accounts they are in, and nothing else. */
  asPerson<const S extends readonly Statement[]>(userId: UserId, statements: S): Promise<RowsOf<S>>
  /** One statement on a table that belongs to no tenant. */
  lookup<Row>(statement: Statement<Row>): Promise<Rows<Row>>
  /** Like `lookup`, for a statement that only reads. */
  find<Row>(statement: Statement<Row>): Promise<Rows<Row>>
  /** Whether reads are possible. */
  isUp(): Promise<boolean>
  /** The primary is unreachable, as far as this process knows. */
  isPrimaryDown(): boolean
  /** For work that ends in a write: fails while the primary is unreachable, as the write would. */
  requirePrimary(): void
  /** The current use of the connections to the primary. */
  use(): PoolUse
  /** False for a standby, which cannot be written to. */
  isPrimary(): Promise<boolean>
  close(): Promise<void>
}

export interface PoolUse {
  readonly open: number
  readonly idle: number
  /** Requests that wait for a connection. */
  readonly waiting: number
}

/** The role of the application: owns nothing, bypasses nothing. Created by the first migration. */
export const APP_ROLE = 'namewright_app'

// Our statements take milliseconds. Five seconds is far above that and well below a caller's timeout.
const STATEMENT_TIMEOUT_MS = 5_000
// With ten connections and statements of milliseconds, this is half a second; later requests fail at once instead.
const MAX_WAITING = 1_000
// For several statements together, each of which has the timeout above.
const TRANSACTION_TIMEOUT_MS = 60_000
// The server ends a slow statement and reports it; a server that does not report it in this time is unreachable.
const SILENCE_MS = 2_000
// A wait of this length triggers a check of the server, which ends the wait if the server is down.
const SUSPICIOUS_MS = 1_500
// While the server is up, a busy pool or machine is no reason to fail earlier than this.
const CONNECT_TIMEOUT_MS = 10_000

export interface DbOptions {
  readonly url: string
  /** A replica of the primary; used for reads while the primary is down. */
  readonly standbyUrl?: string | undefined
  readonly poolSize: number
}

export function openDb({ url, standbyUrl, poolSize }: DbOptions): Db {
  const open = (address: string) =>
    openRolePool({
      url: address,
      role: APP_ROLE,
      size: poolSize,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    })
  const healthCheck = createPrimaryHealthCheck(url, 'primary')
  const following = standbyUrl === undefined ? undefined : createPrimaryHealthCheck(standbyUrl, 'any')
  // A network fault may affect both servers, so both are checked together.
  const suspect = () => {
    healthCheck.suspect()
    following?.suspect()
  }
  const primary = createPool(() => open(url), { ...healthCheck, suspect })
  const standby = standbyUrl && following ? createPool(() => open(standbyUrl), following) : undefined

  /** A read may be repeated on another server, whatever its outcome, and has written nothing. */
  async function sendToEither(statements: readonly Statement[]) {
    const isLost = (error: unknown) => error instanceof ApiError && error.code === 'unavailable'
    try {
      if (!standby) return await primary.send(statements)
      if (healthCheck.isDown()) return await standby.send(statements)
      return await primary.send(statements).catch((error: unknown) => {
        if (isLost(error)) return standby.send(statements)
        throw error
      })
    } catch (error) {
      throw isLost(error) ? notWritten(error) : error
    }
  }

  return {
    as: <const S extends readonly Statement[]>(acting: Acting, statements: S) =>
      traced(statements, async () => {
        const first = actAs(acting)
        const answers = await primary.send([...first, ...statements])
        return answers.slice(first.length) as RowsOf<S>
      }),

    read: <const S extends readonly Statement[]>(acting: Acting, statements: S) =>
      traced(statements, async () => {
        const first = actAs(acting)
        const answers = await sendToEither([...first, ...statements])
        return answers.slice(first.length) as RowsOf<S>
      }),

    async asPerson<const S extends readonly Statement[]>(userId: UserId, statements: S) {
      const [, ...answers] = await primary.send([actAsPerson(userId), ...statements])
      return answers as RowsOf<S>
    },

    transaction: (acting, work) =>
      withSpan(
        'sql transaction',
        (setAttributes) => {
          setAttributes?.({ 'db.system.name': 'postgresql' })
          return primary.hold(async (client, run) => {
            await client.query('BEGIN')
            for (const statement of actAs(acting)) await run(statement)
            const result = await work({ run })
            await client.query('COMMIT')
            return result
          })
        },
        'client',
      ),

    lookup: <Row>(statement: Statement<Row>) =>
      traced([statement], async () => {
        const [answer] = await primary.send([statement])
        return answer as Rows<Row>
      }),

    find: <Row>(statement: Statement<Row>) =>
      traced([statement], async () => {
        const [answer] = await sendToEither([statement])
        return answer as Rows<Row>
      }),

    isUp: () =>
      sendToEither([sql('is_up', 'SELECT 1', [])]).then(
        () => true,
        () => false,
      ),

    isPrimaryDown: () => healthCheck.isDown(),
    requirePrimary() {
      if (healthCheck.isDown()) throw notWritten(undefined)
    },
    use: () => primary.use(),

    async isPrimary() {
      const [answer] = await primary.send([sql('is_primary', 'SELECT pg_is_in_recovery() AS follows', [])])
      return answer?.rows[0]?.['follows'] === false
    },

    async close() {
      healthCheck.close()
      following?.close()
      await Promise.all([primary.close(), standby?.close()])
    },
  }
}

/** A trace has the names of the statements that were sent together. Never a value or a tenant. */
function traced<T>(statements: readonly Statement[], work: () => Promise<T>): Promise<T> {
  return withSpan(
    'sql',
    (setAttributes) => {
      const names = setAttributes && statements.map(({ name }) => name).join(' ')
      setAttributes?.({ 'db.system.name': 'postgresql', 'db.operation.name': names })
      return work()
    },
    'client',
  )
}

/** A pool and its send functions. No request waits here for an unreachable server. */
function createPool(openPool: () => pg.Pool, healthCheck: PrimaryHealthCheck) {
  const parsed: Parsed = new WeakMap()
  let pool = openPool()
  healthCheck.onDown(renew)

  /** Connections to a failed server may look intact and never respond again. */
  function renew(): void {
    const old = pool
    pool = openPool()
    old.end().catch(() => {})
    healthCheck.onDown(renew)
  }

  function connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const giveUp = (cause?: unknown) => {
        isGivenUp = true
        reject(notWritten(cause))
      }
      if (healthCheck.isDown()) return giveUp()
      if (pool.waitingCount >= MAX_WAITING) return reject(new ApiError('overloaded', { retryAfter: 1 }))
      const stay = healthCheck.onDown(() => giveUp())
      const watch = setTimeout(() => healthCheck.suspect(), SUSPICIOUS_MS)
      pool.connect((error, client) => {
        clearTimeout(watch)
        stay()
        if (error) healthCheck.suspect()
        if (!client) giveUp(error)
        else if (isGivenUp) client.release()
        else resolve(client)
      })
    })
  }

  /** Lends a client for at most this long; a client whose work failed is not reused. */
  async function using<T>(
    mostMs: number,
    work: (client: pg.PoolClient) => Promise<T>,
    isSound?: (client: pg.PoolClient, error: unknown) => Promise<boolean>,
  ): Promise<T> {
    const client = await connect()
    // Ending a client that waits for a response closes its socket, so the waiting caller gets an error.
    const letGo = () => void client.end().catch(() => {})
    const stay = healthCheck.onDown(letGo)
    const watch = setTimeout(() => healthCheck.suspect(), SUSPICIOUS_MS)
    const end = setTimeout(letGo, mostMs + SILENCE_MS)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(!(await isSound?.(client, error)))
      if (isConnectionLoss(error)) healthCheck.suspect()
      throw asUnavailable(error)
    } finally {
      clearTimeout(watch)
      clearTimeout(end)
      stay()
    }
  }

  return {
    send(statements: readonly Statement[]) {
      const mostMs = Math.max(STATEMENT_TIMEOUT_MS, ...statements.map(({ mostMs: most = 0 }) => most))
      // After a failure it is unknown which statements the server has parsed, so the connection is not reused.
      return using(mostMs, (client) => client.query(new StatementBatch(statements, parsed)).done)
    },

    hold: <T>(work: (client: pg.PoolClient, run: Transaction['run']) => Promise<T>) =>
      using(
        TRANSACTION_TIMEOUT_MS,
        (client) => {
          const run = async <Row>(statement: Statement<Row>) => {
            const [answer] = await client.query(new StatementBatch([statement], parsed)).done
            return answer as Rows<Row>
          }
          return work(client, run)
        },
        isSoundAfter,
      ),

    use: (): PoolUse => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

/** An ApiError of ours leaves the connection usable; after any other failure it is closed, which rolls back. */
async function isSoundAfter(client: pg.PoolClient, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

/** Whether the named constraint refused the write. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint
}

/** PostgreSQL's five-character code; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function accountOf(acting: Acting): AccountId {
  return typeof acting === 'string' ? acting : acting.accountId
}

function actAs(acting: Acting): Statement[] {
  if (typeof acting === 'string') return [actAsAccount(acting)]
  // The account is taken from the membership row, so without a membership there is none.
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

function actAsAccount(account: AccountId): Statement {
  return sql('act_as', `SELECT set_config('namewright.account_id', $1, true)`, [account])
}

function actAsPerson(userId: UserId): Statement {
  return sql('act_as_person', `SELECT set_config('namewright.user_id', $1, true)`, [userId])
}

/** Converts an error for callers: a lost connection or a statement timeout becomes `unavailable`, a full disk `storage_full`. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = sqlStateOf(error)
  if (code === DISK_FULL) return new NotWritten('storage_full', { cause: error, retryAfter: 10 })
  if (code === READ_ONLY) return notWritten(error)
  return isConnectionLoss(error) || code === STATEMENT_TIMEOUT
    ? new ApiError('unavailable', { cause: error, retryAfter: 2 })
    : error
}

const DISK_FULL = '53100'
// A standby, or a primary that was just demoted.
const READ_ONLY = '25006'
// The database is up, but busy.
const STATEMENT_TIMEOUT = '57014'

// node-postgres reports a lost socket without a code. Any other error without one is a mistake in our own code.
const LOST_SOCKET =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout (expired|exceeded)|Query read timeout|Cannot use a pool after calling end)/

function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false
  const code = sqlStateOf(error)
  // 40P01 and 40001: it lost against another transaction and may be retried. 57P0x: the server is shutting down or
  // starting; 08xxx: connection faults; 25006: a standby.
  return code === '' ? LOST_SOCKET.test(error.message) : /^(40P01|40001|57P0|08|25006|53300|E[A-Z]{3})/.test(code)
}

function notWritten(cause: unknown): NotWritten {
  return new NotWritten('unavailable', { cause, retryAfter: 2 })
}
