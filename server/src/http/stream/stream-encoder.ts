/** Encodes the updates of a flow as events for a reader. */
import { hash } from 'node:crypto'
import type { StreamEvent } from './frames.ts'

/**
 * Holds the state that was sent and the current state; the events are the difference. So a slow reader is never owed
 * more than what has changed in the meantime, however often it changed.
 */
export interface StreamEncoder<Updates extends readonly unknown[]> {
  /** Must be cheap: flows call it in the middle of their work. */
  update(...updates: Updates): void
  /** Events the reader does not have yet. Each counts as sent once taken. Includes updates that arrive meanwhile. */
  changes(): Iterable<StreamEvent>
}

/** A short hash: different texts have different marks. */
export function markOf(text: string): string {
  return hash('sha1', text, 'base64')
}
