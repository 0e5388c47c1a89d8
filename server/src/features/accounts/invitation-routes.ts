/** Invitations to an account: create, revoke and accept them. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { inviteMember } from './invite-member.ts'
import { acceptInvitation } from './join-account.ts'
import { isUuid } from '../../model/id.ts'
import { isAtLeast } from '../../model/member.ts'
import type { Member } from '../../model/member.ts'
import { successOf } from '../../http/wire/texts.ts'
import { accountText } from './account-routes.ts'
import { signedInMemberOf, personOf } from '../../http/settings/session-auth.ts'
import { credentialOf, noting } from '../../http/settings/noting.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { AcceptBody, InvitationBody } from './schemas.ts'
import { requireWithin } from '../../http/within-limits.ts'

const INVITATIONS = '/settings/accounts/:account/invitations'
// Each is an email to a person who has not asked for it. Accounts are easy to create, so the sender is counted, too.
const INVITATION_EMAILS = { name: 'invitations', perHour: 30, burst: 10 }

export function invitationRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(INVITATIONS, async (request, reply) => {
    const { member } = signedInMemberOf(request)
    const rows = await ctx.members.listInvitations(member)
    const inviters = await ctx.people.namesOf(rows.flatMap(({ invited_by }) => invited_by ?? []))
    const invitations = rows.map(({ invited_by, ...row }) => {
      const inviter = inviters.get(invited_by ?? '')
      return { ...row, invited_by: inviter ? { id: invited_by, name: inviter.name } : null }
    })
    return reply.send(successOf(JSON.stringify({ invitations })))
  })

  app.post<{ Body: InvitationBody }>(
    INVITATIONS,
    { schema: { body: InvitationBody }, config: { stepUp: isForAdmin } },
    async (request, reply) => {
      const { member, person } = signedInMemberOf(request)
      await applyRateLimit(ctx, request, person)
      await takeEmailLimit(ctx, member)
      const { name, language } = person
      const { role } = request.body
      const inviter = { member, name, language, ip: request.ip, credential: credentialOf(person) }
      const { id, email, expiresAt, link } = await inviteMember(ctx, inviter, request.body)
      const invitation = { id, email, role, expires_at: expiresAt, ...(link === undefined ? {} : { link }) }
      return reply.code(201).send(successOf(JSON.stringify({ invitation })))
    },
  )

  app.delete<{ Params: { id: string } }>(`${INVITATIONS}/:id`, async (request, reply) => {
    const { member, person } = signedInMemberOf(request)
    await applyRateLimit(ctx, request, person)
    const { id } = request.params
    const note = noting(ctx, request, member, 'invitation_withdrawn', { invitation_id: id })
    if (!(isUuid(id) && (await ctx.members.withdraw(member, id, [note])))) throw new ApiError('not_found')
    return reply.send(successOf('{}'))
  })

  app.post<{ Body: AcceptBody }>(
    '/settings/invitations/accept',
    { schema: { body: AcceptBody } },
    async (request, reply) => {
      const person = personOf(request)
      await applyRateLimit(ctx, request, person)
      const accountId = await acceptInvitation(ctx, person, request.body.token, {
        ip: request.ip,
        credential: credentialOf(person),
      })
      const member = { accountId, userId: person.userId }
      const [account, role] = await Promise.all([ctx.accounts.find(member), ctx.members.roleOf(member)])
      return reply.send(await accountText(ctx, account, member, role))
    },
  )
}

/** An admin can create credentials, so this invitation requires a step-up. */
function isForAdmin({ role }: InvitationBody): boolean {
  return isAtLeast(role, 'admin')
}

async function takeEmailLimit(ctx: Context, { accountId, userId }: Member): Promise<void> {
  await requireWithin(
    ctx,
    [accountId, userId].map((subject) => ({ ...INVITATION_EMAILS, subject })),
  )
}
