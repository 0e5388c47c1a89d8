/** GET /v1/usage: what this key and this account have used by day, and what the key has left. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { leftOf } from '../../quota/quota.ts'
import type { Use } from '../../quota/quota.ts'
import { sessionOf } from '../auth.ts'
import { UsageAnswer, UsageQuery } from '../usage-schemas.ts'
import { successOf } from '../../wire/texts.ts'

const DEFAULT_DAYS = 31

export function usageRoute(app: FastifyInstance, ctx: Context): void {
  app.get<{ Querystring: UsageQuery }>(
    '/v1/usage',
    {
      config: { scope: 'usage:read' },
      schema: {
        summary: 'Get what was used and what is left',
        querystring: UsageQuery,
        response: { 200: UsageAnswer },
      },
    },
    async (request, reply) => {
      const { caller } = sessionOf(request)
      const { days = DEFAULT_DAYS } = request.query
      const { key, account } = await ctx.quota.usage(caller.accountId, { keyId: caller.keyId, days })
      const usage = {
        key: { id: caller.keyId, ...wireOf(key), left: leftOf(caller.quota, key) },
        account: wireOf(account),
      }
      return reply.send(successOf(JSON.stringify({ usage })))
    },
  )
}

function wireOf({ days, today, thisMonth }: Use) {
  return { days, today, this_month: thisMonth }
}
