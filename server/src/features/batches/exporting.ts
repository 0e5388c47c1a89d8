/** Exports an account's batches: the requests and their results. */
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'

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

export function exporting(db: Db, acting: Acting): Exported {
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
