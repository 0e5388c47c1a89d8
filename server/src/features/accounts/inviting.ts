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
import { type Invitation, type InvitedRole, isUsedUp } from './invitations.ts'
import type { Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Member, Role, UserId } from '../../model/member.ts'
import type { People, PeopleForOperator } from '../sign-in/index.ts'
import type { Person } from '../../model/person.ts'
import type { AuditLog, UsedCredential } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'

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
  inviter: {
    readonly member: Member
    readonly person: Person
    readonly ip: string
    readonly credential: UsedCredential
  },
  { email, role }: InvitationRequest,
): Promise<{ id: string; email: string; expiresAt: Date; link: string | undefined }> {
  const { member, person, ip, credential } = inviter
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
  const language = (invited && (await ctx.people.find(invited))?.language) ?? person.language
  ctx.mail.send({ kind: 'invite', to: address, language, url, params: { inviter: person.name, account: account.name } })
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

export interface JoinAccountContext {
  readonly db: Pick<Db, 'as'>
  readonly members: Pick<Members, 'findInvitation' | 'accepting'>
  readonly auditLog: Pick<AuditLog, 'noting'>
  readonly people: Pick<People, 'createInvited' | 'findByEmail' | 'findWeakness'>
}

/** The address and session of the person who follows the link. */
export interface JoinOrigin {
  readonly ip: string | null
  readonly credential?: UsedCredential | undefined
}

export interface NewMember {
  readonly name: string
  readonly password: string
  readonly language?: string
}

export type Joined =
  | { readonly kind: 'joined'; readonly userId: UserId; readonly account: AccountId; readonly email: string }
  /** The address already signs in: the person signs in first, then accepts. */
  | { readonly kind: 'sign_in_first'; readonly email: string }
  | { readonly kind: 'weak_password' }

/**
 * Accepts an invitation link, for an existing person. The link was sent to one address and admits only a person who signs
 * in with that address. For an address that already signs in, the link alone is not enough: it proves access to the
 * mailbox, but not knowledge of the password or possession of the second factor.
 *
 * Fails with invalid_link; also when the link was sent to another address.
 */
export async function acceptInvitation(
  ctx: JoinAccountContext,
  person: { readonly userId: UserId; readonly email: string },
  token: string,
  from: JoinOrigin = { ip: null },
): Promise<AccountId> {
  const invitation = await findInvitation(ctx, token)
  if (invitation.email !== person.email.toLowerCase()) throw new ApiError('invalid_link')
  return admit(ctx, invitation, person.userId, from)
}

/** Creates the person; the link proves the address. Fails with invalid_link. */
export async function joinAsNewMember(
  ctx: JoinAccountContext,
  token: string,
  newMember: NewMember,
  from: JoinOrigin = { ip: null },
): Promise<Joined> {
  const invitation = await findInvitation(ctx, token)
  const { email } = invitation
  if (await ctx.people.findByEmail(email)) return { kind: 'sign_in_first', email }
  if (ctx.people.findWeakness(newMember.password, email)) return { kind: 'weak_password' }
  const userId = await createOnce(ctx, email, newMember)
  if (!userId) return { kind: 'sign_in_first', email }
  return { kind: 'joined', userId, account: await admit(ctx, invitation, userId, from), email }
}

/** Undefined when a person with that address exists; a form that is submitted twice creates only one. */
async function createOnce(ctx: JoinAccountContext, email: string, newMember: NewMember): Promise<UserId | undefined> {
  try {
    return await ctx.people.createInvited({ email, ...newMember })
  } catch (error) {
    if (await ctx.people.findByEmail(email)) return undefined
    throw error
  }
}

async function findInvitation(ctx: JoinAccountContext, token: string): Promise<Invitation> {
  const invitation = await ctx.members.findInvitation(token)
  if (!invitation) throw new ApiError('invalid_link')
  return invitation
}

async function admit(
  ctx: JoinAccountContext,
  invitation: Invitation,
  userId: UserId,
  { ip, credential }: JoinOrigin,
): Promise<AccountId> {
  const { account, role } = invitation
  const joined = ctx.db.as(account, [
    ...ctx.members.accepting(invitation, userId),
    ctx.auditLog.noting(account, {
      action: 'member_joined',
      actor: userId,
      credential,
      ip,
      detail: { user_id: userId, role },
    }),
  ])
  await joined.catch((error: unknown) => {
    throw isUsedUp(error) ? new ApiError('invalid_link', { cause: error }) : error
  })
  return account
}
