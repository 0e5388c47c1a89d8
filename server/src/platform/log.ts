/** Structured logs on stdout. They never contain a credential or data that identifies a caller. */
import { pino } from 'pino'
import type { Logger } from 'pino'
import { traceIds } from './tracing/trace-context.ts'

export type { Logger } from 'pino'

export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutDetail },
    mixin: traceIds,
  })
}

/** PostgreSQL's `detail` quotes the refused row, and with it the caller's input. */
function withoutDetail(error: Error): object {
  const { detail: _detail, ...rest } = pino.stdSerializers.err(error) as { detail?: unknown }
  return rest
}
