/** Prometheus metrics: request counts and durations, and the state of the process. Must never name an account. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { apiErrorOf } from './faults.ts'
import { createReader } from './metrics/read.ts'
import { createMetrics } from './metrics/registry.ts'
import type { Overload } from './overload/overload.ts'
import type { SocketCap } from './socket-cap.ts'

export interface MetricsOptions {
  readonly version: string
  /** Absent in a process that only runs jobs. */
  readonly overload?: Overload
  readonly sockets?: SocketCap
  /** PEM, if the node has a certificate. */
  readonly cert?: string
}

export interface MetricsReader {
  readonly contentType: string
  /** All metrics, with current values. */
  text(): Promise<string>
}

/** Counts the requests of `app`. */
export function countRequests(app: FastifyInstance, ctx: Context, options: MetricsOptions): MetricsReader {
  const metrics = createMetrics()
  const readAll = createReader(ctx, metrics, options)

  app.addHook('onError', (_request, _reply, error, done) => {
    metrics.count('namewright_refusals_total', { code: apiErrorOf(error).code })
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    // The route pattern, not the path: ids would create a series each.
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: reply.statusCode }
    metrics.observe('namewright_http_request_seconds', labels, reply.elapsedTime / 1000)
    const { session } = request
    if (session && session.spent > 0 && reply.statusCode === 200)
      metrics.count('namewright_suggestions_total', {}, session.spent)
    done()
  })

  return {
    contentType: metrics.contentType,
    async text() {
      await readAll()
      return metrics.text()
    },
  }
}

/** Never on the public port, because it needs no key. */
export function metricsRoute(app: FastifyInstance, metrics: MetricsReader): void {
  app.get('/metrics', { config: { priority: 'never' } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  )
}
