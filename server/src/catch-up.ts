/**
 * What was answered while the database was away is brought into it: each record with its idempotent answer and what it
 * cost, as one commit, once.
 *
 * It is paid from the block that its units were taken from. Where that was closed meanwhile, because the database was
 * away for longer than a block lasts, it is paid anew; and where nothing is left to pay it with, the record is kept all
 * the same: a budget is never overspent, and nothing that was answered is lost.
 *
 * Fails never; what cannot be written stays on the disk and is tried again.
 */
import { isViolationOf, sqlStateOf } from './db/db.ts'
import type { Db } from './db/db.ts'
import { ApiError } from './errors.ts'
import type { Entry, Journal } from './journal/journal.ts'
import { isMarked, markOf } from './journal/marks.ts'
import type { Logger } from './log.ts'
import { isUnpaid } from './quota/block.ts'
import type { Quota } from './quota/quota.ts'

export interface CatchUpContext {
  readonly db: Db
  readonly journal: Pick<Journal, 'bringAll'>
  readonly quota: Pick<Quota, 'reserve'>
  readonly log: Logger
}

// A node that was restarted, or whose neighbour died, finds files without hearing that the database is back.
const LOOK_EVERY_MS = 5_000

/** Now, whenever the database is back, and now and then. */
export function keepCatchingUp(ctx: CatchUpContext): { close(): Promise<void> } {
  let running = Promise.resolve()
  const look = () => {
    running = running.then(() => catchUp(ctx))
  }
  look()
  ctx.db.onBack(look)
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

export async function catchUp(ctx: CatchUpContext): Promise<void> {
  if (ctx.db.isAway()) return
  let brought = 0
  try {
    await ctx.journal.bringAll(async (entry) => {
      const came = await bring(ctx, entry)
      if (came === 'brought') brought++
      return came
    })
  } catch (error) {
    ctx.log.error({ err: error }, 'the journal could not be read')
  }
  if (brought > 0) ctx.log.info({ records: brought }, 'brought what was answered while the database was away')
}

async function bring(ctx: CatchUpContext, entry: Entry): Promise<'brought' | 'refused' | 'later'> {
  const { accountId } = entry.caller
  const commit = [markOf(entry), ...entry.statements]
  try {
    await ctx.db.as(accountId, [...commit, entry.spending]).catch(async (error: unknown) => {
      if (!isUnpaid(error)) throw error
      await payAnew(ctx, entry, commit)
    })
    return 'brought'
  } catch (error) {
    // There already; or the same request was done elsewhere; or the account is gone, and with it who would miss this.
    if (isDone(error)) return 'brought'
    if (error instanceof ApiError) return 'later'
    ctx.log.error({ err: error, entry: entry.id }, 'a deferred record was refused and put aside')
    return 'refused'
  }
}

async function payAnew({ db, quota, log }: CatchUpContext, entry: Entry, commit: readonly Entry['spending'][]) {
  const { caller, units } = entry
  try {
    await using lease = await quota.reserve({ ...caller, scopes: [], historyDays: null }, units)
    await db.as(caller.accountId, [...commit, lease.spending(units)]).catch(async (error: unknown) => {
      throw await lease.explain(error)
    })
    lease.keep(units)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') throw error
    await db.as(caller.accountId, commit)
    log.warn({ entry: entry.id, units }, 'a deferred record was kept although its budget is used up')
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

function isDone(error: unknown): boolean {
  return isMarked(error) || isViolationOf(error, 'idempotent_once') || sqlStateOf(error) === FOREIGN_KEY_VIOLATION
}
