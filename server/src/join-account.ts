/**
 * Following the link of an invitation: by somebody who is known here, or by somebody who becomes known by it.
 *
 * The link was sent to one address, and it lets in whoever signs in with that address. Somebody new needs no other
 * proof of it. For an address that already signs in, the link alone is not enough: it says that somebody reads that
 * mail, and says nothing about who knows the password or has the second factor.
 */
import type { Db } from './db/db.ts'
import { ApiError } from './errors.ts'
import { isUsedUp } from './members/members.ts'
import type { Invitation, Members } from './members/members.ts'
import type { AccountId } from './model/caller.ts'
import type { UserId } from './model/member.ts'
import type { People } from './people/people.ts'
import type { SecurityLog } from './security-log/security-log.ts'

export interface JoinAccountContext {
  readonly db: Pick<Db, 'as'>
  readonly members: Pick<Members, 'findInvitation' | 'accepting'>
  readonly securityLog: Pick<SecurityLog, 'noting'>
  readonly people: Pick<People, 'createInvited' | 'findByEmail' | 'isWeakPassword'>
}

export interface Newcomer {
  readonly name: string
  readonly password: string
  readonly language?: string
}

export type Joined =
  | { readonly kind: 'joined'; readonly userId: UserId; readonly account: AccountId; readonly email: string }
  /** The address already signs in: they do that, and accept then. */
  | { readonly kind: 'sign_in_first'; readonly email: string }
  | { readonly kind: 'weak_password' }

/** Fails with invalid_link; also for a link that was meant for another address. */
export async function acceptInvitation(
  ctx: JoinAccountContext,
  person: { readonly userId: UserId; readonly email: string },
  token: string,
  ip: string | null = null,
): Promise<AccountId> {
  const invitation = await findInvitation(ctx, token)
  if (invitation.email !== person.email.toLowerCase()) throw new ApiError('invalid_link')
  return admit(ctx, invitation, person.userId, ip)
}

/** Fails with invalid_link. */
export async function joinAsNewcomer(
  ctx: JoinAccountContext,
  token: string,
  newcomer: Newcomer,
  ip: string | null = null,
): Promise<Joined> {
  const invitation = await findInvitation(ctx, token)
  const { email } = invitation
  if (await ctx.people.findByEmail(email)) return { kind: 'sign_in_first', email }
  if (ctx.people.isWeakPassword(newcomer.password, email)) return { kind: 'weak_password' }
  const userId = await createOnce(ctx, email, newcomer)
  if (!userId) return { kind: 'sign_in_first', email }
  return { kind: 'joined', userId, account: await admit(ctx, invitation, userId, ip), email }
}

/** Undefined when somebody with that address is there; a form that is sent twice makes only one. */
async function createOnce(ctx: JoinAccountContext, email: string, newcomer: Newcomer): Promise<UserId | undefined> {
  try {
    return await ctx.people.createInvited({ email, ...newcomer })
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
  ip: string | null,
): Promise<AccountId> {
  const { account, role } = invitation
  const joined = ctx.db.as(account, [
    ...ctx.members.accepting(invitation, userId),
    ctx.securityLog.noting(account, { action: 'member_joined', actor: userId, ip, detail: { user_id: userId, role } }),
  ])
  await joined.catch((error: unknown) => {
    throw isUsedUp(error) ? new ApiError('invalid_link', { cause: error }) : error
  })
  return account
}
