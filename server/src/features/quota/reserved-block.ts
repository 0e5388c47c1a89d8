/**
 * Units reserved for work that continues after its request, such as a batch.
 *
 * They form a block of their own, leased in the transaction that accepts the work, so both exist or neither. Each item
 * of the work spends from it as a request spends from a shared block. The transaction that ends the work closes the
 * block, which returns the rest at once. If the work never ends, the units return when the block expires.
 */
import { sql } from '../../platform/db/db.ts'
import type { Statement, Transaction } from '../../platform/db/db.ts'
import type { Caller } from '../../model/caller.ts'
import { leaseIn } from './block.ts'
import type { Exhausted } from './block.ts'

/** Returns a block to spend from, or the refusal as a value: blocks that were closed on the way are still committed. */
export async function reserveBlock(
  tx: Transaction,
  caller: Caller,
  { units, at, until }: { units: number; at: number; until: number },
): Promise<string | Exhausted> {
  const times = { leaseMs: 0, settleMs: until - at }
  const leased = await leaseIn(tx, caller, { least: units, most: 0, alone: true, at, times })
  return leased instanceof Error ? leased : leased.block
}

/** Locks the periods first, day before month, in the order that leases use, so that they cannot deadlock. */
export function releaseReservedBlock(
  { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
  block: string,
): Statement[] {
  return [
    sql(
      'quota_held_lock',
      `SELECT 1 FROM quota_period JOIN quota_block ON quota_block.account_id = quota_period.account_id
         AND quota_block.key_id = quota_period.key_id AND quota_block.id = $3
       WHERE quota_period.account_id = $1 AND quota_period.key_id = $2 AND ((kind = 'day' AND starts_on = day)
         OR (kind = 'month' AND starts_on = date_trunc('month', day)::date))
       ORDER BY kind FOR UPDATE OF quota_period`,
      [accountId, keyId, block],
    ),
    sql(
      'quota_held_release',
      `WITH open AS (
         SELECT id, day, granted - used AS unspent FROM quota_block
         WHERE account_id = $1 AND key_id = $2 AND id = $3 AND closed_at IS NULL FOR UPDATE
       ), closed AS (
         UPDATE quota_block SET granted = used, closed_at = now() FROM open
         WHERE account_id = $1 AND key_id = $2 AND quota_block.id = open.id RETURNING open.day, open.unspent)
       UPDATE quota_period SET leased = leased - unspent FROM closed WHERE account_id = $1 AND key_id = $2
         AND ((kind = 'day' AND starts_on = closed.day)
           OR (kind = 'month' AND starts_on = date_trunc('month', closed.day)::date))`,
      [accountId, keyId, block],
    ),
  ]
}
