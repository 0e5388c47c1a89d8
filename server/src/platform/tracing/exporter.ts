/**
 * Sends ended spans to a collector in batches, in the background.
 *
 * A slow or unreachable collector costs only spans: spans that do not fit into the queue are dropped, a batch that the
 * collector refuses is dropped, and a log line reports it once a minute.
 */
import type { Logger } from '../log.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { otlpOf } from './otlp.ts'
import type { Attributes, Span } from './span.ts'
import { withTraceContext } from './trace-context.ts'

export interface Exporter {
  take(span: Span): void
  counts(): Readonly<Record<'sent' | 'dropped', number>>
  /** Sends the remaining spans, if the collector accepts them within a moment. */
  close(): Promise<void>
}

export interface ExporterOptions {
  /** Without `/v1/traces`. */
  readonly url: string
  readonly send: Outbound['send']
  readonly log: Pick<Logger, 'warn'>
  readonly now: () => number
  /** The resource attributes of the spans. */
  readonly about: Attributes
  readonly pauseMs?: number
}

const PAUSE_MS = 2_000
// A few hundred kilobytes of JSON.
const AT_ONCE = 512
// A few megabytes; more waits only behind a collector that has stopped.
const MAX_WAITING = 4_096
const TIMEOUT_MS = 5_000
const QUIET_MS = 60_000
const MAX_ANSWERED = 64 * 1024

export function openExporter({ url, send, log, now, about, pauseMs = PAUSE_MS }: ExporterOptions): Exporter {
  const counts = { sent: 0, dropped: 0 }
  let waiting: Span[] = []
  let underWay: Promise<void> | undefined
  let quietUntil = -Infinity
  let unsaid = 0
  const timer = setInterval(() => void flush(), pauseMs).unref()

  function drop(spans: number, why: string): void {
    counts.dropped += spans
    unsaid += spans
    if (now() < quietUntil) return
    log.warn({ spans: unsaid, why }, 'trace spans dropped')
    quietUntil = now() + QUIET_MS
    unsaid = 0
  }

  async function sendBatch(spans: readonly Span[]): Promise<void> {
    const answer = await send({
      url: `${url}/v1/traces`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: otlpOf(spans, about),
      maxBytes: MAX_ANSWERED,
      statusDecides: true,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    })
    if (answer.kind === 'answer' && answer.status < 300) counts.sent += spans.length
    else drop(spans.length, answer.kind === 'answer' ? `status ${answer.status}` : answer.reason)
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, AT_ONCE)
      waiting = waiting.slice(AT_ONCE)
      await sendBatch(spans).catch(() => drop(spans.length, 'failed'))
    }
  }

  /** Runs outside any trace: sending spans creates none. */
  function flush(): Promise<void> {
    underWay ??= withTraceContext(undefined, sendAll).finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    take(span) {
      if (waiting.length >= MAX_WAITING) return drop(1, 'the queue is full')
      waiting.push(span)
      if (waiting.length === AT_ONCE) void flush()
    },
    counts: () => counts,
    async close() {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}
