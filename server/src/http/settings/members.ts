/**
 * Who is in an account: everybody in it sees that, admins change it, anybody may go. Who may make or unmake owners,
 * and that one is always left, is decided where it is written (`members/change-member.ts`).
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Member, UserId } from '../../model/member.ts'
import { successOf } from '../../wire/texts.ts'
import { enter } from './door.ts'
import { noting } from './noting.ts'
import { keepPace } from './pace.ts'
import { RoleBody } from './person-schemas.ts'

const MEMBERS = '/settings/accounts/:account/members'

export function memberRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(MEMBERS, async (request, reply) => {
    const { member } = await enter(ctx, request, 'viewer')
    return reply.send(await membersText(ctx, member))
  })

  app.patch<{ Params: { user: string }; Body: RoleBody }>(
    `${MEMBERS}/:user`,
    { schema: { body: RoleBody } },
    async (request, reply) => {
      const { member, person } = await enter(ctx, request, 'admin')
      await keepPace(ctx, request, person)
      const { role } = request.body
      const userId = request.params.user as UserId
      await ctx.members.changeRole(member, userId, role, [
        noting(ctx, request, member, 'member_role_changed', { user_id: userId, role }),
        // What they let applications do goes as far as their role.
        ctx.accounts.changing(member.accountId),
      ])
      return reply.send(await membersText(ctx, member))
    },
  )

  app.delete<{ Params: { user: string } }>(`${MEMBERS}/:user`, async (request, reply) => {
    const { member, person } = await enter(ctx, request, 'viewer')
    await keepPace(ctx, request, person)
    const userId = request.params.user as UserId
    await ctx.members.remove(member, userId, [noting(ctx, request, member, 'member_removed', { user_id: userId })])
    // Since the commit their tokens are worth nothing here; this also takes them away.
    await ctx.people.endGrantsOf(userId, member.accountId)
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
