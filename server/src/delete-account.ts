/**
 * The end of accounts: everything they own, in every place that holds something of theirs, and nothing of anybody else.
 *
 * A node remembers a key for a moment after it is gone, and what a request with it would still write would belong to
 * nobody and stay for ever. So the keys go first and every node is told; when none can know them any more, the rest
 * goes in one commit, the ledger before the history that is paid from it. Whatever is still running then finds no
 * block to spend from, and can record nothing.
 *
 * People of the account go on existing; it is only that they no longer belong to it. Stopped anywhere on the way, it
 * can be asked for again: the membership that lets somebody ask for it goes with the last commit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Accounts } from './accounts/accounts.ts'
import type { Batches } from './batches/batches.ts'
import type { Db, Statement } from './db/db.ts'
import type { Favorites } from './favorites/favorites.ts'
import type { History } from './history/history.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { Jobs } from './jobs/jobs.ts'
import { forgetting as forgettingKeys } from './keys/forgetting.ts'
import type { Keys } from './keys/keys.ts'
import type { Members } from './members/members.ts'
import type { AccountId, KeyId } from './model/caller.ts'
import type { People } from './people/people.ts'
import { forgetting as forgettingQuota } from './quota/forgetting.ts'
import type { Quota } from './quota/quota.ts'
import type { SecurityLog } from './security-log/security-log.ts'
import type { Shares } from './shares/shares.ts'
import type { Changes } from './watch/changes.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export interface DeleteAccountContext {
  readonly db: Db
  readonly accounts: Accounts
  readonly members: Members
  readonly keys: Pick<Keys, 'list'>
  readonly quota: Pick<Quota, 'forget'>
  readonly history: History
  readonly favorites: Favorites
  readonly changes: Changes
  readonly batches: Pick<Batches, 'forgetting'>
  readonly idempotency: Idempotency
  readonly securityLog: SecurityLog
  readonly webhooks: Pick<Webhooks, 'forgetting'>
  readonly shares: Pick<Shares, 'forgetting'>
  readonly jobs: Pick<Jobs, 'forgetting'>
  readonly people: Pick<People, 'forgetAccount'>
}

// A node trusts what it remembers of a key for a second at most (`keys/recall.ts`); the rest is for what it then asks.
const UNKNOWN_AFTER_MS = 1_200

export async function deleteAccounts(ctx: DeleteAccountContext, accounts: readonly AccountId[]): Promise<void> {
  const keyIds: KeyId[] = []
  for (const account of accounts) {
    keyIds.push(...(await ctx.keys.list(account)).map(({ id }) => id))
    await ctx.people.forgetAccount(account)
    await ctx.db.as(account, forgettingKeys(account))
  }
  if (keyIds.length > 0) await sleep(UNKNOWN_AFTER_MS)
  for (const account of accounts) await ctx.db.as(account, forgettingAll(ctx, account))
  await ctx.quota.forget(keyIds)
}

function forgettingAll(ctx: DeleteAccountContext, account: AccountId): Statement[] {
  return [
    // Again, for a key that somebody has made in the meantime.
    ...forgettingKeys(account),
    ...forgettingQuota(account),
    ...ctx.history.forgetting(account),
    ...ctx.idempotency.forgetting(account),
    ...ctx.changes.forgetting(account),
    ...ctx.favorites.forgetting(account),
    ...ctx.batches.forgetting(account),
    ...ctx.webhooks.forgetting(account),
    ...ctx.shares.forgetting(account),
    ...ctx.securityLog.forgetting(account),
    ...ctx.members.forgetting(account),
    ...ctx.accounts.forgetting(account),
    // Last: while the account is there, somebody could add one.
    ...ctx.jobs.forgetting(account),
  ]
}
