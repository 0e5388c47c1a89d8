/**
 * Who sends to a webhook, what is due, and how it goes on.
 *
 * At most one worker sends to a webhook at a time: the one whose token is in its row, for as long as the lease lasts,
 * which it extends as it goes. Without that, two could send two events of one subject in the wrong order.
 *
 * **Nothing is left lying.** An event is committed with a job; so when the job looks, its delivery is there.
 * - The webhook is free: the job takes it and sends.
 * - It is taken: whoever has it looks once more in the transaction that gives it back, after it has locked the row. The
 *   job locks the row too, before it looks. If it came first, its delivery was committed before the other's last look,
 *   and is seen by it. If it came second, it waited, and finds the webhook free.
 * - Whoever has it dies: so the job that finds it taken leaves another for the end of the lease.
 *
 * `wake_at` keeps those other jobs from multiplying: while one is in the queue that comes soon enough, none is added. One
 * that is due about now does not count: clocks differ, and whoever finds it named there may be that job itself, come a
 * moment early. Each job leaves one other at most, so there are never more than there were.
 */
import { randomUUID } from 'node:crypto'
import { sql } from '../db/db.ts'
import type { Db, Transaction } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import { DAY_MS, OFF_AFTER_MS, pauseAfter } from './retries.ts'
import type { Seal } from './seal.ts'
import type { EventToTell, Outcome, Receiver } from './send.ts'

export interface Lease {
  readonly account: AccountId
  readonly webhook: string
  readonly token: string
}

/** `wakeInMs`: a job must be put into the queue, in the same transaction, to come back then. */
export type Claim = { readonly lease: Lease } | { readonly lease?: undefined; readonly wakeInMs?: number }

export interface Due extends EventToTell {
  readonly attempts: number
  /** Those of the same lane go one after the other. */
  readonly lane: string
  /** As it is now: a new address or secret counts from the next attempt on. */
  readonly receiver: Receiver
}

/** Longer than any attempt, which is when it is extended at the latest. */
const LEASE_MS = 60_000
/** More than clocks differ by and a transaction waits for its locks. */
const ABOUT_NOW_MS = 20_000

interface Place {
  readonly url: string
  readonly secret: Buffer
  readonly old_secret: Buffer | null
  readonly old_secret_until: Date | null
}

interface Held extends Place {
  readonly enabled: boolean
  readonly busy_until: Date | null
  readonly wake_at: Date | null
}

// Of each subject the first, and whatever has none.
const IS_HEAD = `(d.subject IS NULL OR NOT EXISTS (
  SELECT FROM delivery b WHERE b.account_id = d.account_id AND b.webhook_id = d.webhook_id AND b.state = 'pending'
    AND b.subject = d.subject AND b.place < d.place))`

