/** /healthz: the process runs. /readyz: it can serve, and if not, why. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'

export interface Readiness {
  draining: boolean
}

export function healthRoutes(app: FastifyInstance, ctx: Context, readiness: Readiness): void {
  app.get('/healthz', { config: { priority: 'never' } }, (_request, reply) => reply.send('{"status":"ok"}'))

  app.get('/readyz', { config: { priority: 'never' } }, async (_request, reply) => {
    const database = await ctx.db.isUp()
    const checks = {
      draining: readiness.draining ? 'shutting down' : 'no',
      database: database ? (ctx.db.isAway() ? 'read from the standby' : 'ok') : 'unreachable',
      // Not a reason to send callers away: without Redis everything works, a little slower.
      redis: ctx.cache.isUp() ? 'ok' : 'unreachable',
    }
    const ready = database && !readiness.draining
    return reply.code(ready ? 200 : 503).send(JSON.stringify({ status: ready ? 'ready' : 'not_ready', checks }))
  })
}
