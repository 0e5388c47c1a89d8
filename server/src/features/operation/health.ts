/** /healthz: the process runs. /readyz: it can serve requests, and if not, why. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Readiness } from '../../http/feature.ts'
import { trustsOf } from './state-of-parts.ts'

const REDIS_CHECKS = { up: 'ok', down: 'unreachable', off: 'off' } as const

export function healthRoutes(app: FastifyInstance, ctx: Context, readiness: Readiness): void {
  app.get('/healthz', { config: { priority: 'never' } }, (_request, reply) => reply.send('{"status":"ok"}'))

  app.get('/readyz', { config: { priority: 'never' } }, async (_request, reply) => {
    const database = await ctx.db.isUp()
    const checks = {
      draining: readiness.draining ? 'shutting down' : 'no',
      database: database ? (ctx.db.isPrimaryDown() ? 'reading from the replica' : 'ok') : 'unreachable',
      // Does not make the node unready: without Redis everything works, a little slower.
      redis: REDIS_CHECKS[ctx.cache.state()],
      // Neither does this: a domain that cannot be checked is `unknown`, on this node as on every other that asks the
      // same sources.
      sources: describeSources(ctx),
    }
    const ready = database && !readiness.draining
    return reply.code(ready ? 200 : 503).send(JSON.stringify({ status: ready ? 'ready' : 'not_ready', checks }))
  })
}

function describeSources(ctx: Context): string {
  if (ctx.config.sandbox) return 'sandbox: domains and prices are made up'
  const doubtful = trustsOf(ctx).filter(({ state }) => state !== 'trusted')
  return (
    doubtful.map(({ source, state, why }) => `${source} ${state}${why === null ? '' : `: ${why}`}`).join('; ') || 'ok'
  )
}
