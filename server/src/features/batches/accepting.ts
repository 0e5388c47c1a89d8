/** The statements that insert an accepted batch. */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { Caller } from '../../model/caller.ts'
import type { NewBatch, NewChunk } from './batch.ts'

export interface Accepting {
  readonly statements: readonly Statement[]
  /** The chunks that get a job now. */
  readonly queued: readonly number[]
}

/** At least one item is valid. */
export function accepting(
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
