/** The rows of keys, applications and reviews, and what an account's owner may export of them. */
import { sql, type Statement, accountOf, type Acting, type Db } from '../../platform/db/db.ts'
import type { AccountId, KeyId, QuotaLimits, Scope } from '../../model/caller.ts'
import { hashOf, prefixOf } from '../../model/credential-text.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import type { UserId } from '../../model/member.ts'

export interface KeySpec {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly quota: QuotaLimits
  readonly expiresAt?: Date
  /** Addresses or CIDR ranges; empty means any address. */
  readonly allowedIps: readonly string[]
  /**
   * The origins of pages that may use it. With origins the key is publishable and has few permissions; empty: an
   * ordinary key.
   */
  readonly allowedOrigins?: readonly string[]
  /** The person who created it; absent when the operator did. */
  readonly createdBy?: string
}

/** Changes to a key. Null removes the expiry, [] removes the addresses. */
export interface KeyChange {
  readonly name?: string | undefined
  readonly scopes?: readonly Scope[] | undefined
  readonly quota?: QuotaLimits | undefined
  readonly expiresAt?: Date | null | undefined
  readonly allowedIps?: readonly string[] | undefined
  /** Only for a key that has origins, and never empty: the key's text shows its kind. */
  readonly allowedOrigins?: readonly string[] | undefined
}

export interface KeyRow {
  readonly id: KeyId
  readonly name: string
  readonly prefix: string
  readonly scopes: Scope[]
  readonly per_minute: number
  readonly burst: number
  readonly per_day: number | null
  readonly per_month: number | null
  readonly allowed_ips: string[]
  readonly allowed_origins: string[]
  readonly created_at: Date
  readonly created_by: string | null
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
  /** The application that uses this row; null for a key. */
  readonly client_id: string | null
}

export function insertKey(account: AccountId, id: KeyId, spec: KeySpec, secret: string, at: Date): Statement[] {
  const { name, scopes, quota, allowedIps, allowedOrigins = [], expiresAt, createdBy } = spec
  const { perMinute, burst, perDay, perMonth } = quota
  return [
    sql(
      'key_insert',
      `INSERT INTO api_key (account_id, id, name, prefix, scopes, per_minute, burst, per_day, per_month,
                            allowed_ips, allowed_origins, created_at, expires_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        account,
        id,
        name,
        prefixOf(secret),
        scopes,
        perMinute,
        burst,
        perDay,
        perMonth,
        allowedIps,
        allowedOrigins,
        at,
        expiresAt,
        createdBy,
      ],
    ),
    insertSecret(secret, account, id),
  ]
}

export function insertSecret(secret: string, account: AccountId, id: KeyId): Statement {
  const text = 'INSERT INTO key_secret (hash, account_id, key_id, prefix) VALUES ($1, $2, $3, $4)'
  return sql('key_secret_insert', text, [hashOf(secret), account, id, prefixOf(secret)])
}

/** Inserts a row for an application. An existing row gets the new scopes, keeps its quota and is active again. */
export function insertGrant(
  account: AccountId,
  grant: { clientId: string; name: string; scopes: readonly Scope[]; quota: QuotaLimits; createdBy?: string },
  at: Date,
): Statement {
  const { perMinute, burst, perDay, perMonth } = grant.quota
  return sql(
    'grant_insert',
    `INSERT INTO api_key (account_id, id, client_id, name, prefix, scopes, per_minute, burst, per_day, per_month,
                          created_at, created_by)
     VALUES ($1::uuid, credential_id($1::uuid::text, $2), $2, $3, '', $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT ON CONSTRAINT api_key_client DO UPDATE SET name = excluded.name, revoked_at = NULL,
       created_by = coalesce(api_key.created_by, excluded.created_by),
       scopes = CASE WHEN api_key.revoked_at IS NULL
         THEN (SELECT array_agg(DISTINCT scope) FROM unnest(api_key.scopes || excluded.scopes) scope)
         ELSE excluded.scopes END`,
    [account, grant.clientId, grant.name, grant.scopes, perMinute, burst, perDay, perMonth, at, grant.createdBy],
  )
}

export function changeKey(account: AccountId, id: KeyId, change: KeyChange): Statement<KeyRow> {
  const { name, scopes, quota, expiresAt, allowedIps, allowedOrigins } = change
  return sql<KeyRow>(
    'key_change',
    `UPDATE api_key SET name = coalesce($3, name), scopes = coalesce($4, scopes), allowed_ips = coalesce($5, allowed_ips),
       expires_at = CASE WHEN $6 THEN $7::timestamptz ELSE expires_at END,
       per_minute = CASE WHEN $8 THEN $9 ELSE per_minute END, burst = CASE WHEN $8 THEN $10 ELSE burst END,
       per_day = CASE WHEN $8 THEN $11::bigint ELSE per_day END,
       per_month = CASE WHEN $8 THEN $12::bigint ELSE per_month END,
       allowed_origins = coalesce($13, allowed_origins)
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING *`,
    [
      account,
      id,
      name,
      scopes,
      allowedIps,
      expiresAt !== undefined,
      expiresAt,
      quota !== undefined,
      quota?.perMinute ?? 1,
      quota?.burst ?? 1,
      quota?.perDay,
      quota?.perMonth,
      allowedOrigins,
    ],
  )
}

export function revokeKey(account: AccountId, id: KeyId): Statement {
  return sql(
    'key_revoke',
    'UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL',
    [account, id],
  )
}

/** Every node reads these rows and drops the key from its cache. */
export function noteChange(id: KeyId): Statement {
  return sql(
    'key_change_note',
    `WITH old AS (DELETE FROM key_change WHERE changed_at < now() - interval '1 hour')
     INSERT INTO key_change (changed_at, key_id) VALUES (clock_timestamp(), $1)`,
    [id],
  )
}

const COLUMNS = `id, name, prefix, scopes, per_minute, burst, per_day, per_month, allowed_ips, allowed_origins, created_at,
  created_by, expires_at, last_used_at, revoked_at, client_id`

export function exportKeys(db: Db, acting: Acting): Exported {
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
  }
}

/** Every node drops these keys from its cache, as it does for a revoked key. */
export function forgetKeys(account: AccountId): Statement[] {
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

/** For a person who is deleted: the keys they created for an account stay, without their creator. */
export function forgetMaker(account: AccountId, userId: UserId): Statement {
  return sql('key_forget_maker', 'UPDATE api_key SET created_by = NULL WHERE account_id = $1 AND created_by = $2', [
    account,
    userId,
  ])
}

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
