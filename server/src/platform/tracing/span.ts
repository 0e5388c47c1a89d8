/** One timed operation. It is passed to `onEnd` once, when it ends, and can be modified until then. */
import { randomFillSync } from 'node:crypto'

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The remote parent of a trace: a caller's span, or the request that caused a job. */
export interface SpanOrigin {
  readonly traceId: string
  readonly spanId: string
}

export interface SpanOptions {
  readonly name: string
  readonly kind: SpanKind
  readonly parent?: SpanOrigin | undefined
  readonly link?: SpanOrigin | undefined
  readonly onEnd: (span: Span) => void
}

export function startTrace({ name, kind, parent, link, onEnd }: SpanOptions): Span {
  const trace = { traceId: parent?.traceId ?? makeHex(TRACE_ID_BYTES), left: MAX_SPANS_PER_TRACE, onEnd }
  return new Span(trace, { name, kind, parentId: parent?.spanId, link })
}

interface Trace {
  readonly traceId: string
  left: number
  readonly onEnd: (span: Span) => void
}

// A batch of a hundred requests makes a few hundred; an endless loop would make millions.
const MAX_SPANS_PER_TRACE = 1_000
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

/** A class because a request makes dozens, and closures would cost more than the state they hold. */
export class Span implements SpanOrigin {
  readonly traceId: string
  readonly spanId = makeHex(SPAN_ID_BYTES)
  readonly parentId: string | undefined
  readonly link: SpanOrigin | undefined
  readonly kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt = wallMs()
  readonly attributes: Record<string, string | number | boolean | undefined> = {}
  name: string
  endedAt = 0
  /** Only the kind of the error: a message may quote a caller. */
  errorType: string | undefined
  readonly #trace: Trace

  constructor(
    trace: Trace,
    of: { name: string; kind: SpanKind; parentId: string | undefined; link: SpanOrigin | undefined },
  ) {
    this.traceId = trace.traceId
    this.parentId = of.parentId
    this.link = of.link
    this.kind = of.kind
    this.name = of.name
    this.#trace = trace
  }

  /** Undefined when the trace has reached its limit. */
  child(name: string, kind: SpanKind): Span | undefined {
    if (this.#trace.left-- <= 0) return undefined
    return new Span(this.#trace, { name, kind, parentId: this.spanId, link: undefined })
  }

  setAttributes(attributes: Attributes): void {
    Object.assign(this.attributes, attributes)
  }

  recordError(error: unknown): void {
    this.errorType = kindOf(error)
  }

  end(): void {
    if (this.endedAt !== 0) return
    this.endedAt = wallMs()
    this.#trace.onEnd(this)
  }
}

/** Monotonic while the process lives, even when the system clock changes. */
function wallMs(): number {
  return performance.timeOrigin + performance.now()
}

function kindOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'Error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

// Requesting a few random bytes costs as much as requesting thousands.
const pool = Buffer.alloc(8_192)
let used = pool.length

function makeHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
