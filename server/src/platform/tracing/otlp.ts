/** Converts spans to OTLP JSON: the fields of opentelemetry-proto, ids in hex, 64-bit numbers as text. */
import type { Attributes, Span, SpanKind } from './span.ts'

// SpanKind and StatusCode of opentelemetry/proto/trace/v1.
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 }
const STATUS_ERROR = 2

export function otlpOf(spans: readonly Span[], about: Attributes): string {
  const resource = { attributes: attributesOf(about) }
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'namewright' }, spans: spans.map(spanOf) }] }],
  })
}

function spanOf({
  traceId,
  spanId,
  parentId,
  link,
  name,
  kind,
  startedAt,
  endedAt,
  attributes,
  errorType,
}: Span): object {
  return {
    traceId,
    spanId,
    parentSpanId: parentId,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanosOf(startedAt),
    endTimeUnixNano: nanosOf(endedAt),
    attributes: attributesOf(errorType === undefined ? attributes : { ...attributes, 'error.type': errorType }),
    links: link && [link],
    status: errorType === undefined ? {} : { code: STATUS_ERROR },
  }
}

/** Microseconds still fit a number exactly; nanoseconds would not. */
function nanosOf(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}

function attributesOf(attributes: Attributes): object[] {
  const list: object[] = []
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) list.push({ key, value: valueOf(value) })
  }
  return list
}

function valueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
