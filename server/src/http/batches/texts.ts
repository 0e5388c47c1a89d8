/** A batch and its items as they are answered. */
import { finishedOf } from '../../batches/batch.ts'
import type { BatchRow, ItemError, ItemRow } from '../../batches/batch.ts'
import { ApiError } from '../../errors.ts'

export function batchText(batch: BatchRow): string {
  const { id, created_at, key_id, state, total, succeeded, failed, webhook_id, finished_at } = batch
  const finished = finishedOf(batch)
  const canceled = finished - succeeded - failed
  // Rounded down: 1 means all of them.
  const progress = Math.floor((finished * 10_000) / total) / 10_000
  const counts = { total, finished, succeeded, failed, canceled, progress }
  return JSON.stringify({ id, created_at, key_id, state, ...counts, webhook_id, finished_at })
}

/** `word` says an error in the reader's language, as the answer of a request that failed with it. */
export function itemText(index: number, item: ItemRow | undefined, word: (error: ApiError) => string): string {
  if (item?.result) return `{"index":${index},"status":"success","data":${item.result}}`
  const { code, ...detail } = item?.error ? (JSON.parse(item.error) as ItemError) : CANCELED
  return `{"index":${index},${word(new ApiError(code, detail)).slice(1)}`
}

/** Whatever has no end of its own in a batch that was canceled. */
const CANCELED: ItemError = { code: 'canceled' }
