/** GET …/usage: what an account has used by day, in all and through each key and application. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Use } from '../../quota/quota.ts'
import { UsageQuery } from '../usage-schemas.ts'
import { successOf } from '../../wire/texts.ts'
import { enter } from './door.ts'

const DEFAULT_DAYS = 31

export function usageRoutes(app: FastifyInstance, ctx: Context): void {
  app.get<{ Querystring: UsageQuery }>(
    '/settings/accounts/:account/usage',
    { schema: { querystring: UsageQuery } },
    async (request, reply) => {
      const { member } = await enter(ctx, request, 'viewer')
      const { days = DEFAULT_DAYS } = request.query
      const [{ account }, byKey, rows] = await Promise.all([
        ctx.quota.usage(member, { days }),
        ctx.quota.usageByKey(member, days),
        ctx.keys.list(member),
      ])
      const keys = rows.flatMap(({ id, name, client_id }) => {
        const use = byKey.get(id)
        return use ? [{ id, name, client_id, ...wireOf(use) }] : []
      })
      return reply.send(successOf(JSON.stringify({ usage: { account: wireOf(account), keys } })))
    },
  )
}

function wireOf({ days, today, thisMonth }: Use) {
  return { days, today, this_month: thisMonth }
}
