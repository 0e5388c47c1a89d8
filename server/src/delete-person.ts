/**
 * DELETE /settings/me: somebody wants to be gone.
 *
 * What is theirs alone goes with them. What they share stays with the others, who can only go on if somebody owns it:
 * whoever is the only owner of an account that others are in has to settle that first, and until then nothing at all
 * is deleted. In the accounts they leave, what they did stays and who did it does not.
 *
 * The person goes last, because as long as they are there they can sign in and ask again for what was cut off.
 *
 * Fails with last_owner.
 */
import type { Db, Statement } from './db/db.ts'
import { ApiError } from './errors.ts'
import { forgetMaker } from './keys/forgetting.ts'
import type { Members } from './members/members.ts'
import type { AccountId } from './model/caller.ts'
import type { UserId } from './model/member.ts'
import type { People } from './people/people.ts'
import type { SecurityLog } from './security-log/security-log.ts'
import type { Shares } from './shares/shares.ts'

export interface DeletePersonContext {
  readonly members: Pick<Members, 'listAccounts' | 'list' | 'remove'>
  readonly securityLog: Pick<SecurityLog, 'forgetActor' | 'noting'>
  readonly shares: Pick<Shares, 'forgetMaker'>
  readonly db: Db
  readonly people: Pick<People, 'forgetPerson' | 'leftAccounts'>
  /** The end of accounts, see `delete-account.ts`. */
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
  // A sign-in in the meantime has made their own account anew; from here on nobody can sign in.
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

/** Where they were a member: what they did, without them. */
function tracesOf(ctx: DeletePersonContext, account: AccountId, { userId, email }: Leaver): Statement[] {
  return [
    forgetMaker(account, userId),
    ctx.shares.forgetMaker(account, userId),
    ctx.securityLog.forgetActor(account, userId, email),
  ]
}

async function leave(ctx: DeletePersonContext, account: AccountId, leaver: Leaver): Promise<void> {
  const along: Statement[] = [
    ...tracesOf(ctx, account, leaver),
    ctx.securityLog.noting(account, { action: 'member_removed', actor: null, ip: null, detail: {} }),
  ]
  await ctx.members.remove(account, leaver.userId, along).catch((error: unknown) => {
    // Asked twice at once: the other one was faster.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  })
}
