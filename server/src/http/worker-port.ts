/** The port of a process that only runs jobs: liveness, readiness and metrics. It serves nothing else. */
import fastify from 'fastify'
import type { Context } from '../context.ts'
import { countRequests, metricsRoute } from './metrics.ts'
import { healthRoutes } from '../features/operation/index.ts'
import type { Readiness } from './feature.ts'
import { marksOf } from './sandbox.ts'

export interface WorkerPort extends AsyncDisposable {
  readonly url: string
  readonly readiness: Readiness
}

export async function openWorkerPort(
  ctx: Context,
  { host, port, version }: { host: string; port: number; version: string },
): Promise<WorkerPort> {
  const app = fastify({ logger: false, forceCloseConnections: true })
  const readiness: Readiness = { draining: false }
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (_request, reply) => {
    reply.type('application/json; charset=utf-8').header('X-Content-Type-Options', 'nosniff')
    reply.headers(marksOf(ctx.config))
  })
  healthRoutes(app, ctx, readiness)
  metricsRoute(app, countRequests(app, ctx, { version }))
  const url = await app.listen({ host, port })
  return { url, readiness, [Symbol.asyncDispose]: () => app.close() }
}
