/**
 * Gives every request a trail: its id and, where it is traced, its span. Logs and work of the request carry both
 * (`platform/tracing/trail.ts`).
 *
 * A body arrives on events of the connection, which belong to no request, so the trail is restored after the body.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { follow } from '../platform/tracing/trail.ts'
import type { Trail } from '../platform/tracing/trail.ts'

declare module 'fastify' {
  interface FastifyRequest {
    trail: Trail | undefined
  }
}

const OUR_FAULT = 500

export function followRequests(app: FastifyInstance, { tracing, log, config }: Context): void {
  const { errors, share } = config.accessLog
  const isLogged = (status: number) => (errors && status >= OUR_FAULT) || (share > 0 && Math.random() < share)
  app.decorateRequest('trail', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    const span = tracing.request(request.headers.traceparent)
    const trail: Trail = { requestId: request.id, span }
    request.trail = trail
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
          follow(trail, () => log.info({ method, route, status, ms, ...hungUp }, 'request'))
        }
        if (span === undefined) return
        span.name = `${method} ${route}`
        span.note({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'namewright.request_id': request.id,
          'namewright.hung_up': writableFinished ? undefined : true,
        })
        if (status >= OUR_FAULT) span.fail(String(status))
        span.end()
      })
    }
    follow(trail, done)
  })

  app.addHook('preValidation', (request, _reply, done) => {
    follow(request.trail, done)
  })
}

/** The route pattern, never the path, which contains ids and caller input. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none'
}
