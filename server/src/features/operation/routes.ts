/**
 * What says how this node is: GET /v1/status for callers, /healthz and /readyz for what starts and stops nodes, and
 * security.txt. All of the status is in memory, so it works even while everything else is unreachable.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Readiness } from '../../http/feature.ts'
import { answer, route, token } from '../../http/route.ts'
import { Status } from './schemas.ts'
import { degradationsOf, partsOf, trustsOf } from './state-of-parts.ts'

const getStatus = route({
  method: 'GET',
  path: '/v1/status',
  id: 'getStatus',
  summary: 'Get the service status and its accuracy',
  description:
    'Returns the status of this node: its dependencies, active fallbacks, the last hour, and how often later checks confirmed that a domain was available. Works even while the database is down.',
  access: token('domains:check'),
  replies: { 200: Status },
  async run(_ask, app) {
    const { counted, down } = app.traffic.lastHour()
    return answer(200, {
      audit: auditOf(app),
      index: indexOf(app),
      redis: app.cache.state() === 'up',
      parts: partsOf(app),
      sources: trustsOf(app),
      sandbox: app.config.sandbox,
      in_force: degradationsOf(app),
      last_hour: { minutes: counted, down },
    })
  },
})

export const routes = [getStatus]

/** The accuracy of this node's results. */
function auditOf(ctx: Context) {
  return ctx.audit.tallies().map(({ confirmed, contradicted, ...rest }) => {
    const answered = confirmed + contradicted
    return { ...rest, confirmed, contradicted, precision: answered === 0 ? null : confirmed / answered }
  })
}

function indexOf(ctx: Context) {
  return [...(ctx.index?.suffixes() ?? [])].map(([suffix, { names, snapshotAt }]) => ({
    suffix,
    names,
    snapshot_at: new Date(snapshotAt).toISOString(),
  }))
}

const REDIS_CHECKS = { up: 'ok', down: 'unreachable', off: 'off' } as const

/** /healthz: the process runs. /readyz: it can serve requests, and if not, why. */
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

const PROJECT = 'https://github.com/namewright/namewright'
const DAY_MS = 86_400_000
// RFC 9116 §2.5.5 recommends less than a year. It is written anew at every request, so only a copy expires.
const LASTS_MS = 90 * DAY_MS

/** GET /.well-known/security.txt (RFC 9116): where to report a vulnerability of this installation. */
export function securityTxtRoute(app: FastifyInstance, ctx: Context): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const { securityContacts } = ctx.config
    const contacts = securityContacts.length > 0 ? securityContacts : [`${PROJECT}/security/advisories/new`]
    // Rounded to the day, so that copies do not differ every second.
    const expires = new Date(Math.floor((ctx.now() + LASTS_MS) / DAY_MS) * DAY_MS)
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${ctx.publicUrl}/.well-known/security.txt`,
      `Policy: ${PROJECT}/security/policy`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
