/** Structured logs, on stdout unless they have another destination. They never contain a credential or data that identifies a caller. */
import { pino, type DestinationStream, type Logger } from 'pino'
import { traceIds } from './tracing/trace-context.ts'

export type { Logger } from 'pino'

export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutDetail },
    mixin: traceIds,
  }
  return destination ? pino(options, destination) : pino(options)
}

/** PostgreSQL's `detail` quotes the refused row, and with it the caller's input. */
function withoutDetail(error: Error): object {
  const { detail: _detail, ...rest } = pino.stdSerializers.err(error) as { detail?: unknown }
  return rest
}
