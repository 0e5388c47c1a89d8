/** Prometheus text at /metrics: how many requests, how long, and how the node is. It names no account. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { apiErrorOf } from './faults.ts'
import { createReader } from './metrics/read.ts'
import { createMetrics } from './metrics/registry.ts'
import type { Overload } from './overload/overload.ts'

export interface MetricsOptions {
  readonly version: string
  /** Absent in a process that only does jobs. */
  readonly overload?: Overload
  /** PEM, where the node has one. */
  readonly cert?: string
}

export function metricsRoute(app: FastifyInstance, ctx: Context, options: MetricsOptions): void {
  const metrics = createMetrics()
  const readAll = createReader(ctx, metrics, options)

  app.addHook('onError', (_request, _reply, error, done) => {
    metrics.count('namewright_refusals_total', { code: apiErrorOf(error).code })
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, not the path: ids would make a series each.
    const route = request.routeOptions.url ?? 'none'
    const labels = { method: request.method, route, status: reply.statusCode }
    metrics.observe('namewright_http_request_seconds', labels, reply.elapsedTime / 1000)
    const { session } = request
    if (session && session.spent > 0 && reply.statusCode === 200)
      metrics.count('namewright_suggestions_total', {}, session.spent)
    done()
  })

  app.get('/metrics', { config: { priority: 'never' } }, async (_request, reply) => {
    await readAll()
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
