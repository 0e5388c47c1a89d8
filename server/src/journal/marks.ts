/** What says in the database that an entry of a journal is there: a mark that is committed with it. */
import { isViolationOf, sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import { firstIdOf } from '../model/id.ts'
import type { Entry } from './entry.ts'

// A file that comes back later than that, from a disk that was forgotten in a drawer, may be counted twice.
const KEPT_MS = 90 * 86_400_000

/** To be committed with the entry. */
export function markOf({ id, caller }: Pick<Entry, 'id' | 'caller'>): Statement {
  return sql('deferred_mark', 'INSERT INTO deferred_commit (account_id, id) VALUES ($1, $2)', [caller.accountId, id])
}

/** Was it the mark that refused the commit? */
export function isMarked(error: unknown): boolean {
  return isViolationOf(error, 'deferred_commit_pkey')
}

/** At most so many that are old. */
export function forgettingMarks(account: AccountId, at: number, most: number): Statement {
  return sql(
    'deferred_forget',
    `DELETE FROM deferred_commit WHERE account_id = $1 AND id IN (
       SELECT id FROM deferred_commit WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)`,
    [account, firstIdOf(at - KEPT_MS), most],
  )
}
