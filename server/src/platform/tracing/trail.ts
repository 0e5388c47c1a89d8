/**
 * The context of work: the request or job that caused it, and its parent span when it is recorded.
 *
 * The context follows the work through every `await`, so no module passes it on. Code that is worth tracing calls
 * `step`; without a recorded parent span that costs one lookup and a call, and creates nothing.
 *
 * **Invariant:** a span contains our own names, counts and hosts. Never a caller's input, a key or a domain.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind } from './span.ts'

export interface Trail {
  readonly requestId?: string
  readonly span?: Span | undefined
}

const trail = new AsyncLocalStorage<Trail | undefined>()

/** Runs the work, and everything it causes, in this context. */
export function follow<T>(on: Trail | undefined, work: () => T): T {
  return trail.run(on, work)
}

export function trailNow(): Trail | undefined {
  return trail.getStore()
}

/** Runs a part of the work as a span of its own. `note` adds attributes, if the span is recorded. */
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

/** The context ids for a log line. */
export function trailIds(): object {
  const { requestId, span } = trail.getStore() ?? {}
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }),
  }
}
