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
import type { AccountData } from '../../http/feature.ts'
import type { AccountId, KeyId } from '../../model/caller.ts'
import type { Statement } from '../../platform/db/db.ts'
import { forgetting as forgettingKeys } from '../keys/forgetting.ts'

// A node trusts a cached key for a second at most (`features/keys/credential-cache.ts`); the rest covers a read in
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
    await ctx.db.as(account, forgettingKeys(account))
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
