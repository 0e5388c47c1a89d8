/**
 * The one way to PostgreSQL.
 *
 * **Invariant:** every statement on a tenant's table runs in a transaction whose first statement says whose it is
 * (`as`, `transaction`), under a role that owns nothing; the policies in `migrations/` do the rest. A person acts in
 * an account only while the database finds them among its members; otherwise they act in none and see nothing.
 * `lookup` is for the few tables that belong to no tenant.
 *
 * A connection is lost now and then; what was running fails with `unavailable`, and the pool opens another. While the
 * primary is away as a whole (`presence.ts`), nobody waits for it: reading goes on at the standby, if there is one, and
 * writing fails at once with `NotWritten`.
 */
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'
import type { Member, UserId } from '../model/member.ts'
import type pg from 'pg'
import { Batch, sql } from './batch.ts'
import type { Parsed, Rows, RowsOf, Statement } from './batch.ts'
import { createPresence } from './presence.ts'
import type { Presence } from './presence.ts'
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
  /** As `as`, of statements that only read: from the standby while the primary is away. */
  read<const S extends readonly Statement[]>(acting: Acting, statements: S): Promise<RowsOf<S>>
  /** Several round trips, when a later statement depends on an earlier answer. */
  transaction<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** As a person and as no account: which accounts they are in, and nothing else. */
  asPerson<const S extends readonly Statement[]>(userId: UserId, statements: S): Promise<RowsOf<S>>
  /** One statement on a table that belongs to no tenant. */
  lookup<Row>(statement: Statement<Row>): Promise<Rows<Row>>
  /** As `lookup`, of a statement that only reads. */
  find<Row>(statement: Statement<Row>): Promise<Rows<Row>>
  /** Can anything be read? */
  isUp(): Promise<boolean>
  /** The primary cannot be reached, as far as this process knows. */
  isAway(): boolean
  /** How its connections to the primary are used just now. */
  use(): PoolUse
  /** Called every time the primary is back. */
  onBack(tell: () => void): void
  /** False where it only follows another and cannot be written to. */
  isPrimary(): Promise<boolean>
  close(): Promise<void>
}

export interface PoolUse {
  readonly open: number
  readonly idle: number
  /** Who waits for a connection. */
  readonly waiting: number
}

/** Nothing was written, for certain; after any other `unavailable` it may have been. */
export class NotWritten extends ApiError {}

/** The role of the application: owns nothing, bypasses nothing. Made by the first migration. */
export const APP_ROLE = 'namewright_app'

// A statement of ours takes milliseconds. Five seconds is far outside that and well inside a caller's patience.
const STATEMENT_TIMEOUT_MS = 5_000
// Behind ten connections and statements of milliseconds, half a second; whoever came later is better told.
const MOST_WAITING = 1_000
// Of several statements together, each of which has the time above.
const TRANSACTION_TIMEOUT_MS = 60_000
// The server ends a statement that takes too long, and says so; one that does not even say so is not there any more.
const SILENCE_MS = 2_000
// Who has waited so long looks whether the primary is there at all.
const SUSPICIOUS_MS = 1_500

export interface DbOptions {
  readonly url: string
  /** Follows the primary; read from while that is away. */
  readonly standbyUrl?: string | undefined
  readonly poolSize: number
}

export function openDb({ url, standbyUrl, poolSize }: DbOptions): Db {
  const open = (address: string) =>
    openRolePool({ url: address, role: APP_ROLE, size: poolSize, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  const presence = createPresence(url, 'primary')
  const following = standbyUrl === undefined ? undefined : createPresence(standbyUrl, 'any')
  // What cuts a node off from the one may have cut it off from the other: both are looked at together.
  const suspect = () => {
    presence.suspect()
    following?.suspect()
  }
  const primary = createLine(() => open(url), { ...presence, suspect })
  const standby = standbyUrl && following ? createLine(() => open(standbyUrl), following) : undefined

  /** What only reads may be asked again of another, whatever became of it. */
  async function sendToEither(statements: readonly Statement[]) {
    if (!standby) return primary.send(statements)
    if (presence.isAway()) return standby.send(statements)
    return primary.send(statements).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'unavailable') return standby.send(statements)
      throw error
    })
  }

  return {
    async as<const S extends readonly Statement[]>(acting: Acting, statements: S) {
      const first = actAs(acting)
      const answers = await primary.send([...first, ...statements])
      return answers.slice(first.length) as RowsOf<S>
    },

    async read<const S extends readonly Statement[]>(acting: Acting, statements: S) {
      const first = actAs(acting)
      const answers = await sendToEither([...first, ...statements])
      return answers.slice(first.length) as RowsOf<S>
    },

    async asPerson<const S extends readonly Statement[]>(userId: UserId, statements: S) {
      const [, ...answers] = await primary.send([actAsPerson(userId), ...statements])
      return answers as RowsOf<S>
    },

    transaction: (acting, work) =>
      primary.hold(async (client, run) => {
        await client.query('BEGIN')
        for (const statement of actAs(acting)) await run(statement)
        const result = await work({ run })
        await client.query('COMMIT')
        return result
      }),

    async lookup<Row>(statement: Statement<Row>) {
      const [answer] = await primary.send([statement])
      return answer as Rows<Row>
    },

    async find<Row>(statement: Statement<Row>) {
      const [answer] = await sendToEither([statement])
      return answer as Rows<Row>
    },

    isUp: () =>
      sendToEither([sql('is_up', 'SELECT 1', [])]).then(
        () => true,
        () => false,
      ),

    isAway: () => presence.isAway(),
    use: () => primary.use(),
    onBack: (tell) => presence.onBack(tell),

    async isPrimary() {
      const [answer] = await primary.send([sql('is_primary', 'SELECT pg_is_in_recovery() AS follows', [])])
      return answer?.rows[0]?.['follows'] === false
    },

    async close() {
      presence.close()
      following?.close()
      await Promise.all([primary.close(), standby?.close()])
    },
  }
}

