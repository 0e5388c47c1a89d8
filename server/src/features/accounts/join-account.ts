/**
 * Accepts an invitation link, for an existing person or by creating a new one.
 *
 * The link was sent to one address and admits only a person who signs in with that address. A new person needs no other
 * proof of the address. For an address that already signs in, the link alone is not enough: it proves access to the
 * mailbox, but not knowledge of the password or possession of the second factor.
 */
import type { Db } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import { isUsedUp } from './members.ts'
import type { Invitation, Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'
import type { People } from '../sign-in/people.ts'
import type { AuditLog, UsedCredential } from '../../platform/audit-log/audit-log.ts'

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

/** Fails with invalid_link; also when the link was sent to another address. */
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

/** Fails with invalid_link. */
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
