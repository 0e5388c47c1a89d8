/** Serializes a batch and its items for responses. */
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import { finishedOf, isShort } from './batch.ts'
import type { BatchRow, ItemError, BatchItemRow } from './batch.ts'
import { ApiError } from '../../model/errors.ts'

export function batchText(batch: BatchRow): string {
  const { id, created_at, key_id, state, total, succeeded, short, failed, webhook_id, finished_at } = batch
  const finished = finishedOf(batch)
  const canceled = finished - succeeded - short - failed
  // Rounded down, so that 1 means all items.
  const progress = Math.floor((finished * 10_000) / total) / 10_000
  const counts = { total, finished, succeeded, short, failed, canceled, progress }
  return JSON.stringify({ id, created_at, key_id, state, ...counts, webhook_id, finished_at })
}

/** `word` serializes an error in the reader's language, like the response of a request that failed with it. */
export function itemText(index: number, item: BatchItemRow | undefined, word: (error: ApiError) => string): string {
  const start = (outcome: ItemOutcome) => `{"index":${index},"outcome":"${outcome}",`
  if (item?.result)
    return `${start(isShort(item.result) ? 'short' : 'succeeded')}"status":"success","data":${correctStoredSuggestions(item.result)}}`
  const { code, ...detail } = item?.error ? (JSON.parse(item.error) as ItemError) : CANCELED
  return `${start(item?.error ? 'failed' : 'canceled')}${word(new ApiError(code, detail)).slice(1)}`
}

/** The names that the counts of a batch use. */
export const OUTCOMES = ['succeeded', 'short', 'failed', 'canceled'] as const
type ItemOutcome = (typeof OUTCOMES)[number]

/** For items of a canceled batch that have no result. */
const CANCELED: ItemError = { code: 'canceled' }
