/** The listener for Prometheus: plain HTTP on its own address. It serves /metrics and nothing else. */
import fastify from 'fastify'
import { metricsRoute } from './metrics.ts'
import type { MetricsReader } from './metrics.ts'

export interface MetricsListener extends AsyncDisposable {
  readonly url: string
}

export async function openMetricsListener(
  metrics: MetricsReader,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const app = fastify({ logger: false, forceCloseConnections: true })
  app.addHook('onRequest', async (_request, reply) => void reply.header('X-Content-Type-Options', 'nosniff'))
  metricsRoute(app, metrics)
  const url = await app.listen({ host, port })
  return { url, [Symbol.asyncDispose]: () => app.close() }
}
