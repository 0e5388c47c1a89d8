/**
 * Deliveries: the state of each event at each webhook. Lists them, replays them, and deletes them after thirty days, or
 * when a webhook has too many.
 *
 * A delivery is identified by the id of its event, which the receiver sees as `webhook-id`. A delivery that waits at a
 * disabled webhook is `paused`. Old ones are hidden at once and deleted a few at a time.
 */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import { firstIdOf } from '../../model/id.ts'
import { DAY_MS } from './retries.ts'
import type { EventToDeliver, DeliveryOutcome } from './send.ts'

export const DELIVERY_STATES = ['pending', 'paused', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface DeliveryRow {
  readonly id: string
  readonly type: string
  readonly created_at: Date
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_at: Date | null
  readonly last_at: Date | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
}

const KEEP_MS = 30 * DAY_MS
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const SHOWN = `d.event_id AS id, e.type, e.created_at,
  CASE WHEN d.state = 'pending' AND NOT w.enabled THEN 'paused' ELSE d.state END AS state,
  d.attempts, d.next_at, d.last_at, d.last_status, d.last_error, d.last_answer`
const FROM = `FROM delivery d JOIN event e ON e.account_id = d.account_id AND e.id = d.event_id
  JOIN webhook w ON w.account_id = d.account_id AND w.id = d.webhook_id`

/** One row more than `limit` when there is a next page. */
export function listDeliveries(
  account: AccountId,
  webhook: string,
  { limit, before = AFTER_ALL, now }: { limit: number; before?: string; now: number },
): Statement<DeliveryRow> {
  return sql(
    'delivery_list',
    `SELECT ${SHOWN} ${FROM} WHERE d.account_id = $1 AND d.webhook_id = $2 AND d.event_id < $3 AND d.event_id >= $4
     ORDER BY d.event_id DESC LIMIT $5`,
    [account, webhook, before, firstIdOf(now - KEEP_MS), limit + 1],
  )
}

export function findDelivery(account: AccountId, webhook: string, event: string, now: number): Statement<DeliveryRow> {
  return sql(
    'delivery_find',
    `SELECT ${SHOWN} ${FROM} WHERE d.account_id = $1 AND d.webhook_id = $2 AND d.event_id = $3 AND d.event_id >= $4`,
    [account, webhook, event, firstIdOf(now - KEEP_MS)],
  )
}

/** Starts the delivery again from the first attempt, whatever its state. */
export function replayDelivery(account: AccountId, webhook: string, event: string, now: number): Statement {
  return sql(
    'delivery_replay',
    `UPDATE delivery SET state = 'pending', attempts = 0, next_at = $4
     WHERE account_id = $1 AND webhook_id = $2 AND event_id = $3 AND event_id >= $5`,
    [account, webhook, event, new Date(now), firstIdOf(now - KEEP_MS)],
  )
}

/** Inserts a test event with its outcome: a test is sent before anything is written. */
export function insertTest(
  account: AccountId,
  webhook: string,
  event: EventToDeliver,
  outcome: DeliveryOutcome,
): Statement {
  const { ok, status, error, answer } = outcome
  return sql(
    'delivery_test',
    `WITH told AS (
       INSERT INTO event (account_id, id, created_at, type, once, data) VALUES ($1, $3, $4, $5, $6, $7))
     INSERT INTO delivery (account_id, webhook_id, event_id, state, attempts, last_at, last_status, last_error, last_answer)
     VALUES ($1, $2, $3, $8, 1, $4, $9, $10, $11)`,
    [
      account,
      webhook,
      event.id,
      event.created_at,
      event.type,
      `test:${event.id}`,
      event.data,
      ok ? 'delivered' : 'failed',
      status,
      error,
      answer,
    ],
  )
}

/** Deletes at most `limit` deliveries older than thirty days; `count` says how many. */
export function expireDeliveries(account: AccountId, now: number, limit: number): Statement {
  return sql(
    'delivery_expire',
    `DELETE FROM delivery WHERE account_id = $1 AND (webhook_id, event_id) IN (
       SELECT webhook_id, event_id FROM delivery WHERE account_id = $1 AND event_id < $2
       ORDER BY event_id LIMIT $3)`,
    [account, firstIdOf(now - KEEP_MS), limit],
  )
}

/** Of a webhook, however many events there are: a receiver decides how many bytes of its response are stored with each. */
const MOST_ENDED = 1_000

/** Deletes all but the newest deliveries of the webhook that have ended. */
export function trimDeliveries(account: AccountId, webhook: string): Statement {
  return sql(
    'delivery_trim',
    `DELETE FROM delivery WHERE account_id = $1 AND webhook_id = $2 AND state <> 'pending' AND event_id <= (
       SELECT event_id FROM delivery WHERE account_id = $1 AND webhook_id = $2 AND state <> 'pending'
       ORDER BY event_id DESC OFFSET ${MOST_ENDED} LIMIT 1)`,
    [account, webhook],
  )
}

// A job comes for a due delivery within seconds; a delivery that is an hour late has no job any more.
const LATE_MS = 3_600_000

/** Enqueues a job for each webhook whose due deliveries have no job left, because the last one died. */
export function wakeAll(account: AccountId): Statement {
  return sql(
    'webhook_wake_all',
    `SELECT enqueue_jobs('webhook', jsonb_agg(jsonb_build_object('data', jsonb_build_object('webhook', id))))
     FROM webhook w WHERE w.account_id = $1 AND enabled AND EXISTS (
       SELECT FROM delivery d WHERE d.account_id = $1 AND d.webhook_id = w.id AND d.state = 'pending')
     HAVING count(*) > 0`,
    [account],
  )
}

export function wakeForgotten(account: AccountId, now: number): Statement {
  return sql(
    'webhook_wake_forgotten',
    `SELECT enqueue_jobs('webhook', jsonb_agg(jsonb_build_object('data', jsonb_build_object('webhook', id))))
     FROM webhook w WHERE w.account_id = $1 AND enabled AND EXISTS (
       SELECT FROM delivery d WHERE d.account_id = $1 AND d.webhook_id = w.id AND d.state = 'pending' AND d.next_at < $2)
     HAVING count(*) > 0`,
    [account, new Date(now - LATE_MS)],
  )
}
