/**
 * The webhooks of an account: URLs, subscribed events, signing secrets, and the state of each event at each webhook. A
 * database trigger creates the deliveries in the transaction of the event (`migrations/0006_webhooks.sql`).
 *
 * A secret is shown once, when it is created. It is stored encrypted, and never appears in a log or an export. A
 * delivery is identified by the id of its event, which the receiver sees as `webhook-id`. It is hidden after thirty
 * days, and deleted a few at a time.
 */
import {
  accountOf,
  ofAccount,
  own,
  sql,
  type Acting,
  type Db,
  type Statement,
  type Transaction,
  type Window,
} from '../../platform/db/db.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import type { EventType } from '../../model/event.ts'
import { firstIdOf, makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { createSeal, type Seal } from '../../platform/seal.ts'
import { makeWebhookSecret } from '../../platform/webhook-signature.ts'
import { DAY_MS, OFF_AFTER_MS, openLeases } from './lease.ts'
import {
  deliver,
  findTarget,
  type DeliveryOutcome,
  type EventToDeliver,
  type Receiver,
  type SendDelivery,
} from './send.ts'

export type { Due, DeliveryLease as Lease } from './lease.ts'

export const OFF_REASONS = ['by_hand', 'failing', 'gone', 'creator_lost_access'] as const
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

/** All columns except the signing secrets. */
export interface WebhookRow {
  readonly id: string
  readonly created_at: Date
  readonly url: string
  readonly events: string[]
  readonly description: string | null
  readonly enabled: boolean
  readonly off_reason: (typeof OFF_REASONS)[number] | null
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

export interface DeliveryRow {
  readonly id: string
  readonly type: string
  readonly created_at: Date
  readonly state: (typeof DELIVERY_STATES)[number]
  readonly attempts: number
  readonly next_at: Date | null
  readonly last_at: Date | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
}

export interface WebhooksOptions {
  readonly db: Db
  readonly seal: Seal
  /** `host:port` of servers that the operator allows to be private and to use plain http. */
  readonly allowed: readonly string[]
  readonly send: SendDelivery
  readonly now: () => number
  readonly random?: () => number
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Enough for every system of a team; each event is sent at most this many times. */
export const MAX_WEBHOOKS = 20

const KEEP_MS = 30 * DAY_MS
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// A job comes for a due delivery within seconds; a delivery that is an hour late has no job any more.
const LATE_MS = 3_600_000

const COLUMNS = 'id, created_at, url, events, description, enabled, off_reason, off_at, failing_since, old_secret_until'
const DELIVERIES = `SELECT d.event_id AS id, e.type, e.created_at, d.state, d.attempts, d.next_at, d.last_at,
    d.last_status, d.last_error, d.last_answer
  FROM delivery d JOIN event e ON e.account_id = d.account_id AND e.id = d.event_id
  WHERE d.account_id = $1 AND d.webhook_id = $2`

const firstShownAt = (at: number) => firstIdOf(at - KEEP_MS)

export const webhookWith = (id: string) =>
  own<WebhookRow>('webhook_find', `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 AND id = $2`, [id])

export function deliveriesOf(id: string, { limit, before = AFTER_ALL }: Window, at: number) {
  const text = `${DELIVERIES} AND d.event_id < $3 AND d.event_id >= $4 ORDER BY d.event_id DESC LIMIT $5`
  return own<DeliveryRow>('delivery_list', text, [id, before, firstShownAt(at), limit + 1])
}

export function openWebhooks({ db, seal, allowed, send, now, random = Math.random }: WebhooksOptions) {
  const places = new Set(allowed)
  const sending = { send, allowed: places, now }
  const outcomes = { delivered: 0, failed: 0 }
  const firstShown = () => firstShownAt(now())

  const findDelivery = async (tx: Transaction, account: AccountId, webhook: string, event: string) => {
    const text = `${DELIVERIES} AND d.event_id = $3 AND d.event_id >= $4`
    return parseFound(await tx.run(sql<DeliveryRow>('delivery_find', text, [account, webhook, event, firstShown()])))
  }

  return {
    ...openLeases({ db, seal, now, random }),

    /** The URL as it will be called; undefined when it is not allowed. */
    findUrl: (text: string): string | undefined => findTarget(text, places)?.href,

    async list(acting: Acting): Promise<readonly WebhookRow[]> {
      const text = `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 ORDER BY id`
      const [found] = await db.read(acting, [sql<WebhookRow>('webhook_list', text, [accountOf(acting)])])
      return found.rows
    },

    async find(acting: Acting, id: string): Promise<WebhookRow | undefined> {
      const [found] = await db.read(acting, [ofAccount(accountOf(acting), webhookWith(id))])
      return found.rows[0]
    },

    /** Fails with too_many_webhooks. */
    async create(
      tx: Transaction,
      account: AccountId,
      { url, events, description }: WebhookSpec,
      createdBy: UserId | null,
    ): Promise<{ row: WebhookRow; secret: string }> {
      const at = now()
      const [id, secret] = [makeId(at), makeWebhookSecret()]
      // Creations wait for each other, so that the count is right.
      await tx.run(sql('webhook_count_lock', 'SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [account]))
      const text = `INSERT INTO webhook (account_id, id, created_at, url, events, description, secret, created_by)
        SELECT $1, $2, $3, $4, $5, $6, $7, $9
        WHERE (SELECT count(*) FROM webhook WHERE account_id = $1) < $8::int RETURNING ${COLUMNS}`
      const sealed = seal.close(secret, `${account} ${id}`)
      const values = [account, id, new Date(at), url, events, description, sealed, MAX_WEBHOOKS, createdBy]
      const [row] = (await tx.run(sql<WebhookRow>('webhook_insert', text, values))).rows
      if (!row) throw new ApiError('too_many_webhooks', { params: { limit: MAX_WEBHOOKS } })
      return { row, secret }
    },

    /**
     * Fails with not_found. Enabling a webhook clears its failure record, makes its waiting deliveries due at once and
     * counts their attempts anew; an enabled one keeps its record. A person who enables a webhook whose creator lost
     * access becomes its creator.
     */
    async change(
      tx: Transaction,
      account: AccountId,
      id: string,
      { url, events, description, enabled, by }: WebhookChange & { by: UserId | null },
    ): Promise<WebhookRow> {
      const at = new Date(now())
      const text = `UPDATE webhook SET url = coalesce($3, url), events = coalesce($4, events),
          description = CASE WHEN $5 THEN $6 ELSE description END, enabled = coalesce($7, enabled),
          off_reason = CASE WHEN $7 THEN NULL WHEN NOT $7 AND enabled THEN 'by_hand' ELSE off_reason END,
          off_at = CASE WHEN $7 THEN NULL WHEN NOT $7 AND enabled THEN $8::timestamptz ELSE off_at END,
          failing_since = CASE WHEN $7 AND NOT enabled THEN NULL ELSE failing_since END,
          created_by = CASE WHEN $7 AND off_reason = 'creator_lost_access' THEN $9 ELSE created_by END
        WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`
      const values = [account, id, url, events, description !== undefined, description, enabled, at, by]
      const row = parseFound(await tx.run(sql<WebhookRow>('webhook_change', text, values)))
      if (enabled) {
        const resumed = `UPDATE delivery SET next_at = $3, attempts = 0
          WHERE account_id = $1 AND webhook_id = $2 AND state = 'pending'`
        await tx.run(sql('delivery_resume', resumed, [account, id, at]))
      }
      return row
    },

    /** Fails with not_found. The previous secret also signs for `graceMs`; one from before it ends. */
    async rotate(tx: Transaction, account: AccountId, id: string, graceMs: number) {
      const secret = makeWebhookSecret()
      const text = `UPDATE webhook SET old_secret = CASE WHEN $4::timestamptz IS NULL THEN NULL ELSE secret END,
          old_secret_until = $4, secret = $3
        WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`
      const until = graceMs > 0 ? new Date(now() + graceMs) : null
      const values = [account, id, seal.close(secret, `${account} ${id}`), until]
      return { row: parseFound(await tx.run(sql<WebhookRow>('webhook_rotate', text, values))), secret }
    },

    /** Fails with not_found. */
    async remove(tx: Transaction, account: AccountId, id: string): Promise<{ url: string }> {
      const text = 'DELETE FROM webhook WHERE account_id = $1 AND id = $2 RETURNING url'
      return parseFound(await tx.run(sql<{ url: string }>('webhook_remove', text, [account, id])))
    },

    /** Undefined when it was already disabled, or succeeded meanwhile. */
    async switchOff(tx: Transaction, account: AccountId, id: string, reason: 'failing' | 'gone') {
      const text = `UPDATE webhook SET enabled = false, off_reason = $3, off_at = $4
        WHERE account_id = $1 AND id = $2 AND enabled AND (failing_since <= $5 OR $3 = 'gone') RETURNING url`
      const at = now()
      const values = [account, id, reason, new Date(at), new Date(at - OFF_AFTER_MS)]
      return (await tx.run(sql<{ url: string }>('webhook_switch_off', text, values))).rows[0]
    },

    /**
     * Call when their creator may no longer manage the account. `known`: webhooks created before their creator was
     * recorded. Returns those that were enabled.
     */
    async disableCreatedBy(tx: Transaction, account: AccountId, creator: UserId, known: readonly string[]) {
      const text = `UPDATE webhook SET enabled = false, off_reason = 'creator_lost_access', off_at = $4
        WHERE account_id = $1 AND enabled AND (created_by = $2 OR created_by IS NULL AND id::text = ANY ($3))
        RETURNING id, url`
      const values = [account, creator, known, new Date(now())]
      return (await tx.run(sql<{ id: string; url: string }>('webhook_disable_created_by', text, values))).rows
    },

    /** For a person who is deleted: removes them as the creator. */
    forgetCreator(account: AccountId, creator: UserId): Statement {
      const text = 'UPDATE webhook SET created_by = NULL WHERE account_id = $1 AND created_by = $2'
      return sql('webhook_forget_creator', text, [account, creator])
    },

    /** Whether it has failed for long enough to be disabled. */
    isHopeless: (failingSince: Date): boolean => failingSince.getTime() <= now() - OFF_AFTER_MS,

    /** Newest first, and one row more than `limit` when there is a next page. */
    async listDeliveries(acting: Acting, id: string, window: Window): Promise<readonly DeliveryRow[]> {
      return (await db.read(acting, [ofAccount(accountOf(acting), deliveriesOf(id, window, now()))]))[0].rows
    },

    /** Fails with not_found. Starts the delivery again from the first attempt, whatever its state. */
    async replay(tx: Transaction, account: AccountId, id: string, delivery: string): Promise<DeliveryRow> {
      const text = `UPDATE delivery SET state = 'pending', attempts = 0, next_at = $4
        WHERE account_id = $1 AND webhook_id = $2 AND event_id = $3 AND event_id >= $5`
      await tx.run(sql('delivery_replay', text, [account, id, delivery, new Date(now()), firstShown()]))
      return findDelivery(tx, account, id, delivery)
    },

    async tell(receiver: Receiver, event: EventToDeliver, signal: AbortSignal) {
      const outcome = await deliver(sending, receiver, event, signal)
      if (outcome) outcomes[outcome.ok ? 'delivered' : 'failed']++
      return outcome
    },

    /** Number of attempts by outcome since the start of this process. */
    outcomes: (): Readonly<Record<'delivered' | 'failed', number>> => outcomes,

    /** Inserts a test event with its outcome: a test is sent before anything is written. */
    async addTest(tx: Transaction, account: AccountId, id: string, event: EventToDeliver, outcome: DeliveryOutcome) {
      const text = `WITH told AS (
          INSERT INTO event (account_id, id, created_at, type, once, data) VALUES ($1, $3, $4, $5, $6, $7))
        INSERT INTO delivery (account_id, webhook_id, event_id, state, attempts, last_at, last_status, last_error, last_answer)
        VALUES ($1, $2, $3, $8, 1, $4, $9, $10, $11)`
      const { ok, status, error, answer } = outcome
      const told = [event.id, event.created_at, event.type, `test:${event.id}`, event.data]
      const values = [account, id, ...told, ok ? 'delivered' : 'failed', status, error, answer]
      await tx.run(sql('delivery_test', text, values))
      return findDelivery(tx, account, id, event.id)
    },

    /** Deletes at most `limit` deliveries older than thirty days; `count` says how many. */
    expiring(account: AccountId, limit: number): Statement {
      const text = `DELETE FROM delivery WHERE account_id = $1 AND (webhook_id, event_id) IN (
          SELECT webhook_id, event_id FROM delivery WHERE account_id = $1 AND event_id < $2
          ORDER BY event_id LIMIT $3)`
      return sql('delivery_expire', text, [account, firstShown(), limit])
    },

    wakingAll: wakeAll,

    /** Enqueues a job for each webhook whose due deliveries have no job left, because the last one died. */
    wakingForgotten(account: AccountId): Statement {
      const text = `SELECT enqueue_jobs('webhook', jsonb_agg(jsonb_build_object('data', jsonb_build_object('webhook', id))))
        FROM webhook w WHERE w.account_id = $1 AND enabled AND EXISTS (
          SELECT FROM delivery d WHERE d.account_id = $1 AND d.webhook_id = w.id AND d.state = 'pending' AND d.next_at < $2)
        HAVING count(*) > 0`
      return sql('webhook_wake_forgotten', text, [account, new Date(now() - LATE_MS)])
    },

    forgetting: (account: AccountId): Statement[] => [
      sql('delivery_forget', 'DELETE FROM delivery WHERE account_id = $1', [account]),
      sql('webhook_forget', 'DELETE FROM webhook WHERE account_id = $1', [account]),
    ],

    exporting(acting: Acting): Exported {
      const account = accountOf(acting)
      const webhooks = `SELECT ${COLUMNS}, created_by FROM webhook WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
      const deliveries = `SELECT webhook_id, event_id, place, subject, state, attempts, next_at, last_at, last_status,
          last_error, last_answer
        FROM delivery WHERE account_id = $1 AND (webhook_id, event_id) > ($2, $3) ORDER BY webhook_id, event_id LIMIT $4`
      return {
        webhooks: walk<WebhookRow>(db, acting, (last, limit) =>
          sql('webhook_export', webhooks, [account, last?.id ?? BEFORE_ALL, limit]),
        ),
        deliveries: walk<{ webhook_id: string; event_id: string }>(db, acting, (last, limit) => {
          const after = [last?.webhook_id ?? BEFORE_ALL, last?.event_id ?? BEFORE_ALL]
          return sql('delivery_export', deliveries, [account, ...after, limit])
        }),
      }
    },
  }
}

/** Enqueues a job for each webhook that has pending deliveries. */
export function wakeAll(account: AccountId): Statement {
  const text = `SELECT enqueue_jobs('webhook', jsonb_agg(jsonb_build_object('data', jsonb_build_object('webhook', id))))
    FROM webhook w WHERE w.account_id = $1 AND enabled AND EXISTS (
      SELECT FROM delivery d WHERE d.account_id = $1 AND d.webhook_id = w.id AND d.state = 'pending')
    HAVING count(*) > 0`
  return sql('webhook_wake_all', text, [account])
}

/**
 * After a rotation of NAMEWRIGHT_SECRET: returns how many webhooks were not under the first secret. Locks the rows, so that a concurrent rotation of a
 * webhook's own secret is not overwritten.
 */
export function reencryptWebhooks(db: Db, account: AccountId, secrets: readonly string[]): Promise<number> {
  const seal = createSeal(secrets)
  return db.transaction(account, async (tx) => {
    const text = 'SELECT id, secret, old_secret FROM webhook WHERE account_id = $1 FOR NO KEY UPDATE'
    const { rows } = await tx.run(
      sql<{ id: string; secret: Buffer; old_secret: Buffer | null }>('webhook_sealed', text, [account]),
    )
    let changed = 0
    for (const { id, secret, old_secret } of rows) {
      const place = `${account} ${id}`
      const renewed = seal.renew(secret, place)
      const renewedOld = old_secret && seal.renew(old_secret, place)
      if (!renewed && !renewedOld) continue
      const change = 'UPDATE webhook SET secret = $3, old_secret = $4 WHERE account_id = $1 AND id = $2'
      await tx.run(sql('webhook_reseal', change, [account, id, renewed ?? secret, renewedOld ?? old_secret]))
      changed++
    }
    return changed
  })
}

function parseFound<Row>({ rows: [row] }: { rows: readonly Row[] }): Row {
  if (!row) throw new ApiError('not_found')
  return row
}
