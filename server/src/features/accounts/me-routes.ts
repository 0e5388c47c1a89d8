/** GET and PATCH /settings/me: the signed-in person and their accounts. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { isOwnAccount, type UserId } from '../../model/member.ts'
import type { Person } from '../../model/person.ts'
import { successOf } from '../../http/wire/texts.ts'
import { personOf } from '../../http/settings/session-auth.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { ProfileBody } from './schemas.ts'

const ME = '/settings/me'

export function meRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(ME, async (request, reply) => reply.send(await meText(ctx, personOf(request))))

  app.patch<{ Body: ProfileBody }>(ME, { schema: { body: ProfileBody } }, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    const { name, language } = request.body
    await ctx.people.changeProfile(person.userId, { name, language })
    await noteOwn(ctx, request, person, 'profile_changed', { changed: Object.keys(request.body).join(' ') })
    const changed = {
      ...person,
      ...(name === undefined ? {} : { name }),
      ...(language === undefined ? {} : { language }),
    }
    return reply.send(await meText(ctx, changed))
  })
}

async function meText(ctx: Context, { userId, email, name, language, twoFactor }: Person): Promise<string> {
  const person = { id: userId, email, name, language, two_factor: twoFactor }
  return successOf(JSON.stringify({ person, accounts: await listAccounts(ctx, userId) }))
}

async function listAccounts(ctx: Context, userId: UserId) {
  const memberships = await ctx.members.listAccounts(userId)
  const members = memberships.map(({ account_id: accountId, role }) => ({ accountId, userId, role }))
  const names = await ctx.accounts.namesOf(members)
  return members.map((member) => ({
    id: member.accountId,
    // An account that was just deleted has no name.
    name: names.get(member.accountId) ?? null,
    role: member.role,
    own: isOwnAccount(member),
  }))
}
