/**
 * Gives every request a trace context: its id and, if it is recorded, its span. Logs and work of the request carry both
 * (`platform/tracing/trace-context.ts`).
 *
 * A body arrives on events of the connection, which belong to no request, so the trace context is restored after the
 * body.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { withTraceContext } from '../platform/tracing/trace-context.ts'
import type { TraceContext } from '../platform/tracing/trace-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceContext: TraceContext | undefined
  }
}

const OUR_FAULT = 500

export function traceRequests(app: FastifyInstance, { tracing, log, config }: Context): void {
  const { errors, share } = config.accessLog
  const isLogged = (status: number) => (errors && status >= OUR_FAULT) || (share > 0 && Math.random() < share)
  app.decorateRequest('traceContext', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    const span = tracing.request(request.headers.traceparent)
    const traceContext: TraceContext = { requestId: request.id, span }
    request.traceContext = traceContext
    if (span !== undefined || errors || share > 0) {
      const startedAt = performance.now()
      // Also when the caller disconnects, which the framework does not report as a response.
      reply.raw.once('close', () => {
        const { statusCode: status, writableFinished } = reply.raw
        const { method } = request
        const route = routeOf(request)
        if (isLogged(status)) {
          const ms = Math.round((performance.now() - startedAt) * 10) / 10
          const hungUp = writableFinished ? {} : { hung_up: true }
          withTraceContext(traceContext, () => log.info({ method, route, status, ms, ...hungUp }, 'request'))
        }
        if (span === undefined) return
        span.name = `${method} ${route}`
        span.setAttributes({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'namewright.request_id': request.id,
          'namewright.hung_up': writableFinished ? undefined : true,
        })
        if (status >= OUR_FAULT) span.recordError(String(status))
        span.end()
      })
    }
    withTraceContext(traceContext, done)
  })

  app.addHook('preValidation', (request, _reply, done) => {
    withTraceContext(request.traceContext, done)
  })
}

/** The route pattern, never the path, which contains ids and caller input. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none'
}
