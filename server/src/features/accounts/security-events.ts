/**
 * GET …/security-events: the audit log of an account, newest first, a page at a time. For admins. Each entry names the
 * person, the credential and the application, as far as they are known.
 */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Member } from '../../model/member.ts'
import type { SecurityEvent } from '../../platform/audit-log/audit-log.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { pageOf } from '../../http/page.ts'
import { closed } from '../../http/wire/schemas.ts'
import { signedInMemberOf } from '../../http/settings/session-auth.ts'

const EventsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
type EventsQuery = Static<typeof EventsQuery>

export function securityEventRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.get<{ Querystring: EventsQuery }>(
    '/settings/accounts/:account/security-events',
    { schema: { querystring: EventsQuery } },
    async (request, reply) => {
      const { member } = signedInMemberOf(request)
      const { limit, cursor } = request.query
      const list = 'security-events'
      const page = pageOf(routeContext, request, reply, { list, account: member.accountId, filter: {}, limit, cursor })
      const events = await ctx.auditLog.list(member, page.window)
      const wireOf = await createWire(ctx, member, events)
      return page.send('security_events', events, (event) => JSON.stringify(wireOf(event)))
    },
  )
}

async function createWire(ctx: Context, member: Member, events: readonly SecurityEvent[]) {
  const actors = new Set(events.flatMap(({ actor }) => actor ?? []))
  const clientIds = new Set(events.flatMap(({ credential }) => credential?.clientId ?? []))
  const [names, clients, keys] = await Promise.all([
    ctx.people.namesOf([...actors]),
    ctx.people.clientNames([...clientIds]),
    ctx.keys.list(member),
  ])
  const keyNames = new Map(
    keys.flatMap(({ id, name, client_id }) => (client_id === null ? [[id as string, name]] : [])),
  )

  return ({ id, created_at, action, actor, credential, ip, detail }: SecurityEvent) => {
    const clientId = credential?.clientId
    return {
      id,
      created_at,
      action,
      actor: actor === null ? null : { id: actor, name: names.get(actor)?.name ?? null },
      credential: credential
        ? { kind: credential.kind, id: credential.id || null, name: keyNames.get(credential.id) ?? null }
        : null,
      application: clientId === undefined ? null : { client_id: clientId, name: clients.get(clientId)?.name ?? null },
      ip,
      detail,
    }
  }
}
