/**
 * The worker's side of a batch: chunks are taken, their items end one by one, the chunks end, and the last one ends the
 * batch.
 *
 * **Invariants.** An item ends once: the primary key of `batch_item`. An item ends only while its chunk is running:
 * canceling or deleting a batch stops its chunks, so work in progress can write nothing and costs nothing. All
 * transactions lock rows in one order: batch, chunk, quota.
 */
import { sql } from '../../platform/db/db.ts'
import type { Db, Statement, Transaction } from '../../platform/db/db.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import { UNLIMITED } from '../../model/plan.ts'
import { isShort } from './batch.ts'
import type { Chunk, ItemError } from './batch.ts'

export interface ChunkEnd {
  /** The reserved quota, once nothing more will be spent from it. */
  readonly completed: { readonly block: string | null; readonly keyId: KeyId } | undefined
  /** The chunk that gets a job now. */
  readonly next: number | undefined
}

type ItemPlace = Pick<Chunk, 'account' | 'batchId' | 'n'>

export interface Working {
  /** Undefined when there is nothing to do: the chunk or its batch has ended, or was deleted. */
  take(place: ItemPlace): Promise<Chunk | undefined>
  isRunning(place: ItemPlace): Promise<boolean>
  /**
   * Commit with the cost of the item. Counts as short when it has no name. Refused when it has already ended
   * (`batch_item_once`) or must not end.
   */
  succeeding(place: ItemPlace, item: number, result: string): Statement[]
  failing(place: ItemPlace, item: number, error: ItemError): Statement[]
  /** Undefined when the chunk was not running. */
  end(tx: Transaction, place: ItemPlace): Promise<ChunkEnd | undefined>
  /**
   * The priority of a chunk's job: the more chunks of its batch and the more batches of its account come before it, the
   * lower. So the first chunk of any account's first batch precedes the rest of a long batch, and the hundred batches
   * of one account do not precede the first batch of another.
   */
  priorityOf(tx: Transaction, place: ItemPlace): Promise<number>
  /**
   * Chunks without progress for so long that their jobs must have died; they get new jobs in the same transaction.
   * Undefined when the batch has ended. A chunk may have two jobs: the second finds the work of the first done.
   */
  reviveStalled(tx: Transaction, account: AccountId, batchId: string): Promise<readonly number[] | undefined>
}

// The most chunks that a batch can have.
const MAX_CHUNKS = 100
// An item takes 30 s at most and chunks run in parallel; a chunk without progress for this long has no worker.
const SILENT_MINUTES = 10
// A chunk that no worker has taken most likely waits in a long queue.
const WAITING_MINUTES = 60

