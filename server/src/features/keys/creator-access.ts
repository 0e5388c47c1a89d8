/**
 * Handles an account's credentials after their creator loses the right to manage the account: keys keep working and are
 * listed for review, applications that the creator registered are disabled.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Statement } from '../../platform/db/db.ts'
import type { AccountId, KeyId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'

interface CreatorKey {
  readonly id: KeyId
  readonly name: string
}

/** Returns the keys that this call newly listed for review. */
export function listForReview(account: AccountId, creator: UserId, at: Date): Statement<CreatorKey> {
  return sql(
    'key_review_list',
    `WITH listed AS (
       INSERT INTO key_review (account_id, key_id, since) SELECT account_id, id, $3 FROM api_key
       WHERE account_id = $1 AND created_by = $2 AND client_id IS NULL AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > $3)
       ON CONFLICT DO NOTHING RETURNING key_id)
     SELECT id, name FROM api_key JOIN listed ON listed.key_id = api_key.id WHERE account_id = $1 ORDER BY id`,
    [account, creator, at],
  )
}

/** Makes the person who keeps a key its new creator. Changes no row when the key is not listed for review. */
export function keepKey(acting: Acting, id: KeyId): Statement {
  return sql(
    'key_review_keep',
    `WITH reviewed AS (DELETE FROM key_review WHERE account_id = $1 AND key_id = $2 RETURNING key_id)
     UPDATE api_key SET created_by = $3 FROM reviewed
     WHERE account_id = $1 AND id = reviewed.key_id AND revoked_at IS NULL`,
    [accountOf(acting), id, typeof acting === 'string' ? null : acting.userId],
  )
}

export function endReview(account: AccountId, id: KeyId): Statement {
  return sql('key_review_end', 'DELETE FROM key_review WHERE account_id = $1 AND key_id = $2', [account, id])
}

/**
 * `known`: applications registered before their creator was recorded. Returns the applications that this call disabled.
 */
export function disableClients(
  account: AccountId,
  creator: UserId,
  known: readonly string[],
): Statement<{ client_id: string; name: string }> {
  const text = 'SELECT client_id, name FROM people.disable_clients($1, $2, $3)'
  return sql('client_disable', text, [account, creator, known])
}
