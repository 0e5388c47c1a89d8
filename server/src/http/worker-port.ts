/** The port of a process that only runs jobs: liveness, readiness and metrics. It serves nothing else. */
import fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { countRequests, metricsRoute } from './metrics.ts'
import type { Readiness } from './feature.ts'
import { marksOf } from './sandbox.ts'

export interface WorkerPort extends AsyncDisposable {
  readonly url: string
  readonly readiness: Readiness
}

interface WorkerPortOptions {
  readonly host: string
  readonly port: number
  readonly version: string
  readonly addHealth: (app: FastifyInstance, ctx: Context, readiness: Readiness) => void
}

export async function openWorkerPort(
  ctx: Context,
  { host, port, version, addHealth }: WorkerPortOptions,
): Promise<WorkerPort> {
  const app = fastify({ logger: false, forceCloseConnections: true })
  const readiness: Readiness = { draining: false }
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (_request, reply) => {
    reply.type('application/json; charset=utf-8').header('X-Content-Type-Options', 'nosniff')
    reply.headers(marksOf(ctx.config))
  })
  addHealth(app, ctx, readiness)
  metricsRoute(app, countRequests(app, ctx, { version }))
  const url = await app.listen({ host, port })
  return { url, readiness, [Symbol.asyncDispose]: () => app.close() }
}