export function createWorking({ db, now }: { db: Db; now: () => number }): Working {
  return {
    async take({ account, batchId, n }) {
      const values = [account, batchId, n]
      const [taken, batches, items] = await db.as(account, [
        sql<{ first: number; requests: string; taken: number }>(
          'batch_chunk_take',
          `UPDATE batch_chunk SET state = 'running', taken = taken + 1, touched_at = now()
           WHERE account_id = $1 AND batch_id = $2 AND n = $3 AND state IN ('queued', 'running')
           RETURNING first, requests, taken`,
          values,
        ),
        sql<BatchOfChunk>(
          'batch_of_chunk',
          `SELECT block, key_id, batch.language, batch.currency, history_days, per_minute, burst, per_day, per_month,
             coalesce(account_plan.suspended_at IS NOT NULL, false) AS is_suspended,
             account_plan.history_bytes, account_plan.batch_bytes, account_plan.checks_per_day
           FROM batch JOIN account ON account.id = batch.account_id
           LEFT JOIN account_plan ON account_plan.account_id = batch.account_id
           JOIN api_key ON api_key.account_id = batch.account_id AND api_key.id = batch.key_id
           WHERE batch.account_id = $1 AND batch.id = $2`,
          values.slice(0, 2),
        ),
        sql<{ n: number }>(
          'batch_item_of_chunk',
          `SELECT item.n FROM batch_chunk chunk JOIN batch_item item ON item.account_id = chunk.account_id
             AND item.batch_id = chunk.batch_id AND item.n >= chunk.first AND item.n < chunk.first + chunk.size
           WHERE chunk.account_id = $1 AND chunk.batch_id = $2 AND chunk.n = $3`,
          values,
        ),
      ])
      const [[chunk], [batch]] = [taken.rows, batches.rows]
      if (!chunk || !batch || batch.block === null) return undefined
      return {
        account,
        batchId,
        n,
        ...chunk,
        ended: new Set(items.rows.map((item) => item.n)),
        block: batch.block,
        isSuspended: batch.is_suspended,
        caller: callerOf(account, batch),
      }
    },

    async isRunning({ account, batchId, n }) {
      const text = `SELECT 1 FROM batch_chunk WHERE account_id = $1 AND batch_id = $2 AND n = $3 AND state = 'running'`
      const [found] = await db.as(account, [sql('batch_chunk_is_running', text, [account, batchId, n])])
      return found.count > 0
    },

    succeeding: (place, item, result) => [
      insertItem(place, item, result, null),
      count(place, isShort(result) ? 'short' : 'done'),
    ],
    failing: (place, item, error) => [insertItem(place, item, null, JSON.stringify(error)), count(place, 'failed')],

    async end(tx, { account, batchId, n }) {
      const { rows } = await tx.run(
        sql<{ block: string | null; key_id: KeyId }>(
          'batch_lock',
          `SELECT block, key_id FROM batch WHERE account_id = $1 AND id = $2 AND state = 'running' FOR UPDATE`,
          [account, batchId],
        ),
      )
      const [batch] = rows
      if (!batch) return undefined
      const ended = await tx.run(
        sql(
          'batch_chunk_end',
          `UPDATE batch_chunk SET state = 'done', requests = NULL
           WHERE account_id = $1 AND batch_id = $2 AND n = $3 AND state = 'running'`,
          [account, batchId, n],
        ),
      )
      if (ended.count === 0) return undefined
      const counted = await tx.run(
        sql<{ completed: boolean }>(
          'batch_count_chunk',
          `UPDATE batch SET chunks_done = chunks_done + 1,
             state = CASE WHEN chunks_done + 1 = chunks THEN 'completed' ELSE state END,
             finished_at = CASE WHEN chunks_done + 1 = chunks THEN $3::timestamptz END
           WHERE account_id = $1 AND id = $2 RETURNING state = 'completed' AS completed`,
          [account, batchId, new Date(now())],
        ),
      )
      if (counted.rows[0]?.completed === true) {
        await tx.run(notifying(account, batchId, now()))
        return { completed: { block: batch.block, keyId: batch.key_id }, next: undefined }
      }
      const next = await tx.run(
        sql<{ n: number }>(
          'batch_chunk_queue',
          `UPDATE batch_chunk SET state = 'queued', touched_at = now() WHERE account_id = $1 AND batch_id = $2 AND n = (
             SELECT min(n) FROM batch_chunk WHERE account_id = $1 AND batch_id = $2 AND state = 'waiting') RETURNING n`,
          [account, batchId],
        ),
      )
      return { completed: undefined, next: next.rows[0]?.n }
    },

    async priorityOf(tx, { account, batchId, n }) {
      const { rows } = await tx.run(
        sql<{ before: number }>(
          'batch_count_before',
          `SELECT count(*)::integer AS before FROM batch WHERE account_id = $1 AND id < $2 AND state = 'running'`,
          [account, batchId],
        ),
      )
      return -(n + MAX_CHUNKS * (rows[0]?.before ?? 0))
    },

    async reviveStalled(tx, account, batchId) {
      const values = [account, batchId]
      const batch = await tx.run(
        sql('batch_is_running', `SELECT 1 FROM batch WHERE account_id = $1 AND id = $2 AND state = 'running'`, values),
      )
      if (batch.count === 0) return undefined
      const { rows } = await tx.run(
        sql<{ n: number }>(
          'batch_chunk_revive',
          `UPDATE batch_chunk SET touched_at = now() WHERE account_id = $1 AND batch_id = $2
             AND (state = 'running' AND touched_at < now() - interval '${SILENT_MINUTES} minutes'
               OR state = 'queued' AND touched_at < now() - interval '${WAITING_MINUTES} minutes') RETURNING n`,
          values,
        ),
      )
      return rows.map(({ n }) => n)
    },
  }
}

