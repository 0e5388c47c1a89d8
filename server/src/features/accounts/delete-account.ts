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
import type { Accounts } from './accounts.ts'
import type { Batches } from '../batches/batches.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import { favorites } from '../favorites/index.ts'
import type { History } from '../history/history.ts'
import type { Idempotency } from '../../platform/idempotency/idempotency.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { forgetting as forgettingKeys } from '../keys/forgetting.ts'
import type { Keys } from '../keys/keys.ts'
import type { Members } from './members.ts'
import type { AccountId, KeyId } from '../../model/caller.ts'
import type { People } from '../sign-in/people.ts'
import { forgetting as forgettingQuota } from '../quota/forgetting.ts'
import type { Quota } from '../quota/quota.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'
import type { Shares } from '../shares/shares.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

export interface DeleteAccountContext {
  readonly db: Db
  readonly accounts: Accounts
  readonly members: Members
  readonly keys: Pick<Keys, 'list'>
  readonly quota: Pick<Quota, 'forget'>
  readonly history: History
  readonly batches: Pick<Batches, 'forgetting'>
  readonly idempotency: Idempotency
  readonly auditLog: AuditLog
  readonly webhooks: Pick<Webhooks, 'forgetting'>
  readonly shares: Pick<Shares, 'forgetting'>
  readonly jobs: Pick<Jobs, 'forgetting'>
  readonly people: Pick<People, 'forgetAccount'>
}

// A node trusts a cached key for a second at most (`features/keys/credential-cache.ts`); the rest covers a read in
// progress.
const UNKNOWN_AFTER_MS = 1_200

export async function deleteAccounts(ctx: DeleteAccountContext, accounts: readonly AccountId[]): Promise<void> {
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

function forgettingAll(ctx: DeleteAccountContext, account: AccountId): Statement[] {
  return [
    // Again, for keys created in the meantime.
    ...forgettingKeys(account),
    ...forgettingQuota(account),
    ...ctx.history.forgetting(account),
    ...ctx.idempotency.forgetting(account),
    ...favorites.data.forget(account),
    ...ctx.batches.forgetting(account),
    ...ctx.webhooks.forgetting(account),
    ...ctx.shares.forgetting(account),
    ...ctx.auditLog.forgetting(account),
    ...ctx.members.forgetting(account),
    ...ctx.accounts.forgetting(account),
    // Last: while the account exists, a job could still be added.
    ...ctx.jobs.forgetting(account),
  ]
}
