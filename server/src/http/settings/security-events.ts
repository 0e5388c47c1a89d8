/** GET …/security-events: what happened to the doors of an account, newest first. For its admins. */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Doors } from '../doors.ts'
import { pageOf } from '../page.ts'
import { closed } from '../../wire/schemas.ts'
import { enter } from './door.ts'

const EventsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
type EventsQuery = Static<typeof EventsQuery>

export function securityEventRoutes(app: FastifyInstance, ctx: Context, doors: Doors): void {
  app.get<{ Querystring: EventsQuery }>(
    '/settings/accounts/:account/security-events',
    { schema: { querystring: EventsQuery } },
    async (request, reply) => {
      const { member } = await enter(ctx, request, 'admin')
      const { limit, cursor } = request.query
      const list = 'security-events'
      const page = pageOf(doors, request, reply, { list, account: member.accountId, filter: {}, limit, cursor })
      const events = await ctx.securityLog.list(member, page.window)
      const actors = new Set(events.flatMap(({ actor }) => actor ?? []))
      const names = await ctx.people.namesOf([...actors])
      return page.send('security_events', events, ({ id, created_at, action, actor, ip, detail }) => {
        const who = actor === null ? null : { id: actor, name: names.get(actor)?.name ?? null }
        return JSON.stringify({ id, created_at, action, actor: who, ip, detail })
      })
    },
  )
}
