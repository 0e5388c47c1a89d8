/** An account's keys and applications as their owner may take them along: everything but the secrets' hashes. */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db } from '../db/db.ts'
import { BEFORE_ALL, walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import type { KeyRow } from './rows.ts'

const COLUMNS = `id, name, prefix, scopes, per_minute, burst, per_day, per_month, allowed_ips, allowed_origins, created_at,
  created_by, expires_at, last_used_at, revoked_at, client_id`

export function exporting(db: Db, acting: Acting): Exported {
  const text = `SELECT ${COLUMNS} FROM api_key WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  return {
    keys: walk<KeyRow>(db, acting, (last, limit) =>
      sql('key_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
    ),
  }
}
