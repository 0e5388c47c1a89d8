/**
 * A POST with an Idempotency-Key takes effect once, however often it is sent.
 *
 * The response is stored in the transaction of its effect, under a primary key. The database refuses the second commit,
 * which rolls back and replays the first response. That alone is exact. The claim in Redis is an optimization: it saves
 * the second caller the work and reports that the first request is still running. It expires when its node dies, and
 * nothing depends on it. So a claim alone never causes idempotency_mismatch: the request that holds it may still fail,
 * and only a stored response has won.
 *
 * Only successes are stored. A refused or failed request had no effect, so sending it again is a first try.
 */
import { createHash, randomUUID } from 'node:crypto'
import { CacheDown } from '../cache/cache-down.ts'
import type { Cache } from '../cache/cache.ts'
import { accountOf, isViolationOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { createStoredBytes, rowsIn } from '../db/stored-bytes.ts'
import { walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One request under one key: either already answered, or to be answered by this attempt. */
export interface IdempotencyAttempt extends AsyncDisposable {
  readonly answered: StoredAnswer | undefined
  /** Commit with the effect. */
  storing(answer: StoredAnswer): readonly Statement[]
  /** After a refused commit: the response of the attempt that won, if that is why. */
  answerOfWinner(error: unknown): Promise<StoredAnswer | undefined>
}

export interface Idempotency {
  /** Fails with idempotency_mismatch, idempotency_in_progress, invalid_idempotency_key or storage_limit. */
  begin(
    account: AccountId,
    request: {
      key: string
      /** Keys of different spaces are independent; by default an account has one space. */
      space?: string | undefined
      operation: string
      body: string
      maxDurationMs: number
      /** The most bytes of responses that the account may store; null and undefined do not bind. */
      limit?: number | null
    },
  ): Promise<IdempotencyAttempt>
  /** A claim of a running request ends with it, or within seconds. */
  forgetting(account: AccountId): Statement[]
  /** At most `most` responses that are too old to be replayed. */
  expiring(account: AccountId, most: number): Statement
  exporting(acting: Acting): Exported
}

const KEEP_HOURS = 24
// A row besides its body, with its indexes.
const ROW_BYTES = 400
const SHAPE = /^[\x21-\x7e]{1,255}$/

export function openIdempotency({ db, cache, now }: { db: Db; cache: Cache; now: () => number }): Idempotency {
  async function findStored(account: AccountId, key: string, fingerprint: Buffer): Promise<StoredAnswer | undefined> {
    const [found] = await db.read(account, [
      sql<{ fingerprint: Buffer; status: number; headers: string; body: string }>(
        'idempotent_find',
        `SELECT fingerprint, status, headers, body FROM idempotent_answer
         WHERE account_id = $1 AND key = $2 AND created_at > $3`,
        [account, key, oldest()],
      ),
    ])
    const [row] = found.rows
    if (!row) return undefined
    if (!row.fingerprint.equals(fingerprint)) throw new ApiError('idempotency_mismatch')
    return { status: row.status, headers: JSON.parse(row.headers) as Record<string, string>, body: row.body }
  }

  const bytes = createStoredBytes({ what: 'answer_bytes', measure, now })

  async function measure(account: AccountId, limit: number): Promise<number> {
    const [found] = await db.read(account, [
      sql<{ bytes: number }>(
        'idempotent_measure',
        `SELECT coalesce(sum(${ROW_BYTES} + size), 0)::bigint AS bytes FROM (
           SELECT pg_column_size(body) AS size FROM idempotent_answer WHERE account_id = $1 AND created_at > $2 LIMIT $3
         ) answer`,
        [account, oldest(), rowsIn(limit, ROW_BYTES)],
      ),
    ])
    return found.rows[0]?.bytes ?? 0
  }

  const oldest = () => new Date(now() - KEEP_HOURS * 3_600_000)

  /** Whether the claim is ours; fails when another request holds it. Without Redis every attempt may proceed. */
  async function claim(name: string, mark: string, maxDurationMs: number): Promise<boolean> {
    const held = await cache.claim(name, mark, maxDurationMs).catch((error: unknown) => {
      if (error instanceof CacheDown) return undefined
      throw error
    })
    if (held) throw new ApiError('idempotency_in_progress', { retryAfter: 1, params: { seconds: 1 } })
    return held === null
  }

  return {
    async begin(account, { key: sent, space, operation, body, maxDurationMs, limit = null }) {
      if (!SHAPE.test(sent)) throw new ApiError('invalid_idempotency_key')
      // No caller can send a key with a space in it, so keys of other spaces cannot be forged.
      const key = space === undefined ? sent : `${space} ${createHash('sha256').update(sent).digest('hex')}`
      const fingerprint = createHash('sha256').update(`${operation}\n`).update(body).digest()
      const stored = await findStored(account, key, fingerprint)
      if (!stored) await bytes.take(account, ROW_BYTES, limit)
      const name = `i:{${account}}:${key}`
      const mark = randomUUID()
      const isOurs = !stored && (await claim(name, mark, maxDurationMs))
      return {
        answered: stored,
        storing({ status, headers, body: answer }) {
          bytes.add(account, Buffer.byteLength(answer))
          // Each new response deletes a few of the account's expired ones, including an expired one of this key.
          const expire = sql(
            'idempotent_expire',
            `DELETE FROM idempotent_answer WHERE account_id = $1 AND created_at <= $2 AND (key = $3 OR key IN (
               SELECT key FROM idempotent_answer WHERE account_id = $1 AND created_at <= $2 ORDER BY created_at LIMIT 5))`,
            [account, oldest(), key],
          )
          const store = sql(
            'idempotent_store',
            `INSERT INTO idempotent_answer (account_id, key, fingerprint, created_at, status, headers, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
            [account, key, fingerprint, new Date(now()), status, JSON.stringify(headers), answer],
          )
          return [expire, store]
        },
        async answerOfWinner(error) {
          return isViolationOf(error, 'idempotent_once') ? findStored(account, key, fingerprint) : undefined
        },
        async [Symbol.asyncDispose]() {
          if (isOurs) await cache.release(name, mark)
        },
      }
    },

    forgetting: (account) => [
      sql('idempotent_forget', 'DELETE FROM idempotent_answer WHERE account_id = $1', [account]),
    ],

    expiring: (account, most) =>
      sql(
        'idempotent_expire_old',
        `DELETE FROM idempotent_answer WHERE account_id = $1 AND created_at <= $2 AND key IN (
           SELECT key FROM idempotent_answer WHERE account_id = $1 AND created_at <= $2 ORDER BY created_at LIMIT $3)`,
        [account, oldest(), most],
      ),

    exporting: (acting) => ({ idempotent_answers: everyAnswer(db, acting) }),
  }
}

interface IdempotencyRow extends Omit<StoredAnswer, 'headers'> {
  readonly key: string
  readonly created_at: Date
  /** JSON text. */
  readonly headers: string
}

async function* everyAnswer(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT key, created_at, status, headers, body FROM idempotent_answer
                WHERE account_id = $1 AND key > $2 ORDER BY key LIMIT $3`
  const rows = walk<IdempotencyRow>(db, acting, (last, limit) =>
    sql('idempotent_export', text, [accountOf(acting), last?.key ?? '', limit]),
  )
  for await (const row of rows) yield { ...row, headers: JSON.parse(row.headers) as unknown }
}
