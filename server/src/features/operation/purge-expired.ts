/**
 * Deletes expired rows in every account. Requests delete a few expired rows of their own account; this covers the
 * accounts without requests.
 *
 * One job walks over all accounts, a page of ids at a time, and acts as each of them in turn. A job per account would
 * write and delete a row for every account, and nearly all have nothing to do. After a worker dies the next one starts
 * over, which costs only reads.
 */
import type { Accounts } from '../accounts/accounts.ts'
import type { Batches } from '../batches/batches.ts'
import type { Db } from '../../platform/db/db.ts'
import { BEFORE_ALL } from '../../platform/db/walk.ts'
import type { ChangeEmails } from '../watch/change-emails.ts'
import type { History } from '../history/history.ts'
import type { Idempotency } from '../../platform/idempotency/idempotency.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { AccountId } from '../../model/caller.ts'
import { pruning } from '../quota/pruning.ts'
import type { Shares } from '../shares/shares.ts'
import type { Traffic } from '../quota/traffic.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

export interface PurgeContext {
  readonly db: Db
  readonly now: () => number
  readonly jobs: Pick<Jobs, 'listAccounts'>
  readonly accounts: Pick<Accounts, 'find' | 'standingOf'>
  readonly history: Pick<History, 'expiring' | 'trimming'>
  readonly changeEmails: Pick<ChangeEmails, 'expiring'>
  readonly idempotency: Pick<Idempotency, 'expiring'>
  readonly batches: Pick<Batches, 'expiring'>
  readonly webhooks: Pick<Webhooks, 'expiring' | 'wakingForgotten'>
  readonly shares: Pick<Shares, 'expiring'>
  readonly traffic: Pick<Traffic, 'expiring'>
}

const ACCOUNTS_AT_ONCE = 500
// Of each kind per transaction: milliseconds, so that no request of the account waits for it.
const ROWS_AT_ONCE = 500

export async function purgeExpired(
  ctx: PurgeContext,
  signal: AbortSignal,
): Promise<{ accounts: number; removed: number }> {
  let [accounts, removed] = [0, 0]
  let page: readonly AccountId[]
  let last: string = BEFORE_ALL
  do {
    page = await ctx.jobs.listAccounts(last, ACCOUNTS_AT_ONCE)
    for (const account of page) {
      signal.throwIfAborted()
      removed += await purgeTable(ctx, account, signal)
      last = account
    }
    accounts += page.length
  } while (page.length === ACCOUNTS_AT_ONCE)
  return { accounts, removed }
}

async function purgeTable(ctx: PurgeContext, account: AccountId, signal: AbortSignal): Promise<number> {
  const found = await ctx.accounts.find(account)
  // Deleted since it was listed.
  if (!found) return 0
  const days = found.history_days
  const { historyBytes } = (await ctx.accounts.standingOf(account)).plan
  let removed = 0
  let gone: readonly number[]
  do {
    signal.throwIfAborted()
    const [, ...answers] = await ctx.db.as(account, [
      ctx.webhooks.wakingForgotten(account),
      ...(days === null ? [] : [ctx.history.expiring(account, days, ROWS_AT_ONCE)]),
      ...(historyBytes === null ? [] : [ctx.history.trimming(account, historyBytes, ROWS_AT_ONCE)]),
      ctx.idempotency.expiring(account, ROWS_AT_ONCE),
      ctx.changeEmails.expiring(account, ROWS_AT_ONCE),
      ...ctx.batches.expiring(account, ROWS_AT_ONCE),
      ctx.webhooks.expiring(account, ROWS_AT_ONCE),
      ...ctx.shares.expiring(account, ROWS_AT_ONCE),
      ...ctx.traffic.expiring(account, ROWS_AT_ONCE),
      ...pruning(account, ctx.now(), ROWS_AT_ONCE),
    ])
    gone = answers.map(({ count }) => count)
    removed += gone.reduce((sum, count) => sum + count, 0)
  } while (gone.some((count) => count >= ROWS_AT_ONCE))
  return removed
}
