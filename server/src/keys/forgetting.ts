/** The end of an account's keys, and of what a key tells about a person. */
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import type { UserId } from '../model/member.ts'

/** Every node drops what it remembers of these keys, as it does for one that is revoked. */
export function forgetting(account: AccountId): Statement[] {
  return [
    sql(
      'key_forget_note',
      `INSERT INTO key_change (changed_at, key_id) SELECT clock_timestamp(), id FROM api_key WHERE account_id = $1`,
      [account],
    ),
    sql('key_secret_forget', 'DELETE FROM key_secret WHERE account_id = $1', [account]),
    sql('key_forget', 'DELETE FROM api_key WHERE account_id = $1', [account]),
  ]
}

/** For a person who is deleted: the keys they made for others live on, and no longer say by whom. */
export function forgetMaker(account: AccountId, userId: UserId): Statement {
  return sql('key_forget_maker', 'UPDATE api_key SET created_by = NULL WHERE account_id = $1 AND created_by = $2', [
    account,
    userId,
  ])
}
