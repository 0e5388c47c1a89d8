/**
 * Replays the journal: commits the responses sent while the database was down. Each record is committed once, together
 * with its idempotent response and its cost.
 *
 * It is paid from the block that its units were allocated from. If that block was closed meanwhile, because the outage
 * was longer than a block's lifetime, it is paid from a new reservation. If nothing remains to pay with, the record is kept
 * all the same: a budget is never overspent, and no response that was sent is lost.
 *
 * Never fails; an entry that cannot be written stays on the disk and is retried.
 */
import { isViolationOf, sqlStateOf } from '../platform/db/db.ts'
import type { Db } from '../platform/db/db.ts'
import { ApiError } from '../errors.ts'
import type { Entry, Journal } from '../platform/journal/journal.ts'
import { isMarked, markOf } from '../platform/journal/marks.ts'
import type { Logger } from '../platform/log.ts'
import { isUnpaid } from '../tenancy/quota/block.ts'
import type { Quota } from '../tenancy/quota/quota.ts'

export interface ReplayContext {
  readonly db: Db
  readonly journal: Pick<Journal, 'replayAll'>
  readonly quota: Pick<Quota, 'reserve'>
  readonly log: Logger
}

// After a restart, or after another node died, there are files to replay without a recovery event of the database.
const REPLAY_EVERY_MS = 5_000

/** Runs now, whenever the database recovers, and at an interval. */
export function replayContinuously(ctx: ReplayContext): { close(): Promise<void> } {
  let running = Promise.resolve()
  const replay = () => {
    running = running.then(() => replayJournal(ctx))
  }
  replay()
  ctx.db.onBack(replay)
  const timer = setInterval(replay, REPLAY_EVERY_MS).unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

export async function replayJournal(ctx: ReplayContext): Promise<void> {
  if (ctx.db.isPrimaryDown()) return
  let committed = 0
  try {
    await ctx.journal.replayAll(async (entry) => {
      const outcome = await commitEntry(ctx, entry)
      if (outcome === 'committed') committed++
      return outcome
    })
  } catch (error) {
    ctx.log.error({ err: error }, 'journal could not be read')
  }
  if (committed > 0) ctx.log.info({ records: committed }, 'journal replayed')
}

async function commitEntry(ctx: ReplayContext, entry: Entry): Promise<'committed' | 'refused' | 'later'> {
  const { accountId } = entry.caller
  const commit = [markOf(entry), ...entry.statements]
  try {
    await ctx.db.as(accountId, [...commit, entry.spending]).catch(async (error: unknown) => {
      if (!isUnpaid(error)) throw error
      await payFromNewReservation(ctx, entry, commit)
    })
    return 'committed'
  } catch (error) {
    // Already written; or the same request ran elsewhere; or the account was deleted, so nobody needs the record.
    if (isDone(error)) return 'committed'
    if (error instanceof ApiError) return 'later'
    ctx.log.error({ err: error, entry: entry.id }, 'deferred commit rejected and set aside')
    return 'refused'
  }
}

async function payFromNewReservation(
  { db, quota, log }: ReplayContext,
  entry: Entry,
  commit: readonly Entry['spending'][],
) {
  const { caller, units } = entry
  try {
    await using reservation = await quota.reserve({ ...caller, scopes: [], historyDays: null }, units)
    await db.as(caller.accountId, [...commit, reservation.spending(units)]).catch(async (error: unknown) => {
      throw await reservation.recordFailedCommit(error)
    })
    reservation.recordCommit(units)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') throw error
    await db.as(caller.accountId, commit)
    log.warn({ entry: entry.id, units }, 'deferred commit saved above the quota')
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

function isDone(error: unknown): boolean {
  return isMarked(error) || isViolationOf(error, 'idempotent_once') || sqlStateOf(error) === FOREIGN_KEY_VIOLATION
}
