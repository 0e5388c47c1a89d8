/**
 * Where an account wants its events told: addresses, what each wants to hear, what it signs with, and how the telling
 * goes. Deliveries come about in the database, by a trigger, in the transaction of the event
 * (`migrations/0006_webhooks.sql`).
 *
 * A secret is shown when it is made and never again; it lies encrypted in the database, and no log and no export has it.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement, Transaction } from '../db/db.ts'
import { BEFORE_ALL, walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'
import { makeId } from '../model/id.ts'
import {
  expireDeliveries,
  findDelivery,
  insertTest,
  listDeliveries,
  replayDelivery,
  wakeForgotten,
} from './deliveries.ts'
import type { DeliveryRow } from './deliveries.ts'
import { openLeases } from './lease.ts'
import { OFF_AFTER_MS } from './retries.ts'
import {
  changeWebhook,
  COLUMNS,
  findWebhook,
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
import { tell } from './send.ts'
import type { EventToTell, Outcome, Receiver, Send } from './send.ts'
import { makeWebhookSecret } from './signature.ts'
import { findTarget } from './target.ts'

export { DELIVERY_STATES } from './deliveries.ts'
export type { DeliveryRow } from './deliveries.ts'
export type { Due, Lease } from './lease.ts'
export type { OffReason, WebhookChange, WebhookRow, WebhookSpec } from './rows.ts'
export { URL_MAX } from './target.ts'

export interface WebhooksOptions {
  readonly db: Db
  /** NAMEWRIGHT_SECRET */
  readonly secret: string
  /** `host:port` of servers that may be private and speak plain http, by the operator's word. */
  readonly allowed: readonly string[]
  readonly send: Send
  readonly now: () => number
  readonly random?: () => number
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Enough for every system of a team; each event is sent that many times at most. */
export const MOST_WEBHOOKS = 20

export function openWebhooks({ db, secret, allowed, send, now, random = Math.random }: WebhooksOptions) {
  const seal = createSeal(secret)
  const places = new Set(allowed)
  const sending = { send, allowed: places, now }
  const outcomes = { delivered: 0, failed: 0 }

  return {
    ...openLeases({ db, seal, now, random }),

    /** The address as it will be called; undefined when it may not be. */
    findUrl: (text: string): string | undefined => findTarget(text, places)?.href,

    /** For what may be stored only where nobody can read it. */
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
    async create(tx: Transaction, account: AccountId, spec: WebhookSpec): Promise<{ row: WebhookRow; secret: string }> {
      const at = now()
      const [id, made] = [makeId(at), makeWebhookSecret()]
      await tx.run(lockAccount(account))
      const sealed = seal.close(made, `${account} ${id}`)
      const values = { id, at: new Date(at), spec, secret: sealed, most: MOST_WEBHOOKS }
      const [row] = (await tx.run(insertWebhook(account, values))).rows
      if (!row) throw new ApiError('too_many_webhooks', { params: { limit: MOST_WEBHOOKS } })
      return { row, secret: made }
    },

    /** Fails with not_found. Switched on, what has waited is due at once. */
    async change(tx: Transaction, account: AccountId, id: string, change: WebhookChange): Promise<WebhookRow> {
      const at = new Date(now())
      const row = parseFound(await tx.run(changeWebhook(account, id, change, at)))
      if (change.enabled) await tx.run(resumeDeliveries(account, id, at))
      return row
    },

    /** Fails with not_found. The secret before signs for so long, too. */
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

    /** Undefined when it was off already, or has taken something meanwhile. */
    async switchOff(tx: Transaction, account: AccountId, id: string, reason: 'failing' | 'gone') {
      const at = now()
      const failingSince = new Date(at - OFF_AFTER_MS)
      const off = await tx.run(switchOff(account, id, { reason, at: new Date(at), failingSince }))
      return off.rows[0]
    },

    /** Is that long enough without a success for it to be switched off? */
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

    async tell(receiver: Receiver, event: EventToTell, signal: AbortSignal) {
      const outcome = await tell(sending, receiver, event, signal)
      if (outcome) outcomes[outcome.ok ? 'delivered' : 'failed']++
      return outcome
    },

    /** How many attempts came to which end since the start of this process. */
    outcomes: (): Readonly<Record<'delivered' | 'failed', number>> => outcomes,

    async addTest(tx: Transaction, account: AccountId, id: string, event: EventToTell, outcome: Outcome) {
      await tx.run(insertTest(account, id, event, outcome))
      return parseFound(await tx.run(findDelivery(account, id, event.id, now())))
    },

    /** What is past its time, so many at most; `count` says how many went. */
    expiring: (account: AccountId, limit: number): Statement => expireDeliveries(account, now(), limit),

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
  const text = `SELECT ${COLUMNS} FROM webhook WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
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
