/** The sessions of the signed-in person: list and end them. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { successOf } from '../../http/wire/texts.ts'
import { personOf } from '../../http/settings/session-auth.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'

const SESSIONS = '/settings/me/sessions'

export function sessionRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(SESSIONS, async (request, reply) => {
    const { userId, sessionId } = personOf(request)
    const rows = await ctx.people.listSessions(userId)
    const sessions = rows.map(({ id, created_at, expires_at, ip_address, user_agent }) => ({
      id,
      created_at,
      expires_at,
      address: ip_address,
      browser: user_agent,
      current: id === sessionId,
    }))
    return reply.send(successOf(JSON.stringify({ sessions })))
  })

  app.delete(SESSIONS, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    await ctx.people.endOtherSessions(person.userId, person.sessionId)
    await noteOwn(ctx, request, person, 'session_ended', { sessions: 'others' })
    return reply.send(successOf('{}'))
  })

  app.delete<{ Params: { id: string } }>(`${SESSIONS}/:id`, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    const { id } = request.params
    if (!(isUuid(id) && (await ctx.people.endSession(person.userId, id)))) throw new ApiError('not_found')
    await noteOwn(ctx, request, person, 'session_ended', { session_id: id })
    return reply.send(successOf('{}'))
  })
}
