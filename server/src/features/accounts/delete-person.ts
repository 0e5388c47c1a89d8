/**
 * DELETE /settings/me: deletes a person.
 *
 * Their own accounts are deleted with them. Shared accounts stay with the other members and need an owner: the only
 * owner of an account with other members must transfer it first, and until then nothing is deleted. In the accounts
 * they leave, the records of their actions stay, without their identity.
 *
 * The person is deleted last: until then they can sign in and repeat a request that was interrupted.
 *
 * Fails with last_owner.
 */
import type { Db, Statement, Transaction } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import { forgetMaker } from '../keys/forgetting.ts'
import type { Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'
import type { People } from '../sign-in/people.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'
import type { Shares } from '../shares/shares.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

export interface DeletePersonContext {
  readonly members: Pick<Members, 'listAccounts' | 'list' | 'remove'>
  readonly auditLog: Pick<AuditLog, 'forgetActor' | 'noting'>
  readonly shares: Pick<Shares, 'forgetMaker'>
  readonly webhooks: Pick<Webhooks, 'forgetCreator'>
  readonly db: Db
  readonly people: Pick<People, 'forgetPerson' | 'leftAccounts'>
  /** Disables what they set up for an account; see `features/accounts/change-membership.ts`. */
  readonly endAccess: (tx: Transaction, account: AccountId, userId: UserId) => Promise<void>
  /** Deletes accounts; see `features/accounts/delete-account.ts`. */
  readonly deleteAccounts: (accounts: readonly AccountId[]) => Promise<void>
}

interface Leaver {
  readonly userId: UserId
  readonly email: string
}

export async function deletePerson(ctx: DeletePersonContext, leaver: Leaver): Promise<void> {
  const { userId } = leaver
  const { alone, shared } = await sortAccounts(ctx, userId)
  for (const account of shared) await leave(ctx, account, leaver)
  for (const account of await ctx.people.leftAccounts(userId)) await ctx.db.as(account, tracesOf(ctx, account, leaver))
  await ctx.deleteAccounts(alone)
  await ctx.people.forgetPerson(userId)
  // A sign-in in the meantime recreated their own account; from here on they cannot sign in.
  await ctx.deleteAccounts([userId as string as AccountId])
}

async function sortAccounts(ctx: DeletePersonContext, userId: UserId) {
  const accounts = (await ctx.members.listAccounts(userId)).map(({ account_id }) => account_id)
  const alone: AccountId[] = []
  const shared: AccountId[] = []
  for (const account of accounts) {
    const others = (await ctx.members.list(account)).filter(({ user_id }) => user_id !== userId)
    if (others.length === 0) alone.push(account)
    else if (others.some(({ role }) => role === 'owner')) shared.push(account)
    else throw new ApiError('last_owner')
  }
  return { alone, shared }
}

/** For accounts where they were a member: keeps their actions, removes their identity. */
function tracesOf(ctx: DeletePersonContext, account: AccountId, { userId, email }: Leaver): Statement[] {
  return [
    forgetMaker(account, userId),
    ctx.shares.forgetMaker(account, userId),
    ctx.webhooks.forgetCreator(account, userId),
    ...ctx.auditLog.forgetActor(account, userId, email),
  ]
}

async function leave(ctx: DeletePersonContext, account: AccountId, leaver: Leaver): Promise<void> {
  const { userId } = leaver
  const left = ctx.members.remove(account, userId, async (tx) => {
    // While the records still show what they set up.
    await ctx.endAccess(tx, account, userId)
    const note = ctx.auditLog.noting(account, { action: 'member_removed', actor: null, ip: null, detail: {} })
    for (const statement of [...tracesOf(ctx, account, leaver), note]) await tx.run(statement)
  })
  await left.catch((error: unknown) => {
    // Two requests at once: the other one was faster.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  })
}
