/** Counts each authenticated request by key and endpoint, and each use of a retiring secret. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

const FAILURES_FROM = 400

export function countTraffic(app: FastifyInstance, { traffic }: Pick<Context, 'traffic'>): void {
  // Keyed by the route's config object, which lives as long as the server, so the text is built once per route.
  const endpoints = new WeakMap<object, string>()

  app.addHook('onResponse', (request, reply, done) => {
    const { session } = request
    if (session) {
      const { config } = request.routeOptions
      let endpoint = endpoints.get(config)
      if (endpoint === undefined) endpoints.set(config, (endpoint = endpointOf(request.method, config.url)))
      const { caller } = session
      traffic.count(caller, endpoint, reply.statusCode >= FAILURES_FROM)
      if (caller.retiring !== undefined)
        traffic.countUse(caller, caller.retiring, request.ip, request.headers['user-agent'] ?? '')
    }
    done()
  })
}

/** In the manual's form: `GET /v1/favorites/{id}`. */
function endpointOf(method: string, url: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}
