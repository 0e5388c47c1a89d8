/**
 * Traces for the operator's collector, over OTLP. Off unless a URL is set; then a share of the requests is recorded.
 *
 * The `traceparent` of a caller decides whether its trace is recorded; without one the request is sampled at random. A
 * request that is not recorded creates no span at all.
 */
import type { Logger } from '../log.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { openExporter } from './exporter.ts'
import { startTrace } from './span.ts'
import type { Attributes, Span } from './span.ts'
import { findTraceParent } from './traceparent.ts'

export interface Tracing {
  /** The span of a request, if it is recorded; the code that started it must end it. */
  request(traceparent: unknown): Span | undefined
  /** The span of a job: a trace of its own, with a link to the request that caused it. */
  job(queue: string, traceparent: unknown): Span | undefined
  counts(): Readonly<Record<'sent' | 'dropped', number>>
  close(): Promise<void>
}

export interface TracingOptions {
  readonly url: string
  /** From 0 to 1. */
  readonly share: number
  readonly send: Outbound['send']
  readonly log: Pick<Logger, 'warn'>
  readonly now: () => number
  readonly about: Attributes
  readonly pauseMs?: number
}

export function openTracing({ share, ...options }: TracingOptions): Tracing {
  const exporter = openExporter(options)
  const onEnd = (span: Span) => exporter.take(span)
  return {
    request(header) {
      const parent = findTraceParent(header)
      if (!(parent?.isSampled ?? Math.random() < share)) return undefined
      return startTrace({ name: 'request', kind: 'server', parent, onEnd })
    },
    job(queue, header) {
      const link = findTraceParent(header)
      if (link === undefined && Math.random() >= share) return undefined
      return startTrace({ name: `job ${queue}`, kind: 'consumer', link, onEnd })
    },
    counts: () => exporter.counts(),
    close: () => exporter.close(),
  }
}
