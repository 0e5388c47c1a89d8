/** The header `traceparent` (W3C Trace Context, level 1 and 2): the trace of a request, and whether it is recorded. */
import type { SpanOrigin } from './span.ts'

export interface TraceParent extends SpanOrigin {
  readonly isSampled: boolean
}

// "version 255 is invalid"; all zeros are invalid ids; later versions append fields after another dash.
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const SAMPLED = 1

/** Undefined when it is absent or invalid: then a trace starts here. */
export function findTraceParent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > 255) return undefined
  const [, version, traceId, spanId, flags = '', more] = FORM.exec(header) ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** For a recorded span. */
export function traceParentOf({ traceId, spanId }: SpanOrigin): string {
  return `00-${traceId}-${spanId}-01`
}
