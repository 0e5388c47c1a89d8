/**
 * POST /v1/batches: many generate requests, taken on as one.
 *
 * The quota for all of them is set aside, the batch is written and its first chunks are queued in one commit: whoever
 * gets an answer has a batch that will be worked off, and whoever gets none has nothing and has paid nothing.
 *
 * Fails with quota_exceeded.
 */
import type { BatchRow, NewBatch } from './batches/batch.ts'
import type { Batches } from './batches/batches.ts'
import type { Db, Statement } from './db/db.ts'
import { ApiError } from './errors.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Caller } from './model/caller.ts'
import type { Quota } from './quota/quota.ts'

export interface AcceptBatchContext {
  readonly db: Db
  readonly batches: Pick<Batches, 'accept' | 'keptUntil' | 'priorityOf'>
  readonly quota: Pick<Quota, 'hold'>
  readonly jobs: Pick<Jobs, 'enqueuing'>
}

/** So long after a batch began, and again and again until it has ended, somebody looks whether it goes on. */
export const LOOK_AFTER_MS = 600_000

export async function acceptBatch(
  ctx: AcceptBatchContext,
  caller: Caller,
  /** `units`: what its items may cost at most. */
  { units, ...batch }: NewBatch & { readonly units: number },
  alongside: (row: BatchRow) => readonly Statement[],
): Promise<void> {
  const account = caller.accountId
  const refusal = await ctx.db.transaction(account, async (tx) => {
    // First, so that nothing large is written only to be taken back.
    const block = units === 0 ? null : await ctx.quota.hold(tx, caller, units, ctx.batches.keptUntil())
    if (block instanceof ApiError) return block
    const { row, statements, queued } = ctx.batches.accept(caller, batch, block)
    for (const statement of statements) await tx.run(statement)
    if (queued.length > 0) {
      const priority = await ctx.batches.priorityOf(tx, { account, batchId: row.id, n: 0 })
      const jobs = queued.map((n) => ({ data: { batch_id: row.id, n }, priority: priority - n }))
      await tx.run(ctx.jobs.enqueuing('batch', [...jobs, { data: { batch_id: row.id }, afterMs: LOOK_AFTER_MS }]))
    }
    for (const statement of alongside(row)) await tx.run(statement)
    return undefined
  })
  if (refusal) throw refusal
}
