/**
 * The operator's changes to an account: its limits, suspending it, resuming it. Each is committed with an entry in the
 * account's own audit log, so that its members see what happened and why.
 *
 * A suspended account keeps its data and does nothing: its credentials are refused, its batches end with a specific
 * error, its watched domains are not checked for it and its webhook deliveries wait. Once resumed, it receives the
 * missed events.
 */
import type { Accounts, PlanChange, Standing } from './accounts.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'
import type { FavoriteWatch } from '../watch/watch.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

export interface ManagePlanContext {
  readonly accounts: Pick<Accounts, 'setPlan' | 'suspend' | 'resume'>
  readonly auditLog: Pick<AuditLog, 'noting'>
}

/** Undefined when the account does not exist; so for the functions below. */
export function changeLimits(
  ctx: ManagePlanContext,
  account: AccountId,
  change: PlanChange,
): Promise<Standing | undefined> {
  const changed = Object.entries(change).flatMap(([name, limit]) => (limit === undefined ? [] : [[name, limit]]))
  const limits = changed.map(([name, limit]) => `${name}=${limit ?? 'unlimited'}`).join(' ')
  return ctx.accounts.setPlan(account, change, [note(ctx, account, 'limits_changed', { limits })])
}

export function suspendAccount(
  ctx: ManagePlanContext & { readonly watch: Pick<FavoriteWatch, 'pausing'> },
  account: AccountId,
  reason: string | null,
): Promise<Standing | undefined> {
  const detail = reason === null ? {} : { reason }
  const noted = note(ctx, account, 'account_suspended', detail)
  return ctx.accounts.suspend(account, reason, [noted, ctx.watch.pausing(account)])
}

export function resumeAccount(
  ctx: ManagePlanContext & {
    readonly webhooks: Pick<Webhooks, 'wakingAll'>
    readonly watch: Pick<FavoriteWatch, 'resuming'>
  },
  account: AccountId,
): Promise<Standing | undefined> {
  const noted = note(ctx, account, 'account_resumed', {})
  return ctx.accounts.resume(account, [noted, ctx.webhooks.wakingAll(account), ...ctx.watch.resuming(account)])
}

/** The operators' own audit log records which operator did it. */
function note(
  ctx: ManagePlanContext,
  account: AccountId,
  action: SecurityAction,
  detail: Readonly<Record<string, string>>,
): Statement {
  return ctx.auditLog.noting(account, { action, actor: null, ip: null, detail: { by: 'operator', ...detail } })
}
