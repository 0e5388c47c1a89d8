/** Structured logs on stdout. What could open a door or tell who a caller is never gets into one. */
import { pino } from 'pino'
import type { Logger } from 'pino'
import { trailIds } from './tracing/trail.ts'

export type { Logger } from 'pino'

export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutDetail },
    mixin: trailIds,
  })
}

/** PostgreSQL's `detail` quotes the row it refused, and with it what a caller wrote. */
function withoutDetail(error: Error): object {
  const { detail: _detail, ...rest } = pino.stdSerializers.err(error) as { detail?: unknown }
  return rest
}
