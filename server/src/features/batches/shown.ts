/** What a caller sees of a batch and of its items. */
import { ApiError } from '../../model/errors.ts'
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import { finishedOf, isShort, type BatchItemRow, type BatchRow, type ItemError } from './batch.ts'
import type { OUTCOMES } from './schemas.ts'

export function shown(batch: BatchRow) {
  const { id, created_at: createdAt, key_id: keyId, state, total, succeeded, short, failed } = batch
  const { webhook_id: webhookId, finished_at: finishedAt } = batch
  const finished = finishedOf(batch)
  const canceled = finished - succeeded - short - failed
  return {
    id,
    created_at: createdAt.toISOString(),
    key_id: keyId,
    state,
    total,
    finished,
    succeeded,
    short,
    failed,
    canceled,
    // Rounded down, so that 1 means all items.
    progress: Math.floor((finished * 10_000) / total) / 10_000,
    webhook_id: webhookId,
    finished_at: finishedAt?.toISOString() ?? null,
  }
}

/** `word` serializes an error in the reader's language, like the response of a request that failed with it. */
export function itemText(index: number, item: BatchItemRow | undefined, word: (error: ApiError) => string): string {
  const start = (outcome: (typeof OUTCOMES)[number]) => `{"index":${index},"outcome":"${outcome}",`
  if (item?.result)
    return `${start(isShort(item.result) ? 'short' : 'succeeded')}"status":"success","data":${correctStoredSuggestions(item.result)}}`
  const { code, ...detail } = item?.error ? (JSON.parse(item.error) as ItemError) : CANCELED
  return `${start(item?.error ? 'failed' : 'canceled')}${word(new ApiError(code, detail)).slice(1)}`
}

/** For items of a canceled batch that have no result. */
const CANCELED: ItemError = { code: 'canceled' }
