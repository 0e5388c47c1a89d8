/** From what a flow finds out to what a reader is told of it. */
import { hash } from 'node:crypto'
import type { KeptEvent } from '../../streams/streams.ts'

/**
 * Holds what the reader was told and what is so by now; the events are the difference. A reader who is slow is thus
 * never owed more than what changed in the meantime, however often it changed.
 */
export interface Teller<News extends readonly unknown[]> {
  /** Cheap: flows call it in the middle of their work. */
  hear(...news: News): void
  /** What the reader does not know yet, taken down as told when it is taken from here. Goes on as more is heard. */
  changes(): Iterable<KeptEvent>
  /** The work is done: what was told in an earlier try and is not so any more comes to light only now. */
  settle(): void
  /** What this reader was told before the connection broke. */
  recall(event: KeptEvent): void
}

/** Short, and different where the texts are. */
export function markOf(text: string): string {
  return hash('sha1', text, 'base64')
}
