/** Marks in the database, committed with each journal entry, that show the entry is written. */
import { isViolationOf, sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import { firstIdOf } from '../../model/id.ts'
import type { JournalEntry } from './entry.ts'

// A file that returns after this time, for example from a disk that was set aside, may be counted twice.
const KEPT_MS = 90 * 86_400_000

/** Commit with the entry. */
export function markOf({ id, caller }: Pick<JournalEntry, 'id' | 'caller'>): Statement {
  return sql('deferred_mark', 'INSERT INTO deferred_commit (account_id, id) VALUES ($1, $2)', [caller.accountId, id])
}

/** True when the mark refused the commit. */
export function isMarked(error: unknown): boolean {
  return isViolationOf(error, 'deferred_commit_pkey')
}

/** At most `most` expired marks. */
export function forgettingMarks(account: AccountId, at: number, most: number): Statement {
  return sql(
    'deferred_forget',
    `DELETE FROM deferred_commit WHERE account_id = $1 AND id IN (
       SELECT id FROM deferred_commit WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)`,
    [account, firstIdOf(at - KEPT_MS), most],
  )
}
