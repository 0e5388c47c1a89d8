/**
 * Deletes accounts: everything they own, in every place that stores it, and nothing of any other account.
 *
 * Nodes cache a key for a moment after it is deleted. A request with it could still write rows that belong to no
 * account and would stay forever. So the keys are deleted first and every node drops them. When no cache can hold them
 * any more, one commit deletes the rest, the ledger before the history that is paid from it. A request that is still
 * running then finds no block to spend from, and can record nothing.
 *
 * The people of the account stay; they only lose the membership. If it is interrupted, it can be requested again: the
 * membership that authorizes the request is deleted in the last commit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { forgetKeys } from '../keys/index.ts'
import { endAccess } from './members.ts'
import type { AccountData } from '../../http/feature.ts'
import type { AccountId, KeyId } from '../../model/caller.ts'
import type { Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { UserId } from '../../model/member.ts'

// A node trusts a cached key for a second at most (`features/keys/resolve-credential.ts`); the rest covers a read in
// progress.
const UNKNOWN_AFTER_MS = 1_200

export async function deleteAccounts(ctx: Context, accounts: readonly AccountId[]): Promise<void> {
  const keyIds = new Map<AccountId, readonly KeyId[]>()
  for (const account of accounts) {
    const keys = await ctx.keys.list(account)
    keyIds.set(
      account,
      keys.map(({ id }) => id),
    )
    await ctx.people.forgetAccount(account)
    await ctx.db.as(account, forgetKeys(account))
  }
  if (keyIds.values().some((ids) => ids.length > 0)) await sleep(UNKNOWN_AFTER_MS)
  for (const account of accounts) await ctx.db.as(account, forgettingAll(ctx, account))
  for (const [account, ids] of keyIds) await ctx.quota.forget(account, ids)
}

function forgettingAll(ctx: Context, account: AccountId): Statement[] {
  return [
    // The keys again, for those created in the meantime; the ledger before the history that is paid from it.
    ...sortedData(ctx.features).flatMap(({ forget }) => forget?.(account, ctx) ?? []),
    ...ctx.idempotency.forgetting(account),
    ...ctx.auditLog.forgetting(account),
    ...ctx.members.forgetting(account),
    ...ctx.accounts.forgetting(account),
    // Last: while the account exists, a job could still be added.
    ...ctx.jobs.forgetting(account),
  ]
}

// What these keep goes before what the others keep.
const FIRST = ['keys', 'quota']

function sortedData(features: Context['features']): readonly AccountData[] {
  const placeOf = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  const sorted = features.toSorted((a, b) => placeOf(a.name) - placeOf(b.name))
  return sorted.flatMap(({ data }) => data ?? [])
}

interface Leaver {
  readonly userId: UserId
  readonly email: string
}

/**
 * Deletes a person. Their own accounts are deleted with them. Shared accounts stay with the other members and need an
 * owner: the only owner of an account with other members must transfer it first, and until then nothing is deleted. In
 * the accounts they leave, the records of their actions stay, without their identity.
 *
 * The person is deleted last: until then they can sign in and repeat a request that was interrupted.
 *
 * Fails with last_owner.
 */
export async function deletePerson(ctx: Context, leaver: Leaver): Promise<void> {
  const { userId } = leaver
  const { alone, shared } = await sortAccounts(ctx, userId)
  for (const account of shared) await leave(ctx, account, leaver)
  for (const account of await ctx.people.leftAccounts(userId)) await ctx.db.as(account, tracesOf(ctx, account, leaver))
  await deleteAccounts(ctx, alone)
  await ctx.people.forgetPerson(userId)
  // A sign-in in the meantime recreated their own account; from here on they cannot sign in.
  await deleteAccounts(ctx, [userId as string as AccountId])
}

async function sortAccounts(ctx: Context, userId: UserId) {
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
function tracesOf(ctx: Context, account: AccountId, { userId, email }: Leaver): Statement[] {
  return [
    ...ctx.features.flatMap(({ data }) => data?.forgetPerson?.(account, userId, ctx) ?? []),
    ...ctx.auditLog.forgetActor(account, userId, email),
  ]
}

async function leave(ctx: Context, account: AccountId, leaver: Leaver): Promise<void> {
  const { userId } = leaver
  const left = ctx.members.remove(account, userId, async (tx) => {
    // While the records still show what they set up.
    await endAccess(ctx, tx, { account, userId })
    const note = ctx.auditLog.noting(account, { action: 'member_removed', actor: null, ip: null, detail: {} })
    for (const statement of [...tracesOf(ctx, account, leaver), note]) await tx.run(statement)
  })
  await left.catch((error: unknown) => {
    // Two requests at once: the other one was faster.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  })
}
