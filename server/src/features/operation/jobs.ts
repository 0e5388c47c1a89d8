/**
 * The nightly job: deletes expired rows in every account. Requests delete a few expired rows of their own account; this covers the
 * accounts without requests.
 *
 * One job walks over all accounts, a page of ids at a time, and acts as each of them in turn. A job per account would
 * write and delete a row for every account, and nearly all have nothing to do. After a worker dies the next one starts
 * over, which costs only reads.
 */
import type { Context } from '../../context.ts'
import type { AccountId } from '../../model/caller.ts'
import { BEFORE_ALL } from '../../platform/db/walk.ts'
import type { Handler } from '../../platform/jobs/jobs.ts'

const ACCOUNTS_AT_ONCE = 500
// Of each kind per transaction: milliseconds, so that no request of the account waits for it.
const ROWS_AT_ONCE = 500

export function upkeep(ctx: Context): Handler {
  return async ({ signal }) => {
    const { accounts, removed } = await purgeExpired(ctx, signal)
    ctx.log.info({ accounts, removed }, 'expired rows purged')
  }
}

export async function purgeExpired(ctx: Context, signal: AbortSignal): Promise<{ accounts: number; removed: number }> {
  let [accounts, removed] = [0, 0]
  let page: readonly AccountId[]
  let last: string = BEFORE_ALL
  do {
    page = await ctx.jobs.listAccounts(last, ACCOUNTS_AT_ONCE)
    for (const account of page) {
      signal.throwIfAborted()
      removed += await purgeAccount(ctx, account, signal)
      last = account
    }
    accounts += page.length
  } while (page.length === ACCOUNTS_AT_ONCE)
  return { accounts, removed }
}

async function purgeAccount(ctx: Context, account: AccountId, signal: AbortSignal): Promise<number> {
  const found = await ctx.accounts.find(account)
  // Deleted since it was listed.
  if (!found) return 0
  const { historyBytes } = (await ctx.accounts.standingOf(account)).plan
  const kept = { id: account, historyDays: found.history_days, historyBytes }
  const all = ctx.features.flatMap(({ data }) => data ?? [])
  await ctx.db.as(
    account,
    all.flatMap(({ wake }) => wake?.(account, ctx) ?? []),
  )
  let removed = 0
  let gone: readonly number[]
  do {
    signal.throwIfAborted()
    const answers = await ctx.db.as(account, [
      ctx.idempotency.expiring(account, ROWS_AT_ONCE),
      ...all.flatMap(({ purge }) => purge?.(kept, ROWS_AT_ONCE, ctx) ?? []),
    ])
    gone = answers.map(({ count }) => count)
    removed += gone.reduce((sum, count) => sum + count, 0)
  } while (gone.some((count) => count >= ROWS_AT_ONCE))
  return removed
}
