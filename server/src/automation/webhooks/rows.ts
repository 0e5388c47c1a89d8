/** The rows of webhooks: the columns that are shown, and the statements that create, change and delete them. */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { EventType } from '../../model/event.ts'
import type { UserId } from '../../model/member.ts'

export const OFF_REASONS = ['by_hand', 'failing', 'gone', 'creator_lost_access'] as const
export type OffReason = (typeof OFF_REASONS)[number]

/** All columns except the signing secrets. */
export interface WebhookRow {
  readonly id: string
  readonly created_at: Date
  readonly url: string
  readonly events: string[]
  readonly description: string | null
  readonly enabled: boolean
  readonly off_reason: OffReason | null
  readonly off_at: Date | null
  readonly failing_since: Date | null
  /** Until then it also signs with the previous secret. */
  readonly old_secret_until: Date | null
}

export interface WebhookSpec {
  readonly url: string
  readonly events: readonly EventType[]
  readonly description: string | null
}

export interface WebhookChange {
  readonly url?: string | undefined
  readonly events?: readonly EventType[] | undefined
  readonly description?: string | null | undefined
  readonly enabled?: boolean | undefined
}

export const COLUMNS =
  'id, created_at, url, events, description, enabled, off_reason, off_at, failing_since, old_secret_until'

export function listWebhooks(account: AccountId): Statement<WebhookRow> {
  const text = `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 ORDER BY id`
  return sql('webhook_list', text, [account])
}

export function findWebhook(account: AccountId, id: string): Statement<WebhookRow> {
  const text = `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 AND id = $2`
  return sql('webhook_find', text, [account, id])
}

/** Serializes the creation of webhooks, so that the count below is right. */
export function lockAccount(account: AccountId): Statement {
  return sql('webhook_count_lock', 'SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [account])
}

export interface Inserted {
  readonly id: string
  readonly at: Date
  readonly spec: WebhookSpec
  readonly secret: Buffer
  readonly most: number
  readonly createdBy: UserId | null
}

/** Returns no row when the account already has that many. */
export function insertWebhook(
  account: AccountId,
  { id, at, spec, secret, most, createdBy }: Inserted,
): Statement<WebhookRow> {
  return sql(
    'webhook_insert',
    `INSERT INTO webhook (account_id, id, created_at, url, events, description, secret, created_by)
     SELECT $1, $2, $3, $4, $5, $6, $7, $9
     WHERE (SELECT count(*) FROM webhook WHERE account_id = $1) < $8::int RETURNING ${COLUMNS}`,
    [account, id, at, spec.url, spec.events, spec.description, secret, most, createdBy],
  )
}

/**
 * Enabling a webhook clears its failure record; an enabled one keeps its own. A person who enables a webhook whose
 * creator lost access becomes its creator.
 */
export function changeWebhook(
  account: AccountId,
  id: string,
  { url, events, description, enabled }: WebhookChange,
  { at, by }: { at: Date; by: UserId | null },
): Statement<WebhookRow> {
  return sql(
    'webhook_change',
    `UPDATE webhook SET url = coalesce($3, url), events = coalesce($4, events),
       description = CASE WHEN $5 THEN $6 ELSE description END, enabled = coalesce($7, enabled),
       off_reason = CASE WHEN $7 THEN NULL WHEN NOT $7 AND enabled THEN 'by_hand' ELSE off_reason END,
       off_at = CASE WHEN $7 THEN NULL WHEN NOT $7 AND enabled THEN $8::timestamptz ELSE off_at END,
       failing_since = CASE WHEN $7 AND NOT enabled THEN NULL ELSE failing_since END,
       created_by = CASE WHEN $7 AND off_reason = 'creator_lost_access' THEN $9 ELSE created_by END
     WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [account, id, url, events, description !== undefined, description, enabled, at, by],
  )
}

/** Deliveries that waited while it was disabled are due now, and count their attempts anew. */
export function resumeDeliveries(account: AccountId, id: string, at: Date): Statement {
  return sql(
    'delivery_resume',
    `UPDATE delivery SET next_at = $3, attempts = 0 WHERE account_id = $1 AND webhook_id = $2 AND state = 'pending'`,
    [account, id, at],
  )
}

/** A third secret, created while two are valid, ends the oldest. */
export function rotateSecret(
  account: AccountId,
  id: string,
  { secret, until }: { secret: Buffer; until: Date | null },
): Statement<WebhookRow> {
  return sql(
    'webhook_rotate',
    `UPDATE webhook SET old_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END,
       old_secret_until = $4, secret = $3
     WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [account, id, secret, until],
  )
}

export function removeWebhook(account: AccountId, id: string): Statement<{ url: string }> {
  return sql('webhook_remove', 'DELETE FROM webhook WHERE account_id = $1 AND id = $2 RETURNING url', [account, id])
}

/** Returns a row when this disabled it. A webhook that succeeded meanwhile stays enabled. */
export function switchOff(
  account: AccountId,
  id: string,
  { reason, at, failingSince }: { reason: OffReason; at: Date; failingSince: Date },
): Statement<{ url: string }> {
  return sql(
    'webhook_switch_off',
    `UPDATE webhook SET enabled = false, off_reason = $3, off_at = $4
     WHERE account_id = $1 AND id = $2 AND enabled AND (failing_since <= $5 OR $3 = 'gone') RETURNING url`,
    [account, id, reason, at, failingSince],
  )
}

/** `known`: webhooks created before their creator was recorded. Returns those that this disabled. */
export function disableCreatedBy(
  account: AccountId,
  creator: UserId,
  { known, at }: { known: readonly string[]; at: Date },
): Statement<{ id: string; url: string }> {
  return sql(
    'webhook_disable_created_by',
    `UPDATE webhook SET enabled = false, off_reason = 'creator_lost_access', off_at = $4
     WHERE account_id = $1 AND enabled AND (created_by = $2 OR created_by IS NULL AND id::text = ANY ($3))
     RETURNING id, url`,
    [account, creator, known, at],
  )
}

/** For a person who is deleted: removes them as the creator. */
export function forgetCreator(account: AccountId, creator: UserId): Statement {
  const text = 'UPDATE webhook SET created_by = NULL WHERE account_id = $1 AND created_by = $2'
  return sql('webhook_forget_creator', text, [account, creator])
}
