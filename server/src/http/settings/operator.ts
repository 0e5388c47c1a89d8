/**
 * For who runs the installation: how this node and those it asks are, what waits in the queues, how much each account
 * uses. To everybody else these addresses are not there.
 *
 * Numbers and names of machines only: nothing that an account holds, no secrets, and of people not even the names. What
 * a node knows of itself differs from node to node, so the answer says whose it is.
 */
import { hostname } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { closed } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'
import type { Doors } from '../doors.ts'
import { pageOf } from '../page.ts'
import { auditOf, indexOf } from '../routes/status.ts'
import { personOf } from './door.ts'
import { sourcesOf } from './operator-sources.ts'

const AccountsQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
type AccountsQuery = Static<typeof AccountsQuery>

export function operatorRoutes(app: FastifyInstance, ctx: Context, doors: Doors): void {
  // Before the query is looked at: a stranger learns nothing about what it should look like.
  const onRequest = async (request: FastifyRequest) => {
    if (!(await ctx.accounts.isOperator(personOf(request).userId))) throw new ApiError('not_found')
  }

  app.get('/settings/operator/health', { onRequest }, async (_request, reply) => {
    const health = {
      node: hostname(),
      version: doors.version,
      started_at: new Date(ctx.now() - process.uptime() * 1000),
      redis: ctx.cache.isUp(),
      database: await databaseOf(ctx),
      sources: sourcesOf(ctx),
      index: indexOf(ctx),
      audit: auditOf(ctx),
      prices: pricesOf(ctx),
    }
    return reply.send(successOf(JSON.stringify(health)))
  })

  app.get('/settings/operator/queues', { onRequest }, async (_request, reply) => {
    const counts = await ctx.jobs.counts()
    const queues = counts.map(({ queue, waiting, later, running, failed, dead, oldest_waiting_seconds }) => {
      return { name: queue, waiting, later, active: running, failed, dead, oldest_waiting_seconds }
    })
    return reply.send(successOf(JSON.stringify({ queues })))
  })

  app.get<{ Querystring: AccountsQuery }>(
    '/settings/operator/accounts',
    { onRequest, schema: { querystring: AccountsQuery } },
    async (request, reply) => {
      const { q, limit, cursor } = request.query
      const account = personOf(request).userId as string as AccountId
      const page = pageOf(doors, request, reply, { list: 'operator accounts', account, filter: { q }, limit, cursor })
      const rows = await ctx.accounts.listTotals({ q, ...page.window })
      return page.send('accounts', rows, (row) => JSON.stringify(row))
    },
  )
}

async function databaseOf(ctx: Context) {
  const askedAt = performance.now()
  const primary = await ctx.db.isPrimary()
  return { primary, latency_ms: Math.round((performance.now() - askedAt) * 10) / 10 }
}

/** As old as the newest of them: a list of the day replaces most. */
function pricesOf({ prices }: Context) {
  const dates = prices.list().map(({ suffix }) => prices.offerOf(suffix).asOf)
  return { as_of: dates.toSorted().at(-1) ?? null, suffixes: dates.length }
}
