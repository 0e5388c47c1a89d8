/**
 * POST /v1/batches: accepts many generate requests as one batch.
 *
 * One commit reserves the quota of all items, writes the batch and enqueues its first chunks. So a caller with a
 * success response has a batch that will be processed, and any other caller has no batch and is charged nothing.
 *
 * Fails with quota_exceeded, checks_exceeded and storage_limit.
 */
import type { BatchRow, NewBatch } from './batch.ts'
import { ITEM_BYTES } from './batches.ts'
import type { Batches } from './batches.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Caller } from '../../model/caller.ts'
import type { Quota } from '../quota/quota.ts'

export interface AcceptBatchContext {
  readonly db: Db
  readonly batches: Pick<Batches, 'accept' | 'keptUntil' | 'priorityOf' | 'takeBytes'>
  readonly quota: Pick<Quota, 'reserveBlock' | 'settleLostCommits' | 'takeChecks'>
  readonly jobs: Pick<Jobs, 'enqueuing'>
}

/** This long after a batch started, and repeatedly until it has ended, a job checks its progress. */
export const CHECK_AFTER_MS = 600_000

export async function acceptBatch(
  ctx: AcceptBatchContext,
  caller: Caller,
  /** `units`: the most that its items may cost. `checks`: the domains that callers have named. */
  { units, checks, ...batch }: NewBatch & { readonly units: number; readonly checks: number },
  alongside: (row: BatchRow) => readonly Statement[],
): Promise<void> {
  const account = caller.accountId
  if (checks > 0) await ctx.quota.takeChecks(caller, checks)
  await ctx.batches.takeBytes(caller, bytesOf(batch))
  const accept = () =>
    ctx.db.transaction(account, async (tx) => {
      // First, so that no large write is rolled back.
      const block = await ctx.quota.reserveBlock(tx, caller, units, ctx.batches.keptUntil())
      if (block instanceof ApiError) return block
      const { row, statements, queued } = ctx.batches.accept(caller, batch, block)
      for (const statement of statements) await tx.run(statement)
      const priority = await ctx.batches.priorityOf(tx, { account, batchId: row.id, n: 0 })
      const jobs = queued.map((n) => ({ data: { batch_id: row.id, n }, priority: priority - n }))
      await tx.run(ctx.jobs.enqueuing('batch', [...jobs, { data: { batch_id: row.id }, afterMs: CHECK_AFTER_MS }]))
      for (const statement of alongside(row)) await tx.run(statement)
      return undefined
    })
  const refusal = await accept()
  if (!refusal) return
  const last = (await ctx.quota.settleLostCommits(account)) ? await accept() : refusal
  if (last) throw last
}

/** What it stores when it is accepted. Results are counted as they come. */
function bytesOf({ chunks, wrong }: Pick<NewBatch, 'chunks' | 'wrong'>): number {
  const texts = [...chunks.map(({ requests }) => requests), JSON.stringify(wrong)]
  const items = chunks.reduce((sum, { size }) => sum + size, 0)
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), items * ITEM_BYTES)
}
