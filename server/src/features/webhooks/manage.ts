/**
 * Changes to webhooks by people and programs: each is committed with an audit log entry, and with a job when a delivery
 * becomes due.
 *
 * A URL can contain a secret of its own, so the log records only its host.
 */
import { accountOf } from '../../platform/db/db.ts'
import type { Acting, Db, Statement, Transaction } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { UserId } from '../../model/member.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { AuditLog, UsedCredential } from '../../platform/audit-log/audit-log.ts'
import type { DeliveryRow, WebhookChange, WebhookRow, Webhooks, WebhookSpec } from './webhooks.ts'

export interface ManageWebhooksContext {
  readonly db: Db
  readonly jobs: Pick<Jobs, 'enqueuing'>
  readonly webhooks: Webhooks
  readonly auditLog: Pick<AuditLog, 'noting'>
}

/** The acting person, and the session, key or token they used. */
export interface Manager {
  readonly acting: Acting
  readonly actor: UserId | null
  readonly ip: string
  readonly credential: UsedCredential
}

/** A webhook with its signing secret, which is shown only once. */
export interface Made {
  readonly row: WebhookRow
  readonly secret: string
}

type Along<T> = (made: T) => readonly Statement[]
const nothing = () => []

const HOUR_MS = 3_600_000

/** Fails with invalid_request or too_many_webhooks. */
export function createWebhook(
  ctx: ManageWebhooksContext,
  by: Manager,
  spec: WebhookSpec,
  along: Along<Made> = nothing,
): Promise<Made> {
  const wanted = { ...spec, url: parseUrl(ctx, spec.url) }
  return commit(ctx, by, along, async (tx) => {
    const made = await ctx.webhooks.create(tx, accountOf(by.acting), wanted, by.actor)
    await note(ctx, tx, by, 'webhook_created', { ...detailOf(made.row), events: made.row.events.join(' ') })
    return made
  })
}

/** Fails with invalid_request or not_found. Enabling it again sends the missed events. */
export function changeWebhook(
  ctx: ManageWebhooksContext,
  by: Manager,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow> {
  const wanted = change.url === undefined ? change : { ...change, url: parseUrl(ctx, change.url) }
  return commit(ctx, by, nothing, async (tx) => {
    const row = await ctx.webhooks.change(tx, accountOf(by.acting), id, { ...wanted, by: by.actor })
    if (change.enabled) await tx.run(waking(ctx, id))
    await note(ctx, tx, by, 'webhook_changed', { ...detailOf(row), changed: Object.keys(change).join(' ') })
    return row
  })
}

/** Fails with not_found. */
export function rotateWebhook(
  ctx: ManageWebhooksContext,
  by: Manager,
  { id, graceHours }: { id: string; graceHours: number },
  along: Along<Made> = nothing,
): Promise<Made> {
  return commit(ctx, by, along, async (tx) => {
    const made = await ctx.webhooks.rotate(tx, accountOf(by.acting), id, graceHours * HOUR_MS)
    const detail = { ...detailOf(made.row), grace_hours: String(graceHours) }
    await note(ctx, tx, by, 'webhook_secret_rotated', detail)
    return made
  })
}

/** Fails with not_found. Pending deliveries are discarded. */
export async function deleteWebhook(ctx: ManageWebhooksContext, by: Manager, id: string): Promise<void> {
  await commit(ctx, by, nothing, async (tx) => {
    const { url } = await ctx.webhooks.remove(tx, accountOf(by.acting), id)
    await note(ctx, tx, by, 'webhook_deleted', detailOf({ id, url }))
  })
}

/** Fails with not_found. Sends it again from the first attempt, under the same id. */
export function replayDelivery(
  ctx: ManageWebhooksContext,
  by: Manager,
  { id, delivery }: { id: string; delivery: string },
  along: Along<DeliveryRow> = nothing,
): Promise<DeliveryRow> {
  return commit(ctx, by, along, async (tx) => {
    const row = await ctx.webhooks.replay(tx, accountOf(by.acting), id, delivery)
    await tx.run(waking(ctx, id))
    return row
  })
}

function commit<T>(
  ctx: ManageWebhooksContext,
  { acting }: Manager,
  along: Along<T>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction(acting, async (tx) => {
    const made = await work(tx)
    for (const statement of along(made)) await tx.run(statement)
    return made
  })
}

function waking(ctx: ManageWebhooksContext, webhook: string): Statement {
  return ctx.jobs.enqueuing('webhook', [{ data: { webhook } }])
}

async function note(
  ctx: ManageWebhooksContext,
  tx: Transaction,
  { acting, actor, ip, credential }: Manager,
  action: SecurityAction,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.run(ctx.auditLog.noting(accountOf(acting), { action, actor, credential, ip, detail }))
}

function detailOf({ id, url }: { id: string; url: string }) {
  return { webhook_id: id, host: new URL(url).host }
}

function parseUrl({ webhooks }: ManageWebhooksContext, text: string): string {
  const url = webhooks.findUrl(text)
  if (url === undefined)
    throw new ApiError('invalid_request', { fields: [{ pointer: '/url', code: 'url_not_allowed' }] })
  return url
}
