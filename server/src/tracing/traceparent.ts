/** The header `traceparent` (W3C Trace Context, level 1 and 2): which trace a request belongs to, and is it recorded. */
import type { Origin } from './span.ts'

export interface TraceParent extends Origin {
  readonly isSampled: boolean
}

// "version 255 is invalid"; all zeros are invalid ids; what a later version adds stands behind another dash.
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const SAMPLED = 1

/** Undefined when there is none or it is none: then a trace starts here. */
export function findTraceParent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > 255) return undefined
  const [, version, traceId, spanId, flags = '', more] = FORM.exec(header) ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** Of a span that is recorded. */
export function traceParentOf({ traceId, spanId }: Origin): string {
  return `00-${traceId}-${spanId}-01`
}
