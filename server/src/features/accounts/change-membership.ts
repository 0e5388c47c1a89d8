/**
 * Changes a member's role or ends a membership, together with all consequences.
 *
 * A person who may no longer manage the account must leave nothing running on their behalf. The same transaction
 * withdraws their invitations, disables the webhooks they created and the applications they registered, and lists their
 * keys for an admin to revoke or keep. Every node drops its cached credentials of the account, so the permissions of
 * their tokens follow within a second.
 *
 * Fails as `members.changeRole` does.
 */
import type { Accounts } from './accounts.ts'
import type { Transaction } from '../../platform/db/db.ts'
import { disableClients, listForReview } from '../keys/creator-access.ts'
import type { Members } from './members.ts'
import { withdrawAllBy } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Member, Role, UserId } from '../../model/member.ts'
import { canManage } from '../../model/permissions.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { People } from '../sign-in/people.ts'
import type { AuditLog, UsedCredential } from '../../platform/audit-log/audit-log.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

export interface EndAccessContext {
  readonly auditLog: Pick<AuditLog, 'noting' | 'listingCreated'>
  readonly webhooks: Pick<Webhooks, 'disableCreatedBy'>
  readonly now: () => number
}

export interface ChangeMembershipContext extends EndAccessContext {
  readonly members: Pick<Members, 'changeRole' | 'remove'>
  readonly accounts: Pick<Accounts, 'changing'>
  readonly people: Pick<People, 'endGrantsOf'>
}

/** The acting person, their session and address. */
export interface Changer {
  readonly member: Member
  readonly credential: UsedCredential
  readonly ip: string
}

type Note = (action: SecurityAction, detail: Readonly<Record<string, string>>) => ReturnType<AuditLog['noting']>

export async function changeRole(ctx: ChangeMembershipContext, by: Changer, userId: UserId, role: Role): Promise<void> {
  const { accountId } = by.member
  const note = createNote(ctx, by)
  await ctx.members.changeRole(by.member, userId, role, async (tx) => {
    await tx.run(note('member_role_changed', { user_id: userId, role }))
    await tx.run(ctx.accounts.changing(accountId))
    if (!canManage(role)) await endAccess(ctx, tx, { account: accountId, userId, note })
  })
}

export async function removeMember(ctx: ChangeMembershipContext, by: Changer, userId: UserId): Promise<void> {
  const { accountId } = by.member
  const note = createNote(ctx, by)
  await ctx.members.remove(by.member, userId, async (tx) => {
    await tx.run(note('member_removed', { user_id: userId }))
    await tx.run(ctx.accounts.changing(accountId))
    await endAccess(ctx, tx, { account: accountId, userId, note })
  })
  // Since the commit their tokens have no permissions here; this also deletes them.
  await ctx.people.endGrantsOf(userId, accountId)
}

/** Runs within the transaction that ends a role. Without a `note`, the audit log entry has no actor. */
export async function endAccess(
  ctx: EndAccessContext,
  tx: Transaction,
  { account, userId, note = createServiceNote(ctx, account) }: { account: AccountId; userId: UserId; note?: Note },
): Promise<void> {
  await tx.run(withdrawAllBy(account, userId))
  const known = (await tx.run(ctx.auditLog.listingCreated(account, userId))).rows.map(({ id }) => id)
  for (const { id, url } of await ctx.webhooks.disableCreatedBy(tx, account, userId, known)) {
    await tx.run(note('webhook_disabled', { webhook_id: id, host: new URL(url).host }))
  }
  for (const { client_id, name } of (await tx.run(disableClients(account, userId, known))).rows) {
    await tx.run(note('client_disabled', { client_id, name }))
  }
  const listed = await tx.run(listForReview(account, userId, new Date(ctx.now())))
  for (const { id, name } of listed.rows) await tx.run(note('key_review_due', { key_id: id, name }))
}

function createNote({ auditLog }: EndAccessContext, { member, credential, ip }: Changer): Note {
  const { accountId, userId: actor } = member
  return (action, detail) => auditLog.noting(accountId, { action, actor, credential, ip, detail })
}

function createServiceNote({ auditLog }: EndAccessContext, account: AccountId): Note {
  return (action, detail) => auditLog.noting(account, { action, actor: null, ip: null, detail })
}
