/**
 * Leases a webhook to one worker, selects its due deliveries and schedules the next job.
 *
 * At most one worker sends to a webhook at a time: the one whose token is in its row, while the lease lasts. It extends
 * the lease as it works. Otherwise two workers could send two events with the same subject in the wrong order.
 *
 * **No delivery is left behind.** An event is committed with a job, so when the job runs, its delivery exists.
 * - The webhook is free: the job takes the lease and sends.
 * - The webhook is leased: the lease holder checks once more in the transaction that releases it, after it has locked
 *   the row. The job locks the row too, before it checks. If the job came first, its delivery was committed before the
 *   holder's last check, which sees it. If it came second, it waited, and finds the webhook free.
 * - The lease holder dies: so a job that finds the webhook leased enqueues another job for the end of the lease.
 *
 * `wake_at` keeps those jobs from multiplying: none is added while one in the queue runs soon enough. A job that is due
 * about now does not count, because clocks differ: it may be the current job itself, started a moment early. Each job
 * enqueues at most one other, so their number never grows.
 */
import { randomUUID } from 'node:crypto'
import { sql, type Db, type Statement, type Transaction } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Seal } from '../../platform/seal.ts'
import type { EventToDeliver, DeliveryOutcome, Receiver } from './send.ts'

export interface DeliveryLease {
  readonly account: AccountId
  readonly webhook: string
  readonly token: string
}

/** `wakeInMs`: in the same transaction, enqueue a job that runs after this time. */
export type DeliveryClaim =
  | { readonly lease: DeliveryLease }
  | { readonly lease?: undefined; readonly wakeInMs?: number }

