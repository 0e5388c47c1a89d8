/** The nouns of a batch: what is read of one, what is written of one. */
import type { ErrorCode, FieldError } from '../errors.ts'
import type { AccountId, Caller, KeyId } from '../model/caller.ts'

export type BatchState = 'running' | 'completed' | 'canceled'

/** Counts are of one moment: an item is in one of them, or not finished. */
export interface BatchRow {
  readonly id: string
  readonly key_id: KeyId
  readonly created_at: Date
  readonly state: BatchState
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly webhook_id: string | null
  readonly finished_at: Date | null
}

/** Items that ended. Of a canceled batch that is all of them. */
export function finishedOf({ state, total, succeeded, failed }: BatchRow): number {
  return state === 'canceled' ? total : succeeded + failed
}

/** Why an item has no result: facts, worded when somebody reads them. */
export interface ItemError {
  readonly code: ErrorCode
  readonly fields?: readonly FieldError[]
  readonly params?: Readonly<Record<string, string | number>>
}

export interface ItemRow {
  readonly n: number
  /** There was no room for its text any more: it is to be read again, as the first of another page. */
  readonly cut: boolean
  /** JSON text: `data` of the answer that the request would have had by itself. */
  readonly result: string | null
  /** JSON text of an ItemError. */
  readonly error: string | null
}

export interface NewChunk {
  readonly size: number
  /** JSON array, null for an item that was wrong. */
  readonly requests: string
  readonly wrong: number
}

export interface NewBatch {
  readonly chunks: readonly NewChunk[]
  readonly wrong: readonly { readonly n: number; readonly error: ItemError }[]
  readonly webhookId: string | null
  readonly language: string
}

/** A chunk in the hands of a worker. */
export interface Chunk {
  readonly account: AccountId
  readonly batchId: string
  readonly n: number
  /** Number of its first item in the batch. */
  readonly first: number
  /** JSON array. */
  readonly requests: string
  /** Numbers of items that ended already. */
  readonly ended: ReadonlySet<number>
  /** How often it was taken up, this time included. */
  readonly taken: number
  readonly block: string
  /** Whoever sent the batch, with the language and the currency that they wanted then. */
  readonly caller: Caller
}
