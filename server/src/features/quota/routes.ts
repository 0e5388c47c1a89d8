/** GET /v1/usage: the usage of this key and this account by day, what remains, and their limits. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { QuotaLimits } from '../../model/caller.ts'
import { rowOf, UNLIMITED } from '../../model/plan.ts'
import type { Plan } from '../../model/plan.ts'
import { leftOf } from './quota.ts'
import type { Use } from './quota.ts'
import { sessionOf } from '../../http/auth.ts'
import { UsageAnswer, UsageQuery } from './schemas.ts'
import { successOf } from '../../http/wire/texts.ts'

const DEFAULT_DAYS = 31

export function usageRoute(app: FastifyInstance, ctx: Context): void {
  app.get<{ Querystring: UsageQuery }>(
    '/v1/usage',
    {
      schema: {
        summary: 'Get usage and remaining quota',
        querystring: UsageQuery,
        response: { 200: UsageAnswer },
      },
    },
    async (request, reply) => {
      const { caller } = sessionOf(request)
      const { plan = UNLIMITED } = caller
      const { days = DEFAULT_DAYS } = request.query
      const [{ key, account }, today] = await Promise.all([
        ctx.quota.usage(caller.accountId, { keyId: caller.keyId, days }),
        ctx.quota.checksToday(caller.accountId),
      ])
      const checks = { today, left: plan.checksPerDay === null ? null : Math.max(0, plan.checksPerDay - today) }
      const usage = {
        key: { id: caller.keyId, ...wireOf(key), left: leftOf(caller.quota, key), limits: limitsOf(caller.quota) },
        account: { ...wireOf(account), left: leftOf(budgetOf(plan), account), checks, limits: rowOf(plan) },
      }
      return reply.send(successOf(JSON.stringify({ usage })))
    },
  )
}

function limitsOf({ perMinute, burst, perDay, perMonth }: QuotaLimits) {
  return { per_minute: perMinute, burst, per_day: perDay, per_month: perMonth }
}

function budgetOf({ namesPerDay, namesPerMonth }: Plan) {
  return { perDay: namesPerDay, perMonth: namesPerMonth }
}

function wireOf({ days, today, thisMonth }: Use) {
  return { days, today, this_month: thisMonth }
}
