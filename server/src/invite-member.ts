/**
 * Inviting somebody into an account: an invitation, a note in the log, and a letter with the link.
 *
 * Where the operator has no mail server the link is for whoever invites to hand over. Otherwise only the letter has it,
 * so that whoever follows it is somebody who reads the mail of that address.
 *
 * Fails with already_member, own_account or not_found.
 */
import type { Accounts } from './accounts/accounts.ts'
import { ApiError } from './errors.ts'
import type { Mail } from './mail/mail.ts'
import type { InvitedRole, Members } from './members/members.ts'
import type { Member } from './model/member.ts'
import type { People } from './people/people.ts'
import type { SecurityLog } from './security-log/security-log.ts'

export interface InviteMemberContext {
  readonly accounts: Pick<Accounts, 'find'>
  readonly members: Pick<Members, 'roleOf' | 'invite'>
  readonly securityLog: Pick<SecurityLog, 'noting'>
  readonly people: Pick<People, 'find' | 'findByEmail'>
  readonly mail: Pick<Mail, 'isOn' | 'send'>
  readonly publicUrl: string
}

export interface Wish {
  readonly email: string
  readonly role: InvitedRole
}

export async function inviteMember(
  ctx: InviteMemberContext,
  inviter: { member: Member; name: string; language: string | null; ip: string },
  { email, role }: Wish,
): Promise<{ id: string; email: string; expiresAt: Date; link: string | undefined }> {
  const { member, name, ip } = inviter
  const { accountId, userId } = member
  const [account, invited] = await Promise.all([ctx.accounts.find(member), ctx.people.findByEmail(email)])
  if (!account) throw new ApiError('not_found')
  if (invited && (await ctx.members.roleOf({ accountId, userId: invited }))) throw new ApiError('already_member')
  const address = email.toLowerCase()
  const { id, token, expiresAt } = await ctx.members.invite(member, { email: address, role, invitedBy: userId }, [
    ctx.securityLog.noting(accountId, {
      action: 'member_invited',
      actor: userId,
      ip,
      detail: { email: address, role },
    }),
  ])
  const url = `${ctx.publicUrl}/join?token=${token}`
  const language = (invited && (await ctx.people.find(invited))?.language) ?? inviter.language
  ctx.mail.send({ kind: 'invite', to: address, language, url, params: { inviter: name, account: account.name } })
  return { id, email: address, expiresAt, link: ctx.mail.isOn ? undefined : url }
}