interface BatchOfChunk {
  readonly block: string | null
  readonly key_id: KeyId
  readonly language: string
  readonly currency: string | null
  readonly history_days: number | null
  readonly per_minute: number
  readonly burst: number
  readonly per_day: number | null
  readonly per_month: number | null
  readonly is_suspended: boolean
  readonly history_bytes: number | null
  readonly batch_bytes: number | null
  readonly checks_per_day: number | null
}

/** Scopes are checked when the batch is accepted; revoking the key later does not end its batches. */
function callerOf(accountId: AccountId, row: BatchOfChunk): Caller {
  return {
    accountId,
    keyId: row.key_id,
    scopes: ['generate'],
    quota: { perMinute: row.per_minute, burst: row.burst, perDay: row.per_day, perMonth: row.per_month },
    plan: {
      ...UNLIMITED,
      historyBytes: row.history_bytes,
      batchBytes: row.batch_bytes,
      checksPerDay: row.checks_per_day,
    },
    historyDays: row.history_days,
    language: row.language,
    ...(row.currency === null ? {} : { currency: row.currency }),
  }
}

function insertItem(
  { account, batchId }: ItemPlace,
  item: number,
  result: string | null,
  error: string | null,
): Statement {
  return sql(
    'batch_item_insert',
    'INSERT INTO batch_item (account_id, batch_id, n, result, error) VALUES ($1, $2, $3, $4, $5)',
    [account, batchId, item, result, error],
  )
}

/**
 * A division by zero refuses it, and its transaction, when the chunk is not running. A chunk with progress does not
 * kill its workers, so its count of lost workers restarts.
 */
function count({ account, batchId, n }: ItemPlace, end: keyof typeof COUNTING): Statement {
  return sql(
    `batch_chunk_count_${end}`,
    `WITH counted AS (
       UPDATE batch_chunk SET ${COUNTING[end]}, taken = 1, touched_at = now()
       WHERE account_id = $1 AND batch_id = $2 AND n = $3 AND state = 'running' RETURNING 1)
     SELECT 1 / count(*) FROM counted`,
    [account, batchId, n],
  )
}

const COUNTING = {
  done: 'done = done + 1',
  short: 'done = done + 1, short = short + 1',
  failed: 'failed = failed + 1',
} as const

/** The webhook event of a completed batch, in the transaction that completes it. */
export function notifying(account: AccountId, id: string, at: number): Statement {
  return sql(
    'batch_tell',
    `INSERT INTO event (account_id, id, created_at, type, once, data)
     SELECT $1, $3, $4, 'batch.completed', 'batch.completed ' || batch.id, jsonb_strip_nulls(
       jsonb_build_object('batch_id', batch.id, 'total', total, 'succeeded', sum(done - short), 'short', sum(short),
         'failed', sum(failed), 'webhook_id', webhook_id))
     FROM batch JOIN batch_chunk chunk ON chunk.account_id = batch.account_id AND chunk.batch_id = batch.id
     WHERE batch.account_id = $1 AND batch.id = $2 GROUP BY batch.account_id, batch.id
     ON CONFLICT ON CONSTRAINT event_once DO NOTHING`,
    [account, id, makeId(at), new Date(at)],
  )
}
