/**
 * DELETE /v1/batches/{id}: what has not ended ends now, and the quota that was set aside for it goes back at once.
 *
 * What a worker has under way finds its chunk closed when it wants to commit, so it leaves nothing and costs nothing.
 * A batch that has ended stays as it is.
 */
import type { BatchRow } from './batches/batch.ts'
import type { Batches } from './batches/batches.ts'
import type { Db } from './db/db.ts'
import type { AccountId } from './model/caller.ts'
import type { Quota } from './quota/quota.ts'

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
    const { block, keyId } = (await ctx.batches.cancel(tx, account, id))?.held ?? {}
    if (!block || !keyId) return
    for (const statement of ctx.quota.releasing({ accountId: account, keyId }, block)) await tx.run(statement)
  })
  return ctx.batches.find(account, id)
}
