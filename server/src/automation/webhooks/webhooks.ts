/**
 * The webhooks of an account: URLs, subscribed events, signing secrets and delivery state. A database trigger creates
 * the deliveries in the transaction of the event (`migrations/0006_webhooks.sql`).
 *
 * A secret is shown once, when it is created. It is stored encrypted, and never appears in a log or an export.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement, Transaction } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import { ApiError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import {
  expireDeliveries,
  findDelivery,
  insertTest,
  listDeliveries,
  replayDelivery,
  wakeAll,
  wakeForgotten,
} from './deliveries.ts'
import type { DeliveryRow } from './deliveries.ts'
import { openLeases } from './lease.ts'
import { OFF_AFTER_MS } from './retries.ts'
import {
  changeWebhook,
  COLUMNS,
  disableCreatedBy,
  findWebhook,
  forgetCreator,
  insertWebhook,
  listWebhooks,
  lockAccount,
  removeWebhook,
  resumeDeliveries,
  rotateSecret,
  switchOff,
} from './rows.ts'
import type { WebhookChange, WebhookRow, WebhookSpec } from './rows.ts'
import { createSeal } from './seal.ts'
import { deliver } from './send.ts'
import type { EventToDeliver, DeliveryOutcome, Receiver, SendDelivery } from './send.ts'
import { makeWebhookSecret } from './signature.ts'
import { findTarget } from './target.ts'

export { DELIVERY_STATES } from './deliveries.ts'
export type { DeliveryRow } from './deliveries.ts'
export type { Due, DeliveryLease as Lease } from './lease.ts'
export { OFF_REASONS } from './rows.ts'
export type { OffReason, WebhookChange, WebhookRow, WebhookSpec } from './rows.ts'
export { URL_MAX } from './target.ts'

export interface WebhooksOptions {
  readonly db: Db
  /** NAMEWRIGHT_SECRET, followed by the other accepted secrets. */
  readonly secrets: readonly string[]
  /** `host:port` of servers that the operator allows to be private and to use plain http. */
  readonly allowed: readonly string[]
  readonly send: SendDelivery
  readonly now: () => number
  readonly random?: () => number
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Enough for every system of a team; each event is sent at most this many times. */
export const MAX_WEBHOOKS = 20

