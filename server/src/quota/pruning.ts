/** What the ledger need not tell any more, and what an account was told long ago. */
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import { firstIdOf } from '../model/id.ts'
import { KEEP_MS } from './block.ts'
import { periodsOf } from './period.ts'

// Long enough that somebody who comes back from a long absence finds out what happened.
const EVENTS_MS = 90 * 86_400_000

/** At most so many rows of each kind. A block that is not closed stays: what it holds has not gone back yet. */
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
      'event_prune_old',
      `DELETE FROM event WHERE account_id = $1 AND id IN (
         SELECT id FROM event WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)`,
      [account, firstIdOf(at - EVENTS_MS), most],
    ),
  ]
}
