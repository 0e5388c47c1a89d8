/** Deletes expired ledger rows and old events of an account. */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import { firstIdOf } from '../../model/id.ts'
import { KEEP_MS } from './block.ts'
import { periodsOf } from './rate.ts'

// As long as an idempotency key is kept, plus one day.
const CHARGES_MS = 2 * 86_400_000
// Long enough that a person who returns after a long absence still sees what happened.
const EVENTS_MS = 90 * 86_400_000

/** At most `most` rows of each kind. A block that is not closed stays, because its rest has not been returned yet. */
export function pruning(account: AccountId, at: number, most: number): Statement[] {
  return [
    sql(
      'quota_block_prune_old',
      `DELETE FROM quota_block WHERE account_id = $1 AND (key_id, id) IN (
         SELECT key_id, id FROM quota_block WHERE account_id = $1 AND id < $2 AND closed_at IS NOT NULL LIMIT $3)`,
      [account, firstIdOf(at - KEEP_MS), most],
    ),
    sql(
      'quota_period_prune_old',
      `DELETE FROM quota_period WHERE account_id = $1 AND (key_id, kind, starts_on) IN (
         SELECT key_id, kind, starts_on FROM quota_period WHERE account_id = $1 AND starts_on < $2::date LIMIT $3)`,
      [account, periodsOf(at - KEEP_MS).day, most],
    ),
    sql(
      'stream_charge_prune_old',
      `DELETE FROM stream_charge WHERE account_id = $1 AND id IN (
         SELECT id FROM stream_charge WHERE account_id = $1 AND charged_at < $2 LIMIT $3)`,
      [account, new Date(at - CHARGES_MS), most],
    ),
    sql(
      'event_prune_old',
      `DELETE FROM event WHERE account_id = $1 AND id IN (
         SELECT id FROM event WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)`,
      [account, firstIdOf(at - EVENTS_MS), most],
    ),
  ]
}
