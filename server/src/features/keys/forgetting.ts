/** Deletes an account's keys, and removes a deleted person from the keys they created. */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'
import { forgettingRules } from './application-rules.ts'

/** Every node drops these keys from its cache, as it does for a revoked key. */
export function forgetting(account: AccountId): Statement[] {
  return [
    sql(
      'key_forget_note',
      `INSERT INTO key_change (changed_at, key_id) SELECT clock_timestamp(), id FROM api_key WHERE account_id = $1`,
      [account],
    ),
    sql('key_secret_forget', 'DELETE FROM key_secret WHERE account_id = $1', [account]),
    sql('key_forget', 'DELETE FROM api_key WHERE account_id = $1', [account]),
    ...forgettingRules(account),
  ]
}

/** For a person who is deleted: the keys they created for an account stay, without their creator. */
export function forgetMaker(account: AccountId, userId: UserId): Statement {
  return sql('key_forget_maker', 'UPDATE api_key SET created_by = NULL WHERE account_id = $1 AND created_by = $2', [
    account,
    userId,
  ])
}