export interface Due extends EventToDeliver {
  readonly attempts: number
  /** Deliveries of the same sequence are sent one after the other. */
  readonly sequence: string
  /** The current settings of the webhook: a new URL or secret applies from the next attempt on. */
  readonly receiver: Receiver
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY_MS = 24 * HOUR

/**
 * The delay after the first attempt, the second, and so on: short enough for a restart, long enough for a weekend.
 * Eleven attempts in 75 and a half hours, slightly more with jitter.
 */
const PAUSES_MS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

// Deliveries that failed together are not all retried together.
const JITTER = 0.1
// A longer Retry-After is capped at one day.
const MAX_MS = DAY_MS

/** A webhook without a success for this long is disabled. */
export const OFF_AFTER_MS = 3 * DAY_MS

/** Of a webhook, however many events there are: a receiver decides how many bytes of its response are stored with each. */
const MOST_ENDED = 1_000

/** Longer than any attempt; the lease is extended after each. */
const LEASE_MS = 60_000
/** A job due within this time is due about now: more than clock skew plus the wait of a transaction for its locks. */
const ABOUT_NOW_MS = 20_000

/** The columns of a webhook that say where to send and how to sign. */
interface WebhookTarget {
  readonly url: string
  readonly secret: Buffer
  readonly old_secret: Buffer | null
  readonly old_secret_until: Date | null
}

/** The row of a webhook, locked by `lockWebhook`. */
interface LockedWebhook extends WebhookTarget {
  readonly enabled: boolean
  readonly busy_until: Date | null
  readonly wake_at: Date | null
}

// True for the first pending delivery of each subject, and for every delivery without a subject.
const IS_HEAD = `(d.subject IS NULL OR NOT EXISTS (
  SELECT FROM delivery b WHERE b.account_id = d.account_id AND b.webhook_id = d.webhook_id AND b.state = 'pending'
    AND b.subject = d.subject AND b.place < d.place))`

// Deliveries of a suspended account wait until it is resumed.
const IS_SUSPENDED = `EXISTS (
  SELECT FROM account_plan p WHERE p.account_id = $1 AND p.suspended_at IS NOT NULL)`

export function openLeases({ db, seal, now, random }: { db: Db; seal: Seal; now: () => number; random: () => number }) {
  /** Reads the webhook and locks its row, so that no other worker takes or releases the lease meanwhile. */
  async function lockWebhook(tx: Transaction, account: AccountId, webhook: string): Promise<LockedWebhook | undefined> {
    const text = `SELECT url, enabled AND NOT ${IS_SUSPENDED} AS enabled, secret, old_secret, old_secret_until, busy_until, wake_at FROM webhook
                  WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE`
    return (await tx.run(sql<LockedWebhook>('webhook_hold', text, [account, webhook]))).rows[0]
  }

  /**
   * Returns in how many milliseconds to enqueue a job for the time `at`, and stores that time in `wake_at`. Undefined
   * if a job in the queue (`known`) runs early enough.
   */
  async function wake(
    tx: Transaction,
    lease: Pick<DeliveryLease, 'account' | 'webhook'>,
    known: Date | null,
    at: number,
  ) {
    const isKnown = known !== null && known.getTime() > now() + ABOUT_NOW_MS && known.getTime() <= at
    if (isKnown) return undefined
    const text = 'UPDATE webhook SET wake_at = $3 WHERE account_id = $1 AND id = $2'
    await tx.run(sql('webhook_wake', text, [lease.account, lease.webhook, new Date(at)]))
    return Math.max(0, at - now())
  }

  const receiverOf = (account: AccountId, webhook: string, target: WebhookTarget): Receiver => {
    const isOldGood = target.old_secret_until !== null && target.old_secret_until.getTime() > now()
    const sealed = [target.secret, ...(isOldGood && target.old_secret ? [target.old_secret] : [])]
    return { url: target.url, secrets: sealed.flatMap((one) => seal.open(one, `${account} ${webhook}`) ?? []) }
  }

  return {
    async findReceiver(tx: Transaction, account: AccountId, webhook: string): Promise<Receiver | undefined> {
      const locked = await lockWebhook(tx, account, webhook)
      return locked && receiverOf(account, webhook, locked)
    },

    async claim(tx: Transaction, account: AccountId, webhook: string): Promise<DeliveryClaim> {
      const locked = await lockWebhook(tx, account, webhook)
      if (!locked?.enabled) return {}
      const at = now()
      const { busy_until: busyUntil } = locked
      if (busyUntil !== null && busyUntil.getTime() > at) {
        const wakeInMs = await wake(tx, { account, webhook }, locked.wake_at, busyUntil.getTime())
        return wakeInMs === undefined ? {} : { wakeInMs }
      }
      const token = randomUUID()
      const text = 'UPDATE webhook SET busy_by = $3, busy_until = $4 WHERE account_id = $1 AND id = $2'
      await tx.run(sql('webhook_claim', text, [account, webhook, token, new Date(at + LEASE_MS)]))
      return { lease: { account, webhook, token } }
    },

    /**
     * Extends the lease and returns the due deliveries, without the sequences in `except`. Returns none when the lease
     * is lost, or the webhook is disabled or deleted.
     */
    async due(
      { account, webhook, token }: DeliveryLease,
      { except, limit }: { except: readonly string[]; limit: number },
    ) {
      const at = now()
      const [, found] = await db.as(account, [
        sql('webhook_extend', 'UPDATE webhook SET busy_until = $4 WHERE account_id = $1 AND id = $2 AND busy_by = $3', [
          account,
          webhook,
          token,
          new Date(at + LEASE_MS),
        ]),
        sql<Omit<Due, 'receiver'> & WebhookTarget>(
          'delivery_due',
          `SELECT e.id, e.type, e.created_at, e.data, d.attempts, coalesce(d.subject, d.event_id::text) AS sequence,
             w.url, w.secret, w.old_secret, w.old_secret_until
           FROM delivery d JOIN event e ON e.account_id = d.account_id AND e.id = d.event_id
             JOIN webhook w ON w.account_id = d.account_id AND w.id = d.webhook_id
           WHERE d.account_id = $1 AND d.webhook_id = $2 AND w.busy_by = $3 AND w.enabled
             AND d.state = 'pending' AND d.next_at <= $4 AND coalesce(d.subject, d.event_id::text) <> ALL ($5)
             AND ${IS_HEAD} AND NOT ${IS_SUSPENDED}
           ORDER BY d.next_at, d.place LIMIT $6`,
          [account, webhook, token, new Date(at), except, limit],
        ),
      ])
      return found.rows.map((row): Due => ({ ...row, receiver: receiverOf(account, webhook, row) }))
    },

    /**
     * Records the outcome of an attempt. Returns since when every attempt has failed; undefined when this one
     * succeeded.
     */
    async record(
      { account, webhook }: DeliveryLease,
      { id, attempts }: Due,
      outcome: DeliveryOutcome,
    ): Promise<Date | undefined> {
      const at = now()
      const { ok, status, error, answer, retryAfterMs = 0 } = outcome
      const pauseMs = pauseAfter(attempts + 1, { random: random(), retryAfterMs })
      const [isLast, nextAt] = [pauseMs === undefined, new Date(at + (pauseMs ?? DAY_MS))]
      const last = [account, webhook, id, attempts, new Date(at), status, error, answer]
      // The webhook before its delivery, as a deletion of the webhook locks them: in another order both would deadlock.
      if (ok) {
        await db.as(account, [
          sql(
            'webhook_well',
            `UPDATE webhook SET failing_since = NULL WHERE account_id = $1 AND id = $2 AND failing_since IS NOT NULL`,
            [account, webhook],
          ),
          sql(
            'delivery_succeed',
            `UPDATE delivery SET state = 'delivered', attempts = attempts + 1, next_at = NULL, last_at = $5,
               last_status = $6, last_error = $7, last_answer = $8
             WHERE account_id = $1 AND webhook_id = $2 AND event_id = $3 AND state = 'pending' AND attempts = $4`,
            last,
          ),
        ])
        return undefined
      }
      // After the last attempt the delivery has failed, unless the attempt disables the webhook: then it stays pending.
      const [failing] = await db.as(account, [
        sql<{ failing_since: Date }>(
          'webhook_ill',
          `UPDATE webhook SET failing_since = coalesce(failing_since, $3) WHERE account_id = $1 AND id = $2
           RETURNING failing_since`,
          [account, webhook, new Date(at)],
        ),
        sql(
          'delivery_fail',
          `UPDATE delivery d SET attempts = d.attempts + 1, last_at = $5, last_status = $6, last_error = $7,
             last_answer = $8, next_at = CASE WHEN $10 AND w.failing_since > $11 THEN NULL ELSE $9::timestamptz END,
             state = CASE WHEN $10 AND w.failing_since > $11 THEN 'failed' ELSE 'pending' END
           FROM webhook w
           WHERE d.account_id = $1 AND d.webhook_id = $2 AND d.event_id = $3 AND d.state = 'pending'
             AND d.attempts = $4 AND w.account_id = d.account_id AND w.id = d.webhook_id`,
          [...last, nextAt, isLast, new Date(at - OFF_AFTER_MS)],
        ),
      ])
      return failing.rows[0]?.failing_since
    },

    /** Releases the lease, and deletes the oldest deliveries that are too many. Returns in how many milliseconds a job must run for the rest, if none is in the queue. */
    async release(tx: Transaction, { account, webhook, token }: DeliveryLease): Promise<number | undefined> {
      const text = `UPDATE webhook SET busy_by = NULL, busy_until = NULL WHERE account_id = $1 AND id = $2 AND busy_by = $3
                    RETURNING enabled, wake_at`
      const released = await tx.run(
        sql<Pick<LockedWebhook, 'enabled' | 'wake_at'>>('webhook_release', text, [account, webhook, token]),
      )
      const [row] = released.rows
      if (row) await tx.run(trimDeliveries(account, webhook))
      // No row: another worker has taken over the lease and will check. Deliveries of a disabled webhook are not due.
      if (!row?.enabled) return undefined
      const next = await tx.run(
        sql<{ at: Date | null }>(
          'delivery_next',
          `SELECT min(d.next_at) AS at FROM delivery d
           WHERE d.account_id = $1 AND d.webhook_id = $2 AND d.state = 'pending' AND ${IS_HEAD}`,
          [account, webhook],
        ),
      )
      const at = next.rows[0]?.at
      return at ? wake(tx, { account, webhook }, row.wake_at, at.getTime()) : undefined
    },
  }
}

/** Deletes all but the newest deliveries of the webhook that have ended. */
function trimDeliveries(account: AccountId, webhook: string): Statement {
  return sql(
    'delivery_trim',
    `DELETE FROM delivery WHERE account_id = $1 AND webhook_id = $2 AND state <> 'pending' AND event_id <= (
       SELECT event_id FROM delivery WHERE account_id = $1 AND webhook_id = $2 AND state <> 'pending'
       ORDER BY event_id DESC OFFSET ${MOST_ENDED} LIMIT 1)`,
    [account, webhook],
  )
}

/** The delay after that many attempts; undefined after the last one. Never shorter than the receiver's Retry-After. */
export function pauseAfter(attempts: number, { random, retryAfterMs = 0 }: { random: number; retryAfterMs?: number }) {
  const pause = PAUSES_MS[attempts - 1]
  if (pause === undefined) return undefined
  return Math.round(Math.max(pause * (1 + JITTER * random), Math.min(retryAfterMs, MAX_MS)))
}
