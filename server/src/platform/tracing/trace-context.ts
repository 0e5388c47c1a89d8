/**
 * The context of work: the request or job that caused it, and its parent span when it is recorded.
 *
 * The context follows the work through every `await`, so no module passes it on. Code that is worth tracing calls
 * `withSpan`; without a recorded parent span that costs one lookup and a call, and creates nothing.
 *
 * **Invariant:** a span contains our own names, counts and hosts. Never a caller's input, a key or a domain.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind } from './span.ts'

export interface TraceContext {
  readonly requestId?: string
  readonly span?: Span | undefined
}

const storage = new AsyncLocalStorage<TraceContext | undefined>()

/** Runs the work, and everything it causes, in this context. */
export function withTraceContext<T>(context: TraceContext | undefined, work: () => T): T {
  return storage.run(context, work)
}

export function activeTraceContext(): TraceContext | undefined {
  return storage.getStore()
}

/** Runs a part of the work as a span of its own. `setAttributes` adds attributes, if the span is recorded. */
export function withSpan<T>(
  name: string,
  work: (setAttributes: ((attributes: Attributes) => void) | undefined) => Promise<T>,
  kind: SpanKind = 'internal',
): Promise<T> {
  const active = storage.getStore()
  const span = active?.span?.child(name, kind)
  if (span === undefined) return work(undefined)
  const run = async () => {
    try {
      return await work((attributes) => span.setAttributes(attributes))
    } catch (error) {
      span.recordError(error)
      throw error
    } finally {
      span.end()
    }
  }
  return storage.run({ ...active, span }, run)
}

/** The context ids for a log line. */
export function traceIds(): object {
  const { requestId, span } = storage.getStore() ?? {}
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }),
  }
}
