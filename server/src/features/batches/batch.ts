/** The types of a batch: its rows when read and when written. */
import type { ErrorCode, FieldError } from '../../model/errors.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'

export type BatchState = 'running' | 'completed' | 'canceled'

/** All counts are of one point in time: an item is in exactly one of them, or unfinished. */
export interface BatchRow {
  readonly id: string
  readonly key_id: KeyId
  readonly created_at: Date
  readonly state: BatchState
  readonly total: number
  /** Items with at least one name. */
  readonly succeeded: number
  /** Items that completed without a name. */
  readonly short: number
  readonly failed: number
  readonly webhook_id: string | null
  readonly finished_at: Date | null
}

/** The number of finished items. In a canceled batch all items are finished. */
export function finishedOf({ state, total, succeeded, short, failed }: BatchRow): number {
  return state === 'canceled' ? total : succeeded + short + failed
}

/** Whether a result, as text, has no name. `features/generate/shown.ts` has suggestions first. */
export function isShort(result: string): boolean {
  return result.startsWith('{"suggestions":[]')
}

/** The request id in the error of an item: the same at every read, and in the log. */
export function requestIdOf(batchId: string, item: number): string {
  return `${batchId}:${item}`
}

/** Why an item has no result. Stored as facts; the message is written when it is read. */
export interface ItemError {
  readonly code: ErrorCode
  readonly fields?: readonly FieldError[]
  readonly params?: Readonly<Record<string, string | number>>
}

export interface BatchItemRow {
  readonly n: number
  /** Its text did not fit on this page: read it again as the first item of the next page. */
  readonly cut: boolean
  /** JSON text: the `data` field of the response that a single request would have had. */
  readonly result: string | null
  /** JSON text of an ItemError. */
  readonly error: string | null
}

export interface NewChunk {
  readonly size: number
  /** JSON array; null for an invalid item. */
  readonly requests: string
  readonly wrong: number
}

export interface NewBatch {
  readonly chunks: readonly NewChunk[]
  readonly wrong: readonly { readonly n: number; readonly error: ItemError }[]
  readonly webhookId: string | null
  readonly language: string
}

/** A chunk that a worker has taken. */
export interface Chunk {
  readonly account: AccountId
  readonly batchId: string
  readonly n: number
  /** The number of its first item in the batch. */
  readonly first: number
  /** JSON array. */
  readonly requests: string
  /** The numbers of items that already ended. */
  readonly ended: ReadonlySet<number>
  /** How often it was taken, including this time. */
  readonly taken: number
  readonly block: string
  readonly isSuspended: boolean
  /** The caller who sent the batch, with the language and currency of that request. */
  readonly caller: Caller
}
