/**
 * Batches: many generate requests in one. Stores the requests, the progress and the result of each item, in input
 * order.
 *
 * Progress is a sum over chunks. Each chunk's count rises with the commit of an item, so a later read never returns
 * less. Results are stored as the text that will be sent. Errors are stored as facts, because their message depends on
 * the reader's language.
 *
 * Batches are kept for some days, then hidden at once and deleted a little later (`expiring`).
 */
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { firstIdOf, makeId } from '../../model/id.ts'
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import {
  accountOf,
  ofAccount,
  own,
  sql,
  type Acting,
  type Db,
  type Own,
  type Statement,
  type Transaction,
  type Window,
} from '../../platform/db/db.ts'
import { createStoredBytes, rowsIn } from '../../platform/db/stored-bytes.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import type { BatchItemRow, BatchRow, NewBatch, NewChunk } from './batch.ts'
import { createWorking, type Working } from './working.ts'

export interface Accepting {
  readonly statements: readonly Statement[]
  /** The chunks that get a job now. */
  readonly queued: readonly number[]
}

export interface Batches extends Working {
  /** Until when a batch that starts now is kept. */
  keptUntil(): number
  /** Fails with storage_limit when the plan does not allow the account to store so many bytes more. */
  takeBytes(caller: Caller, bytes: number): Promise<void>
  /** Run in the transaction that holds its quota in `block`. */
  accept(caller: Caller, batch: NewBatch, block: string): Accepting & { readonly row: BatchRow }
  finding(id: string): Own<BatchRow>
  listing(window: Window): Own<BatchRow>
  /**
   * The finished items among `limit` items from this number on, in order, possibly with gaps. The batch row is read no
   * later than the items.
   */
  readItems(
    account: AccountId,
    id: string,
    page: { from: number; limit: number },
  ): Promise<{ batch: BatchRow; items: readonly BatchItemRow[] } | undefined>
  /** Undefined when the batch does not exist; `reserved` is the quota to release, if it was running. */
  cancel(
    tx: Transaction,
    account: AccountId,
    id: string,
  ): Promise<{ reserved: { block: string | null; keyId: KeyId } | undefined } | undefined>
  /** Deletes a batch that has ended, with its results. Returns no row when the batch does not exist. */
  removing(id: string): Own<{ readonly isRemoved: boolean }>
  /** Call it when some are deleted: what the account stores is then measured again. */
  forgetBytes(account: AccountId): void
  /** At most `most` expired batches, and items of such batches. Run the statements in this order. */
  expiring(account: AccountId, most: number): Statement[]
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const DAY_MS = 86_400_000
// Chunks of one batch that have a job at the same time: enough that a worker finds the next one ready, few enough that
// a large batch does not fill the queue.
const QUEUED_AT_ONCE = 4
// A page is cut at this size, whatever its limit, because it is held in memory as text.
const PAGE_BYTES = 4_000_000

const COLUMNS = `batch.id, batch.key_id, batch.created_at, batch.state, batch.total, batch.webhook_id, batch.finished_at,
  coalesce(counts.succeeded, 0) AS succeeded, coalesce(counts.short, 0) AS short, coalesce(counts.failed, 0) AS failed`
const COUNTED = `batch CROSS JOIN LATERAL (
  SELECT sum(done - short)::integer AS succeeded, sum(short)::integer AS short, sum(failed)::integer AS failed
  FROM batch_chunk chunk
  WHERE chunk.account_id = batch.account_id AND chunk.batch_id = batch.id) counts`

/** An item besides its texts, with its index. */
export const ITEM_BYTES = 200

export function openBatches({ db, now, days }: { db: Db; now: () => number; days: number }): Batches {
  const oldest = () => firstIdOf(now() - days * DAY_MS)
  const finding = (id: string) =>
    own<BatchRow>(
      'batch_find',
      `SELECT ${COLUMNS} FROM ${COUNTED} WHERE batch.account_id = $1 AND batch.id = $2 AND batch.id >= $3`,
      [id, oldest()],
    )

  const bytes = createStoredBytes({ what: 'batch_bytes', measure, now })

  async function measure(account: AccountId, limit: number): Promise<number> {
    const [found] = await db.read(account, [
      sql<{ bytes: number }>(
        'batch_measure',
        `SELECT coalesce(sum(${ITEM_BYTES} + coalesce(pg_column_size(one), 0) + coalesce(pg_column_size(other), 0)), 0)::bigint
           AS bytes FROM (
             SELECT requests AS one, NULL::jsonb AS other FROM batch_chunk WHERE account_id = $1
             UNION ALL SELECT result, error FROM batch_item WHERE account_id = $1 LIMIT $2) stored`,
        [account, rowsIn(limit, ITEM_BYTES)],
      ),
    ])
    return found.rows[0]?.bytes ?? 0
  }

  return {
    ...createWorking({ db, now }),
    takeBytes: ({ accountId, plan }, more) => bytes.take(accountId, more, plan?.batchBytes ?? null),
    keptUntil: () => now() + days * DAY_MS,

    accept(caller, batch, block) {
      const at = now()
      const id = makeId(at)
      const row: BatchRow = {
        id,
        key_id: caller.keyId,
        created_at: new Date(at),
        state: 'running',
        total: batch.chunks.reduce((sum, { size }) => sum + size, 0),
        succeeded: 0,
        short: 0,
        failed: batch.wrong.length,
        webhook_id: batch.webhookId,
        finished_at: null,
      }
      return { row, ...accepting(caller, batch, { id, at, block, queuedAtOnce: QUEUED_AT_ONCE }) }
    },

    finding,

    listing({ limit, before }) {
      const text = `SELECT ${COLUMNS} FROM ${COUNTED} WHERE batch.account_id = $1 AND batch.id >= $2
        AND ($3::uuid IS NULL OR batch.id < $3) ORDER BY batch.id DESC LIMIT $4`
      return own('batch_list', text, [oldest(), before, limit + 1])
    },

    async readItems(account, id, { from, limit }) {
      // The batch is read first: when it shows all items as ended, the items read after it are complete.
      const [batches, items] = await db.read(account, [
        ofAccount(account, finding(id)),
        sql<BatchItemRow>(
          'batch_items',
          `SELECT n, cut, CASE WHEN cut THEN NULL ELSE result END AS result, error FROM (
             SELECT n, result, error, coalesce(sum(octet_length(result::text)) OVER (
               ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) >= ${PAGE_BYTES} AS cut
             FROM batch_item WHERE account_id = $1 AND batch_id = $2 AND n >= $3::integer AND n < $3::integer + $4::integer
           ) page ORDER BY n`,
          [account, id, from, limit],
        ),
      ])
      const [batch] = batches.rows
      return batch && { batch, items: items.rows }
    },

    async cancel(tx, account, id) {
      const { rows } = await tx.run(
        sql<{ block: string | null; key_id: KeyId; state: string }>(
          'batch_lock_any',
          'SELECT block, key_id, state FROM batch WHERE account_id = $1 AND id = $2 AND id >= $3 FOR UPDATE',
          [account, id, oldest()],
        ),
      )
      const [batch] = rows
      if (!batch) return undefined
      if (batch.state !== 'running') return { reserved: undefined }
      await tx.run(
        sql('batch_cancel', `UPDATE batch SET state = 'canceled', finished_at = $3 WHERE account_id = $1 AND id = $2`, [
          account,
          id,
          new Date(now()),
        ]),
      )
      await tx.run(
        sql(
          'batch_chunk_cancel',
          `UPDATE batch_chunk SET state = 'canceled', requests = NULL
           WHERE account_id = $1 AND batch_id = $2 AND state <> 'done'`,
          [account, id],
        ),
      )
      return { reserved: { block: batch.block, keyId: batch.key_id } }
    },

    // A batch that has ended never runs again, so no item is added meanwhile.
    removing: (id) =>
      own(
        'batch_remove',
        `WITH removed AS (
           DELETE FROM batch WHERE account_id = $1 AND id = $2 AND id >= $3 AND state <> 'running' RETURNING id
         ), items AS (
           DELETE FROM batch_item WHERE account_id = $1 AND batch_id IN (SELECT id FROM removed))
         SELECT EXISTS (SELECT FROM removed) AS "isRemoved" FROM batch WHERE account_id = $1 AND id = $2 AND id >= $3`,
        [id, oldest()],
      ),

    forgetBytes: (account) => bytes.forget(account),

    // A batch is deleted before its items, so that no item can end in it any more; see `working.ts`.
    expiring: (account, most) => [
      sql(
        'batch_expire',
        `DELETE FROM batch WHERE account_id = $1 AND id IN (
           SELECT id FROM batch WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)`,
        [account, oldest(), most],
      ),
      sql(
        'batch_item_expire',
        `DELETE FROM batch_item WHERE account_id = $1 AND (batch_id, n) IN (
           SELECT batch_id, n FROM batch_item WHERE account_id = $1 AND batch_id < $2 ORDER BY batch_id, n LIMIT $3)`,
        [account, oldest(), most],
      ),
    ],

    forgetting: (account) => [
      sql('batch_forget', 'DELETE FROM batch WHERE account_id = $1', [account]),
      sql('batch_item_forget', 'DELETE FROM batch_item WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => exporting(db, acting),
  }
}

/** At least one item is valid. */
function accepting(
  { accountId, keyId, currency }: Caller,
  batch: NewBatch,
  { id, at, block, queuedAtOnce }: { id: string; at: number; block: string; queuedAtOnce: number },
): Accepting {
  const { chunks, wrong, webhookId, language } = batch
  const isDone = ({ size, wrong: wrongOnes }: NewChunk) => wrongOnes === size
  const open = chunks.flatMap((chunk, n) => (isDone(chunk) ? [] : [n]))
  const queued = open.slice(0, queuedAtOnce)
  const total = chunks.reduce((sum, { size }) => sum + size, 0)
  const insert = sql(
    'batch_insert',
    `INSERT INTO batch (account_id, id, key_id, created_at, state, total, chunks, chunks_done, block, webhook_id,
       language, currency)
     VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8, $9, $10, $11)`,
    [
      accountId,
      id,
      keyId,
      new Date(at),
      total,
      chunks.length,
      chunks.length - open.length,
      block,
      webhookId,
      language,
      currency,
    ],
  )
  const stateOf = (n: number) => (queued.includes(n) ? 'queued' : open.includes(n) ? 'waiting' : 'done')
  let first = 0
  const rows = chunks.map((chunk, n) => {
    const row = { n, first, state: stateOf(n), ...chunk }
    first += chunk.size
    return row
  })
  const insertChunks = sql(
    'batch_chunk_insert',
    `INSERT INTO batch_chunk (account_id, batch_id, n, first, size, requests, state, done, failed, taken, touched_at)
     SELECT $1, $2, n, first, size, nullif(requests, '')::json, state, 0, failed, 0, now()
     FROM unnest($3::integer[], $4::integer[], $5::integer[], $6::text[], $7::text[], $8::integer[])
       AS chunk (n, first, size, requests, state, failed)`,
    [
      accountId,
      id,
      rows.map((row) => String(row.n)),
      rows.map((row) => String(row.first)),
      rows.map((row) => String(row.size)),
      rows.map((row) => (row.state === 'done' ? '' : row.requests)),
      rows.map((row) => row.state),
      rows.map((row) => String(row.wrong)),
    ],
  )
  const insertWrong = sql(
    'batch_item_insert_wrong',
    `INSERT INTO batch_item (account_id, batch_id, n, error)
     SELECT $1, $2, (item ->> 'n')::integer, item -> 'error' FROM jsonb_array_elements($3::jsonb) item`,
    [accountId, id, JSON.stringify(wrong)],
  )
  return { statements: [insert, insertChunks, ...(wrong.length > 0 ? [insertWrong] : [])], queued }
}

interface ExportedBatchRow {
  readonly id: string
}

interface ChunkRow {
  readonly batch_id: string
  readonly n: number
  /** JSON text, like the two below. */
  readonly requests: string | null
}

interface ExportedItemRow {
  readonly batch_id: string
  readonly n: number
  readonly result: string | null
  readonly error: string | null
}

function exporting(db: Db, acting: Acting): Exported {
  return { batches: everyBatch(db, acting), batch_chunks: everyChunk(db, acting), batch_items: everyItem(db, acting) }
}

function everyBatch(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT id, key_id, created_at, state, total, chunks, chunks_done, block, webhook_id, language, currency,
      finished_at FROM batch WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  return walk<ExportedBatchRow>(db, acting, (last, limit) =>
    sql('batch_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
}

async function* everyChunk(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT batch_id, n, first, size, requests, state, done, short, failed, taken, touched_at FROM batch_chunk
      WHERE account_id = $1 AND (batch_id, n) > ($2, $3) ORDER BY batch_id, n LIMIT $4`
  const rows = walk<ChunkRow>(db, acting, (last, limit) =>
    sql('batch_chunk_export', text, [accountOf(acting), last?.batch_id ?? BEFORE_ALL, last?.n ?? -1, limit]),
  )
  for await (const row of rows) yield { ...row, requests: parsed(row.requests) }
}

async function* everyItem(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT batch_id, n, result, error FROM batch_item
      WHERE account_id = $1 AND (batch_id, n) > ($2, $3) ORDER BY batch_id, n LIMIT $4`
  const rows = walk<ExportedItemRow>(db, acting, (last, limit) =>
    sql('batch_item_export', text, [accountOf(acting), last?.batch_id ?? BEFORE_ALL, last?.n ?? -1, limit]),
  )
  for await (const row of rows)
    yield {
      ...row,
      result: row.result === null ? null : parsed(correctStoredSuggestions(row.result)),
      error: parsed(row.error),
    }
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}
