/** One thing that took time. It is handed to `keep` when it ends, once, and can be written to until then. */
import { randomFillSync } from 'node:crypto'

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Where a trace was before it came to us: of a caller, or of the request behind a job. */
export interface Origin {
  readonly traceId: string
  readonly spanId: string
}

export interface SpanOptions {
  readonly name: string
  readonly kind: SpanKind
  readonly parent?: Origin | undefined
  readonly link?: Origin | undefined
  readonly keep: (span: Span) => void
}

export function startTrace({ name, kind, parent, link, keep }: SpanOptions): Span {
  const trace = { traceId: parent?.traceId ?? makeHex(TRACE_ID_BYTES), left: MOST_OF_A_TRACE, keep }
  return new Span(trace, { name, kind, parentId: parent?.spanId, link })
}

interface Trace {
  readonly traceId: string
  left: number
  readonly keep: (span: Span) => void
}

// A batch of a hundred requests makes some hundreds; a loop gone wrong would make millions.
const MOST_OF_A_TRACE = 1_000
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

/** A class because a request makes dozens, and closures would cost more than what they close over. */
export class Span implements Origin {
  readonly traceId: string
  readonly spanId = makeHex(SPAN_ID_BYTES)
  readonly parentId: string | undefined
  readonly link: Origin | undefined
  readonly kind: SpanKind
  /** Milliseconds since 1970, with what is behind the point. */
  readonly startedAt = wallMs()
  readonly attributes: Record<string, string | number | boolean | undefined> = {}
  name: string
  endedAt = 0
  /** Of what went wrong only the kind: a message may quote a caller. */
  fault: string | undefined
  readonly #trace: Trace

  constructor(
    trace: Trace,
    of: { name: string; kind: SpanKind; parentId: string | undefined; link: Origin | undefined },
  ) {
    this.traceId = trace.traceId
    this.parentId = of.parentId
    this.link = of.link
    this.kind = of.kind
    this.name = of.name
    this.#trace = trace
  }

  /** Undefined when the trace has as many as it may. */
  child(name: string, kind: SpanKind): Span | undefined {
    if (this.#trace.left-- <= 0) return undefined
    return new Span(this.#trace, { name, kind, parentId: this.spanId, link: undefined })
  }

  note(attributes: Attributes): void {
    Object.assign(this.attributes, attributes)
  }

  fail(error: unknown): void {
    this.fault = kindOf(error)
  }

  end(): void {
    if (this.endedAt !== 0) return
    this.endedAt = wallMs()
    this.#trace.keep(this)
  }
}

/** Goes forward evenly while the process lives, whatever is done to the clock. */
function wallMs(): number {
  return performance.timeOrigin + performance.now()
}

function kindOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'Error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

// Asking the system for a few bytes costs as much as asking it for thousands.
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