export function openLeases({ db, seal, now, random }: { db: Db; seal: Seal; now: () => number; random: () => number }) {
  /** With the row locked, so that nobody gives it back in between. */
  async function hold(tx: Transaction, account: AccountId, webhook: string): Promise<Held | undefined> {
    const text = `SELECT url, enabled, secret, old_secret, old_secret_until, busy_until, wake_at FROM webhook
                  WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE`
    return (await tx.run(sql<Held>('webhook_hold', text, [account, webhook]))).rows[0]
  }

  /** Undefined when a job is in the queue that comes early enough. */
  async function wake(tx: Transaction, lease: Pick<Lease, 'account' | 'webhook'>, known: Date | null, at: number) {
    const isKnown = known !== null && known.getTime() > now() + ABOUT_NOW_MS && known.getTime() <= at
    if (isKnown) return undefined
    const text = 'UPDATE webhook SET wake_at = $3 WHERE account_id = $1 AND id = $2'
    await tx.run(sql('webhook_wake', text, [lease.account, lease.webhook, new Date(at)]))
    return Math.max(0, at - now())
  }

  const receiverOf = (account: AccountId, webhook: string, held: Place): Receiver => {
    const isOldGood = held.old_secret_until !== null && held.old_secret_until.getTime() > now()
    const sealed = [held.secret, ...(isOldGood && held.old_secret ? [held.old_secret] : [])]
    return { url: held.url, secrets: sealed.flatMap((one) => seal.open(one, `${account} ${webhook}`) ?? []) }
  }

  return {
    async findReceiver(tx: Transaction, account: AccountId, webhook: string): Promise<Receiver | undefined> {
      const held = await hold(tx, account, webhook)
      return held && receiverOf(account, webhook, held)
    },

    async claim(tx: Transaction, account: AccountId, webhook: string): Promise<Claim> {
      const held = await hold(tx, account, webhook)
      if (!held?.enabled) return {}
      const at = now()
      const { busy_until: busyUntil } = held
      if (busyUntil !== null && busyUntil.getTime() > at) {
        const wakeInMs = await wake(tx, { account, webhook }, held.wake_at, busyUntil.getTime())
        return wakeInMs === undefined ? {} : { wakeInMs }
      }
      const token = randomUUID()
      const text = 'UPDATE webhook SET busy_by = $3, busy_until = $4 WHERE account_id = $1 AND id = $2'
      await tx.run(sql('webhook_claim', text, [account, webhook, token, new Date(at + LEASE_MS)]))
      return { lease: { account, webhook, token } }
    },

    /** Extends the lease. Nothing is due to who has lost it, or when the webhook is off or gone. */
    async due({ account, webhook, token }: Lease, { except, limit }: { except: readonly string[]; limit: number }) {
      const at = now()
      const [, found] = await db.as(account, [
        sql('webhook_extend', 'UPDATE webhook SET busy_until = $4 WHERE account_id = $1 AND id = $2 AND busy_by = $3', [
          account,
          webhook,
          token,
          new Date(at + LEASE_MS),
        ]),
        sql<Omit<Due, 'receiver'> & Place>(
          'delivery_due',
          `SELECT e.id, e.type, e.created_at, e.data, d.attempts, coalesce(d.subject, d.event_id::text) AS lane,
             w.url, w.secret, w.old_secret, w.old_secret_until
           FROM delivery d JOIN event e ON e.account_id = d.account_id AND e.id = d.event_id
             JOIN webhook w ON w.account_id = d.account_id AND w.id = d.webhook_id
           WHERE d.account_id = $1 AND d.webhook_id = $2 AND w.busy_by = $3 AND w.enabled
             AND d.state = 'pending' AND d.next_at <= $4 AND coalesce(d.subject, d.event_id::text) <> ALL ($5)
             AND ${IS_HEAD}
           ORDER BY d.next_at, d.place LIMIT $6`,
          [account, webhook, token, new Date(at), except, limit],
        ),
      ])
      return found.rows.map((row): Due => ({ ...row, receiver: receiverOf(account, webhook, row) }))
    },

    /** What became of an attempt. Answers since when nothing has been taken; undefined when this was. */
    async record({ account, webhook }: Lease, { id, attempts }: Due, outcome: Outcome): Promise<Date | undefined> {
      const at = now()
      const { ok, status, error, answer, retryAfterMs = 0 } = outcome
      const pauseMs = pauseAfter(attempts + 1, { random: random(), retryAfterMs })
      const [isLast, nextAt] = [pauseMs === undefined, new Date(at + (pauseMs ?? DAY_MS))]
      const last = [account, webhook, id, attempts, new Date(at), status, error, answer]
      if (ok) {
        await db.as(account, [
          sql(
            'delivery_succeed',
            `UPDATE delivery SET state = 'delivered', attempts = attempts + 1, next_at = NULL, last_at = $5,
               last_status = $6, last_error = $7, last_answer = $8
             WHERE account_id = $1 AND webhook_id = $2 AND event_id = $3 AND state = 'pending' AND attempts = $4`,
            last,
          ),
          sql(
            'webhook_well',
            `UPDATE webhook SET failing_since = NULL WHERE account_id = $1 AND id = $2 AND failing_since IS NOT NULL`,
            [account, webhook],
          ),
        ])
        return undefined
      }
      // The last attempt gives it up, but not at a webhook that is switched off with it: there it waits.
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

    /** Gives it back. Answers in how many milliseconds a job must come for what is left, if none is in the queue. */
    async release(tx: Transaction, { account, webhook, token }: Lease): Promise<number | undefined> {
      const text = `UPDATE webhook SET busy_by = NULL, busy_until = NULL WHERE account_id = $1 AND id = $2 AND busy_by = $3
                    RETURNING enabled, wake_at`
      const released = await tx.run(
        sql<Pick<Held, 'enabled' | 'wake_at'>>('webhook_release', text, [account, webhook, token]),
      )
      const [held] = released.rows
      // Whoever has taken it from us looks for itself; and what waits at one that is off is not due.
      if (!held?.enabled) return undefined
      const next = await tx.run(
        sql<{ at: Date | null }>(
          'delivery_next',
          `SELECT min(d.next_at) AS at FROM delivery d
           WHERE d.account_id = $1 AND d.webhook_id = $2 AND d.state = 'pending' AND ${IS_HEAD}`,
          [account, webhook],
        ),
      )
      const at = next.rows[0]?.at
      return at ? wake(tx, { account, webhook }, held.wake_at, at.getTime()) : undefined
    },
  }
}
