/** Exports an account's keys and applications for their owner: everything except the hashes of secrets. */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import type { KeyId } from '../../model/caller.ts'
import { exportingRules } from './application-rules.ts'
import type { KeyRow } from './rows.ts'

const COLUMNS = `id, name, prefix, scopes, per_minute, burst, per_day, per_month, allowed_ips, allowed_origins, created_at,
  created_by, expires_at, last_used_at, revoked_at, client_id`

export function exporting(db: Db, acting: Acting): Exported {
  const text = `SELECT ${COLUMNS} FROM api_key WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  return {
    keys: walk<KeyRow>(db, acting, (last, limit) =>
      sql('key_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
    ),
    key_reviews: walk<{ key_id: KeyId }>(db, acting, (last, limit) =>
      sql(
        'key_review_export',
        'SELECT key_id, since FROM key_review WHERE account_id = $1 AND key_id > $2 ORDER BY key_id LIMIT $3',
        [accountOf(acting), last?.key_id ?? BEFORE_ALL, limit],
      ),
    ),
    ...exportingRules(db, acting),
  }
}
