/**
 * Changes to webhooks by people and programs, in a transaction of the caller: each has an audit log entry, and a job when
 * a delivery becomes due.
 *
 * A URL can contain a secret of its own, so the log records only its host.
 */
import type { Context } from '../../context.ts'
import { requireWithin } from '../../http/within-limits.ts'
import type { AccountId } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import type { UserId } from '../../model/member.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { UsedCredential } from '../../platform/audit-log/audit-log.ts'
import type { Statement, Transaction } from '../../platform/db/db.ts'
import type { DeliveryRow, WebhookChange, WebhookRow, Webhooks, WebhookSpec } from './webhooks.ts'

interface ManageWebhooksContext {
  readonly jobs: Pick<Context['jobs'], 'enqueuing'>
  readonly webhooks: Webhooks
  readonly auditLog: Pick<Context['auditLog'], 'noting'>
}

/** The acting person, and the session, key or token they used. */
export interface Manager {
  readonly account: AccountId
  readonly actor: UserId | null
  readonly ip: string | null
  readonly credential: UsedCredential
}

/** A webhook with its signing secret, which is shown only once. */
export interface Made {
  readonly row: WebhookRow
  readonly secret: string
}

const HOUR_MS = 3_600_000

// Each change is an entry of the audit log, which is kept for 90 days, and an event for each webhook that wants it.
const CHANGES = { name: 'webhook-change', perHour: 60, burst: 60 }
// Somebody who sets up a webhook sends a few test deliveries.
const TESTS = { name: 'webhook-test', perHour: 60, burst: 10 }

/** Fails with rate_limited. Counts per account, whichever member or webhook it is. */
export const requireFewChanges = (ctx: Context, account: AccountId) =>
  requireWithin(ctx, [{ ...CHANGES, subject: account }])

/** The same for test deliveries. */
export const requireFewTests = (ctx: Context, account: AccountId) =>
  requireWithin(ctx, [{ ...TESTS, subject: account }])

/** Fails with invalid_request or too_many_webhooks. */
export async function createWebhook(
  ctx: ManageWebhooksContext,
  tx: Transaction,
  by: Manager,
  spec: WebhookSpec,
): Promise<Made> {
  const wanted = { ...spec, url: parseUrl(ctx, spec.url) }
  const made = await ctx.webhooks.create(tx, by.account, wanted, by.actor)
  await tx.run(note(ctx, by, 'webhook_created', { ...detailOf(made.row), events: made.row.events.join(' ') }))
  return made
}

/** Fails with invalid_request or not_found. Enabling it again sends the missed events. */
export async function changeWebhook(
  ctx: ManageWebhooksContext,
  tx: Transaction,
  by: Manager,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow> {
  const wanted = change.url === undefined ? change : { ...change, url: parseUrl(ctx, change.url) }
  const row = await ctx.webhooks.change(tx, by.account, id, { ...wanted, by: by.actor })
  if (change.enabled) await tx.run(waking(ctx, id))
  await tx.run(note(ctx, by, 'webhook_changed', { ...detailOf(row), changed: Object.keys(change).join(' ') }))
  return row
}

/** Fails with not_found. */
export async function rotateWebhook(
  ctx: ManageWebhooksContext,
  tx: Transaction,
  by: Manager,
  { id, graceHours }: { id: string; graceHours: number },
): Promise<Made> {
  const made = await ctx.webhooks.rotate(tx, by.account, id, graceHours * HOUR_MS)
  const detail = { ...detailOf(made.row), grace_hours: String(graceHours) }
  await tx.run(note(ctx, by, 'webhook_secret_rotated', detail))
  return made
}

/** Fails with not_found. Pending deliveries are discarded. */
export async function deleteWebhook(
  ctx: ManageWebhooksContext,
  tx: Transaction,
  by: Manager,
  id: string,
): Promise<void> {
  const { url } = await ctx.webhooks.remove(tx, by.account, id)
  await tx.run(note(ctx, by, 'webhook_deleted', detailOf({ id, url })))
}

/** Fails with not_found. Sends it again from the first attempt, under the same id. */
export async function replayDelivery(
  ctx: Pick<ManageWebhooksContext, 'jobs' | 'webhooks'>,
  tx: Transaction,
  account: AccountId,
  { id, delivery }: { id: string; delivery: string },
): Promise<DeliveryRow> {
  const row = await ctx.webhooks.replay(tx, account, id, delivery)
  await tx.run(waking(ctx, id))
  return row
}

function waking({ jobs }: Pick<ManageWebhooksContext, 'jobs'>, webhook: string): Statement {
  return jobs.enqueuing('webhook', [{ data: { webhook } }])
}

function note(
  { auditLog }: ManageWebhooksContext,
  { account, actor, ip, credential }: Manager,
  action: SecurityAction,
  detail: Readonly<Record<string, string>>,
): Statement {
  return auditLog.noting(account, { action, actor, credential, ip, detail })
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