export function openWebhooks({ db, secrets, allowed, send, now, random = Math.random }: WebhooksOptions) {
  const seal = createSeal(secrets)
  const places = new Set(allowed)
  const sending = { send, allowed: places, now }
  const outcomes = { delivered: 0, failed: 0 }

  return {
    ...openLeases({ db, seal, now, random }),

    /** The URL as it will be called; undefined when it is not allowed. */
    findUrl: (text: string): string | undefined => findTarget(text, places)?.href,

    /** For other values that must be stored encrypted. */
    seal,

    async list(acting: Acting): Promise<readonly WebhookRow[]> {
      const [found] = await db.read(acting, [listWebhooks(accountOf(acting))])
      return found.rows
    },

    async find(acting: Acting, id: string): Promise<WebhookRow | undefined> {
      const [found] = await db.read(acting, [findWebhook(accountOf(acting), id)])
      return found.rows[0]
    },

    /** Fails with too_many_webhooks. */
    async create(
      tx: Transaction,
      account: AccountId,
      spec: WebhookSpec,
      createdBy: UserId | null,
    ): Promise<{ row: WebhookRow; secret: string }> {
      const at = now()
      const [id, made] = [makeId(at), makeWebhookSecret()]
      await tx.run(lockAccount(account))
      const sealed = seal.close(made, `${account} ${id}`)
      const values = { id, at: new Date(at), spec, secret: sealed, most: MAX_WEBHOOKS, createdBy }
      const [row] = (await tx.run(insertWebhook(account, values))).rows
      if (!row) throw new ApiError('too_many_webhooks', { params: { limit: MAX_WEBHOOKS } })
      return { row, secret: made }
    },

    /** Fails with not_found. Enabling it makes its waiting deliveries due at once. */
    async change(
      tx: Transaction,
      account: AccountId,
      id: string,
      { by, ...change }: WebhookChange & { by: UserId | null },
    ): Promise<WebhookRow> {
      const at = new Date(now())
      const row = parseFound(await tx.run(changeWebhook(account, id, change, { at, by })))
      if (change.enabled) await tx.run(resumeDeliveries(account, id, at))
      return row
    },

    /** Fails with not_found. The previous secret also signs for `graceMs`. */
    async rotate(tx: Transaction, account: AccountId, id: string, graceMs: number) {
      const made = makeWebhookSecret()
      const until = graceMs > 0 ? new Date(now() + graceMs) : null
      const sealed = seal.close(made, `${account} ${id}`)
      return { row: parseFound(await tx.run(rotateSecret(account, id, { secret: sealed, until }))), secret: made }
    },

    /** Fails with not_found. */
    async remove(tx: Transaction, account: AccountId, id: string): Promise<{ url: string }> {
      return parseFound(await tx.run(removeWebhook(account, id)))
    },

    /** Undefined when it was already disabled, or succeeded meanwhile. */
    async switchOff(tx: Transaction, account: AccountId, id: string, reason: 'failing' | 'gone') {
      const at = now()
      const failingSince = new Date(at - OFF_AFTER_MS)
      const off = await tx.run(switchOff(account, id, { reason, at: new Date(at), failingSince }))
      return off.rows[0]
    },

    /** Call when their creator may no longer manage the account. Returns those that were enabled. */
    async disableCreatedBy(tx: Transaction, account: AccountId, creator: UserId, known: readonly string[]) {
      return (await tx.run(disableCreatedBy(account, creator, { known, at: new Date(now()) }))).rows
    },

    forgetCreator,

    /** Whether it has failed for long enough to be disabled. */
    isHopeless: (failingSince: Date): boolean => failingSince.getTime() <= now() - OFF_AFTER_MS,

    async listDeliveries(acting: Acting, id: string, page: { limit: number; before?: string }) {
      const [rows] = await db.read(acting, [listDeliveries(accountOf(acting), id, { ...page, now: now() })])
      return rows.rows
    },

    /** Fails with not_found. */
    async replay(tx: Transaction, account: AccountId, id: string, delivery: string): Promise<DeliveryRow> {
      await tx.run(replayDelivery(account, id, delivery, now()))
      return parseFound(await tx.run(findDelivery(account, id, delivery, now())))
    },

    async tell(receiver: Receiver, event: EventToDeliver, signal: AbortSignal) {
      const outcome = await deliver(sending, receiver, event, signal)
      if (outcome) outcomes[outcome.ok ? 'delivered' : 'failed']++
      return outcome
    },

    /** Number of attempts by outcome since the start of this process. */
    outcomes: (): Readonly<Record<'delivered' | 'failed', number>> => outcomes,

    async addTest(tx: Transaction, account: AccountId, id: string, event: EventToDeliver, outcome: DeliveryOutcome) {
      await tx.run(insertTest(account, id, event, outcome))
      return parseFound(await tx.run(findDelivery(account, id, event.id, now())))
    },

    /** Deletes at most `limit` expired deliveries; `count` says how many. */
    expiring: (account: AccountId, limit: number): Statement => expireDeliveries(account, now(), limit),

    /** Enqueues a job for each webhook that has due deliveries without one. */
    wakingAll: (account: AccountId): Statement => wakeAll(account),

    wakingForgotten: (account: AccountId): Statement => wakeForgotten(account, now()),

    forgetting: (account: AccountId): Statement[] => [
      sql('delivery_forget', 'DELETE FROM delivery WHERE account_id = $1', [account]),
      sql('webhook_forget', 'DELETE FROM webhook WHERE account_id = $1', [account]),
    ],

    exporting: (acting: Acting): Exported => ({
      webhooks: everyWebhook(db, acting),
      deliveries: everyDelivery(db, acting),
    }),
  }
}

function parseFound<Row>({ rows: [row] }: { rows: readonly Row[] }): Row {
  if (!row) throw new ApiError('not_found')
  return row
}

function everyWebhook(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT ${COLUMNS}, created_by FROM webhook WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  return walk<WebhookRow>(db, acting, (last, limit) =>
    sql('webhook_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
}

interface Exporting {
  readonly webhook_id: string
  readonly event_id: string
}

function everyDelivery(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT webhook_id, event_id, place, subject, state, attempts, next_at, last_at, last_status, last_error,
      last_answer
    FROM delivery WHERE account_id = $1 AND (webhook_id, event_id) > ($2, $3) ORDER BY webhook_id, event_id LIMIT $4`
  return walk<Exporting>(db, acting, (last, limit) =>
    sql('delivery_export', text, [
      accountOf(acting),
      last?.webhook_id ?? BEFORE_ALL,
      last?.event_id ?? BEFORE_ALL,
      limit,
    ]),
  )
}
