/**
 * What work belongs to: the request or job that caused it, and the span that it is a part of when that is recorded.
 *
 * The trail follows the work by itself, through every `await`, so no capability passes it on. Whoever does something
 * worth seeing calls `step`; without a recorded span around it that is one look and a call, and nothing is made.
 *
 * **Invariant:** a span carries names of ours, counts and hosts. Never what a caller wrote, a key or a domain.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind } from './span.ts'

export interface Trail {
  readonly requestId?: string
  readonly span?: Span | undefined
}

const trail = new AsyncLocalStorage<Trail | undefined>()

/** Does the work, and all that it causes, on this trail. */
export function follow<T>(on: Trail | undefined, work: () => T): T {
  return trail.run(on, work)
}

export function trailNow(): Trail | undefined {
  return trail.getStore()
}

/** A part of what is going on, seen as a span of its own. `note` adds to it, where one is recorded. */
export function step<T>(
  name: string,
  work: (note: ((attributes: Attributes) => void) | undefined) => Promise<T>,
  kind: SpanKind = 'internal',
): Promise<T> {
  const around = trail.getStore()
  const span = around?.span?.child(name, kind)
  if (span === undefined) return work(undefined)
  const run = async () => {
    try {
      return await work((attributes) => span.note(attributes))
    } catch (error) {
      span.fail(error)
      throw error
    } finally {
      span.end()
    }
  }
  return trail.run({ ...around, span }, run)
}

/** What a line of the log says of where it comes from. */
export function trailIds(): object {
  const { requestId, span } = trail.getStore() ?? {}
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }),
  }
}
