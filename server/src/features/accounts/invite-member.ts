/**
 * Invites a person to an account: creates an invitation, an audit log entry, and an email with the link.
 *
 * Without a mail server the inviting member gets the link to pass on. Otherwise only the email contains it, so that
 * only somebody who reads the mail of that address can follow it. The operator always gets the link.
 *
 * Fails with already_member, own_account or not_found.
 */
import type { Accounts } from './accounts.ts'
import { ApiError } from '../../model/errors.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { InvitedRole, Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Member, Role } from '../../model/member.ts'
import type { PeopleForOperator } from '../sign-in/for-operator.ts'
import type { People } from '../sign-in/people.ts'
import type { AuditLog, UsedCredential } from '../../platform/audit-log/audit-log.ts'

export interface InviteMemberContext {
  readonly accounts: Pick<Accounts, 'find'>
  readonly members: Pick<Members, 'roleOf' | 'invite'>
  readonly auditLog: Pick<AuditLog, 'noting'>
  readonly people: Pick<People, 'find' | 'findByEmail'>
  readonly mail: Pick<Mail, 'isOn' | 'send'>
  readonly publicUrl: string
}

export interface InvitationRequest {
  readonly email: string
  readonly role: InvitedRole
}

export async function inviteMember(
  ctx: InviteMemberContext,
  inviter: { member: Member; name: string; language: string | null; ip: string; credential: UsedCredential },
  { email, role }: InvitationRequest,
): Promise<{ id: string; email: string; expiresAt: Date; link: string | undefined }> {
  const { member, name, ip, credential } = inviter
  const { accountId, userId } = member
  const [account, invited] = await Promise.all([ctx.accounts.find(member), ctx.people.findByEmail(email)])
  if (!account) throw new ApiError('not_found')
  if (invited && (await ctx.members.roleOf({ accountId, userId: invited }))) throw new ApiError('already_member')
  const address = email.toLowerCase()
  const { id, token, expiresAt } = await ctx.members.invite(member, { email: address, role, invitedBy: userId }, [
    ctx.auditLog.noting(accountId, {
      action: 'member_invited',
      actor: userId,
      credential,
      ip,
      detail: { email: address, role },
    }),
  ])
  const url = `${ctx.publicUrl}/join?token=${token}`
  const language = (invited && (await ctx.people.find(invited))?.language) ?? inviter.language
  ctx.mail.send({ kind: 'invite', to: address, language, url, params: { inviter: name, account: account.name } })
  return { id, email: address, expiresAt, link: ctx.mail.isOn ? undefined : url }
}

/** Also for an account without members, and with any role. */
export async function inviteByOperator(
  ctx: Omit<InviteMemberContext, 'people'> & { readonly people: Pick<PeopleForOperator, 'findByEmail'> },
  account: AccountId,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<{ link: string; expiresAt: Date }> {
  const address = email.toLowerCase()
  const [found, invited] = await Promise.all([ctx.accounts.find(account), ctx.people.findByEmail(address)])
  if (!found) throw new ApiError('not_found')
  if (invited && (await ctx.members.roleOf({ accountId: account, userId: invited.userId }))) {
    throw new ApiError('already_member')
  }
  const { token, expiresAt } = await ctx.members.invite(account, { email: address, role, invitedBy: 'operator' }, [
    ctx.auditLog.noting(account, {
      action: 'member_invited',
      actor: null,
      ip: null,
      detail: { by: 'operator', email: address, role },
    }),
  ])
  const link = `${ctx.publicUrl}/join?token=${token}`
  const language = invited?.language ?? found.language
  ctx.mail.send({
    kind: 'invite',
    to: address,
    language,
    url: link,
    params: { inviter: found.name, account: found.name },
  })
  return { link, expiresAt }
}
