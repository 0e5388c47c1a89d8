/**
 * POST /v1/batches/{id}/cancel: ends all unfinished items and releases their reserved quota at once.
 *
 * A worker with an item in progress finds its chunk closed at commit time, so the item is not stored and costs nothing.
 * A batch that has ended stays unchanged.
 */
import type { BatchRow } from './batch.ts'
import type { Batches } from './batches.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Quota } from '../quota/quota.ts'

export interface CancelBatchContext {
  readonly db: Db
  readonly batches: Pick<Batches, 'cancel' | 'find'>
  readonly quota: Pick<Quota, 'releasing'>
}

/** Undefined when the account has no such batch. */
export async function cancelBatch(
  ctx: CancelBatchContext,
  account: AccountId,
  id: string,
): Promise<BatchRow | undefined> {
  await ctx.db.transaction(account, async (tx) => {
    const { block, keyId } = (await ctx.batches.cancel(tx, account, id))?.reserved ?? {}
    if (!block || !keyId) return
    for (const statement of ctx.quota.releasing({ accountId: account, keyId }, block)) await tx.run(statement)
  })
  return ctx.batches.find(account, id)
}
