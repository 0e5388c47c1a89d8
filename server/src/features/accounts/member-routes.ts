/**
 * The members of an account: every member sees them, admins change them, anybody may leave. Who may add or remove
 * owners, and that one owner always remains, is enforced where it is written (`features/accounts/change-member.ts`).
 */
import type { FastifyInstance } from 'fastify'
import { changeRole, removeMember } from './change-membership.ts'
import type { Context } from '../../context.ts'
import { isAtLeast } from '../../model/member.ts'
import type { Member, UserId } from '../../model/member.ts'
import { successOf } from '../../http/wire/texts.ts'
import { signedInMemberOf, requireRoleUnlessOwn } from '../../http/settings/session-auth.ts'
import { credentialOf } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { RoleBody } from './schemas.ts'

const MEMBERS = '/settings/accounts/:account/members'

export function memberRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(MEMBERS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    return reply.send(await membersText(ctx, member))
  })

  app.patch<{ Params: { user: string }; Body: RoleBody }>(
    `${MEMBERS}/:user`,
    { schema: { body: RoleBody }, config: { stepUp: ({ role }: RoleBody) => isAtLeast(role, 'admin') } },
    async (request, reply) => {
      const { member, person } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      const { role } = request.body
      const userId = request.params.user as UserId
      await changeRole(ctx, { member, credential: credentialOf(person), ip: request.ip }, userId, role)
      return reply.send(await membersText(ctx, member))
    },
  )

  app.delete<{ Params: { user: string } }>(`${MEMBERS}/:user`, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    const userId = request.params.user as UserId
    requireRoleUnlessOwn(request, userId === person.userId)
    await applyRateLimit(ctx, request, person)
    await removeMember(ctx, { member, credential: credentialOf(person), ip: request.ip }, userId)
    return reply.send(successOf('{}'))
  })
}

async function membersText(ctx: Context, member: Member): Promise<string> {
  const rows = await ctx.members.list(member)
  const people = await ctx.people.namesOf(rows.map(({ user_id }) => user_id))
  const members = rows.map(({ user_id, role, created_at }) => {
    const { name = null, email = null } = people.get(user_id) ?? {}
    return { id: user_id, name, email, role, joined_at: created_at }
  })
  return successOf(JSON.stringify({ members }))
}
