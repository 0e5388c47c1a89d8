/**
 * Units set aside for work that goes on after its request, such as a batch.
 *
 * They are a block of their own, leased in the transaction that takes the work on: either both are there or neither.
 * Each piece of the work spends from it as a request spends from a shared block, and the transaction that ends the
 * work closes it, which puts the rest back at once. Work that never ends gives it back when the block is due.
 */
import { sql } from '../db/db.ts'
import type { Statement, Transaction } from '../db/db.ts'
import type { Caller } from '../model/caller.ts'
import { leaseIn } from './block.ts'
import type { Exhausted } from './block.ts'

/** A block to spend from, or, as a value, the refusal: what was tidied up on the way is to be committed all the same. */
export async function holdUnits(
  tx: Transaction,
  caller: Caller,
  { units, at, until }: { units: number; at: number; until: number },
): Promise<string | Exhausted> {
  const times = { leaseMs: 0, settleMs: until - at }
  const leased = await leaseIn(tx, caller, { least: units, most: 0, alone: true, at, times })
  return leased instanceof Error ? leased : leased.block
}

/** The periods first, the day before the month, as whoever leases locks them: so nobody waits for the other. */
export function releaseHeld({ accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>, block: string): Statement[] {
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
