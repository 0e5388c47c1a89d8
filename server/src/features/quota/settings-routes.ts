/** GET …/usage: the usage of an account by day, in total, through each key and application, and by endpoint. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Use } from './quota.ts'
import type { EndpointUse } from './traffic.ts'
import { UsageQuery } from './schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'

const DEFAULT_DAYS = 31

export function usageRoutes(app: FastifyInstance, ctx: Context): void {
  app.get<{ Querystring: UsageQuery }>(
    '/settings/accounts/:account/usage',
    { schema: { querystring: UsageQuery } },
    async (request, reply) => {
      const { member } = signedInMemberOf(request)
      const { days = DEFAULT_DAYS } = request.query
      const [{ account }, byKey, rows, traffic] = await Promise.all([
        ctx.quota.usage(member, { days }),
        ctx.quota.usageByKey(member, days),
        ctx.keys.list(member),
        ctx.traffic.byEndpoint(member, days),
      ])
      const keys = rows.flatMap(({ id, name, client_id }) => {
        const use = byKey.get(id)
        return use ? [{ id, name, client_id, ...wireOf(use) }] : []
      })
      return reply.send(
        successOf(JSON.stringify({ usage: { account: wireOf(account), keys, endpoints: endpointsOf(traffic) } })),
      )
    },
  )
}

/** Days without a request are omitted. */
function endpointsOf(traffic: readonly EndpointUse[]) {
  const groups = Map.groupBy(traffic, ({ key_id, endpoint }) => `${key_id} ${endpoint}`)
  return Array.from(groups.values(), (uses) => ({
    key_id: uses[0]?.key_id,
    endpoint: uses[0]?.endpoint,
    days: uses.map(({ day, requests, failed }) => ({ day, requests, failed })),
  }))
}

function wireOf({ days, today, thisMonth }: Use) {
  return { days, today, this_month: thisMonth }
}
