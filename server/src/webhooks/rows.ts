/** The rows of webhooks: what is shown of one, and the statements that make, change and end it. */
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import type { EventType } from '../model/event.ts'

export type OffReason = 'by_hand' | 'failing' | 'gone'

/** All but what it signs with. */
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
  /** Until then it signs with the secret before, too. */
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

/** Whoever makes one waits here for who makes another, so that the count below is right. */
export function lockAccount(account: AccountId): Statement {
  return sql('webhook_count_lock', 'SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [account])
}

/** Answers no row when there are that many already. */
export function insertWebhook(
  account: AccountId,
  { id, at, spec, secret, most }: { id: string; at: Date; spec: WebhookSpec; secret: Buffer; most: number },
): Statement<WebhookRow> {
  return sql(
    'webhook_insert',
    `INSERT INTO webhook (account_id, id, created_at, url, events, description, secret)
     SELECT $1, $2, $3, $4, $5, $6, $7
     WHERE (SELECT count(*) FROM webhook WHERE account_id = $1) < $8::int RETURNING ${COLUMNS}`,
    [account, id, at, spec.url, spec.events, spec.description, secret, most],
  )
}

/** One that is switched on again has a clean record; one that is on already keeps its own. */
export function changeWebhook(
  account: AccountId,
  id: string,
  { url, events, description, enabled }: WebhookChange,
  at: Date,
): Statement<WebhookRow> {
  return sql(
    'webhook_change',
    `UPDATE webhook SET url = coalesce($3, url), events = coalesce($4, events),
       description = CASE WHEN $5 THEN $6 ELSE description END, enabled = coalesce($7, enabled),
       off_reason = CASE WHEN $7 THEN NULL WHEN NOT $7 AND enabled THEN 'by_hand' ELSE off_reason END,
       off_at = CASE WHEN $7 THEN NULL WHEN NOT $7 AND enabled THEN $8::timestamptz ELSE off_at END,
       failing_since = CASE WHEN $7 AND NOT enabled THEN NULL ELSE failing_since END
     WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [account, id, url, events, description !== undefined, description, enabled, at],
  )
}

/** What waited while it was off is due now, and counts its attempts anew. */
export function resumeDeliveries(account: AccountId, id: string, at: Date): Statement {
  return sql(
    'delivery_resume',
    `UPDATE delivery SET next_at = $3, attempts = 0 WHERE account_id = $1 AND webhook_id = $2 AND state = 'pending'`,
    [account, id, at],
  )
}

/** A third secret, made while two are good, ends the oldest. */
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

/** Answers a row when that switched it off. One that has taken something meanwhile stays on. */
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