/** A pool and how things are sent over it. Nobody waits on it for a server that is away. */
function createLine(openPool: () => pg.Pool, presence: Presence) {
  const parsed: Parsed = new WeakMap()
  let pool = openPool()
  presence.onAway(renew)

  /** Connections to a server that went away may look sound and never answer again. */
  function renew(): void {
    const old = pool
    pool = openPool()
    old.end().catch(() => {})
    presence.onAway(renew)
  }

  function connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const giveUp = (cause?: unknown) => {
        isGivenUp = true
        reject(notWritten(cause))
      }
      if (presence.isAway()) return giveUp()
      if (pool.waitingCount >= MOST_WAITING) return reject(new ApiError('overloaded', { retryAfter: 1 }))
      const stay = presence.onAway(() => giveUp())
      pool.connect((error, client) => {
        stay()
        if (error) presence.suspect()
        if (!client) giveUp(error)
        else if (isGivenUp) client.release()
        else resolve(client)
      })
    })
  }

  /** A client for this long; it is not used again when what it was used for failed. */
  async function using<T>(
    mostMs: number,
    work: (client: pg.PoolClient) => Promise<T>,
    isSound?: (client: pg.PoolClient, error: unknown) => Promise<boolean>,
  ): Promise<T> {
    const client = await connect()
    // Ending a client that waits for an answer closes its socket, and so whoever waits for it hears of it.
    const letGo = () => void client.end().catch(() => {})
    const stay = presence.onAway(letGo)
    const watch = setTimeout(() => presence.suspect(), SUSPICIOUS_MS)
    const end = setTimeout(letGo, mostMs + SILENCE_MS)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(!(await isSound?.(client, error)))
      if (isConnectionLoss(error)) presence.suspect()
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
      // Which statements the server had parsed when it failed is not known, so the connection is not used again.
      return using(mostMs, (client) => client.query(new Batch(statements, parsed)).done)
    },

    hold: <T>(work: (client: pg.PoolClient, run: Transaction['run']) => Promise<T>) =>
      using(
        TRANSACTION_TIMEOUT_MS,
        (client) => {
          const run = async <Row>(statement: Statement<Row>) => {
            const [answer] = await client.query(new Batch([statement], parsed)).done
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

/** A refusal of ours leaves the connection sound; after any other failure it is closed, which rolls back. */
async function isSoundAfter(client: pg.PoolClient, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
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

/** The error as callers may see it: a lost connection is `unavailable`, and a full disk `storage_full`. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = sqlStateOf(error)
  if (code === DISK_FULL) return new NotWritten('storage_full', { cause: error, retryAfter: 10 })
  if (code === READ_ONLY) return notWritten(error)
  return isConnectionLoss(error) ? new ApiError('unavailable', { cause: error, retryAfter: 2 }) : error
}

const DISK_FULL = '53100'
// A standby, or a primary that has just become one.
const READ_ONLY = '25006'

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof ApiError) return false
  const code = sqlStateOf(error)
  // 40P01 and 40001: it lost against another transaction and may try again. 57P0x: the server is shutting down or
  // starting; 08xxx: connection faults; 25006: a standby. No SQLSTATE at all means that node-postgres lost the socket.
  return code === '' || /^(40P01|40001|57P0|08|25006|53300|E[A-Z]{3})/.test(code)
}

function notWritten(cause: unknown): NotWritten {
  return new NotWritten('unavailable', { cause, retryAfter: 2 })
}
