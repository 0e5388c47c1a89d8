/**
 * Plans: the limits that the operator sets for an account, and whether the account is suspended.
 *
 * Nodes cache a plan together with the account's keys, so each change here invalidates those keys on every node within
 * a second (`features/keys/resolve-credential.ts`). The limits on names are not cached: a block lease reads them under the
 * lock (`features/quota/block.ts`). The database itself counts keys, applications, webhooks and batches
 * (`migrations/0017_plans.sql`).
 */
import { accountOf, sql, sqlStateOf, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import { PLAN_COLUMNS, planOf, rowOf, type Plan, type PlanRow } from '../../model/plan.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'
import type { Context } from '../../context.ts'

export interface Suspension {
  readonly at: Date
  /** The operator's message to the members of the account. */
  readonly reason: string | null
}

/** The plan and suspension state of an account. */
export interface Standing {
  readonly plan: Plan
  readonly suspension: Suspension | undefined
}

type StandingRow = PlanRow & { readonly suspended_at: Date | null; readonly suspended_reason: string | null }

export type PlanChange = { readonly [Column in keyof PlanRow]?: number | null | undefined }

export interface Plans {
  standingOf(acting: Acting): Promise<Standing>
  /** For the operator: several accounts at once. Accounts without a plan are left out. */
  listStandings(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, Standing>>
  /** Commit together with a new account. */
  planning(account: AccountId, plan: Plan): Statement
  /** Absent fields stay unchanged. Returns undefined when the account does not exist; so do the methods below. */
  setPlan(account: AccountId, change: PlanChange, along?: readonly Statement[]): Promise<Standing | undefined>
  suspend(account: AccountId, reason: string | null, along?: readonly Statement[]): Promise<Standing | undefined>
  resume(account: AccountId, along?: readonly Statement[]): Promise<Standing | undefined>
}

const COLUMNS = `${PLAN_COLUMNS.join(', ')}, suspended_at, suspended_reason`
const FOREIGN_KEY_VIOLATION = '23503'

export function createPlans(options: {
  db: Db
  now: () => number
  noteKeys: (account: AccountId) => Statement
}): Plans {
  const { db, now, noteKeys } = options

  async function write(change: Statement<StandingRow>, account: AccountId, along: readonly Statement[]) {
    try {
      const [changed] = await db.as(account, [change, noteKeys(account), ...along])
      return changed.rows[0] && standingOf(changed.rows[0])
    } catch (error) {
      if (sqlStateOf(error) === FOREIGN_KEY_VIOLATION) return undefined
      throw error
    }
  }

  return {
    async standingOf(acting) {
      const text = `SELECT ${COLUMNS} FROM account_plan WHERE account_id = $1`
      const [found] = await db.as(acting, [sql<StandingRow>('plan_find', text, [accountOf(acting)])])
      return standingOf(found.rows[0])
    },

    async listStandings(accounts) {
      const { rows } = await db.lookup(
        sql<StandingRow & { account_id: AccountId }>('plan_list', 'SELECT * FROM account_plans($1::uuid[])', [
          accounts,
        ]),
      )
      return new Map(rows.map((row) => [row.account_id, standingOf(row)]))
    },

    planning: (account, plan) => insertPlan(account, plan),
    setPlan: (account, change, along = []) => write(changePlan(account, change), account, along),
    suspend: (account, reason, along = []) => write(suspending(account, reason, new Date(now())), account, along),
    resume: (account, along = []) => write(resuming(account), account, along),
  }
}

function standingOf(row: StandingRow | undefined): Standing {
  const { suspended_at: at = null, suspended_reason: reason = null } = row ?? {}
  return { plan: planOf(row ?? {}), suspension: at === null ? undefined : { at, reason } }
}

function insertPlan(account: AccountId, plan: Plan): Statement {
  const row = rowOf(plan)
  return sql(
    'plan_insert',
    `INSERT INTO account_plan (account_id, ${PLAN_COLUMNS.join(', ')})
     VALUES ($1, ${PLAN_COLUMNS.map((_, i) => `$${i + 2}`).join(', ')})`,
    [account, ...PLAN_COLUMNS.map((column) => row[column])],
  )
}

/** Values come in pairs: whether a limit changes, and its new value. */
function changePlan(account: AccountId, change: PlanChange): Statement<StandingRow> {
  const values = PLAN_COLUMNS.flatMap((column) => [change[column] !== undefined, change[column] ?? null])
  const wanted = PLAN_COLUMNS.map((_, i) => `$${i * 2 + 3}::bigint`).join(', ')
  const changes = PLAN_COLUMNS.map(
    (column, i) => `${column} = CASE WHEN $${i * 2 + 2} THEN $${i * 2 + 3}::bigint ELSE account_plan.${column} END`,
  )
  return sql(
    'plan_change',
    `INSERT INTO account_plan (account_id, ${PLAN_COLUMNS.join(', ')}) VALUES ($1, ${wanted})
     ON CONFLICT (account_id) DO UPDATE SET ${changes.join(', ')} RETURNING ${COLUMNS}`,
    [account, ...values],
  )
}

/** Suspending an account again keeps the original time and stores the new reason. */
function suspending(account: AccountId, reason: string | null, at: Date): Statement<StandingRow> {
  return sql(
    'plan_suspend',
    `INSERT INTO account_plan (account_id, suspended_at, suspended_reason) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET suspended_reason = excluded.suspended_reason,
       suspended_at = coalesce(account_plan.suspended_at, excluded.suspended_at) RETURNING ${COLUMNS}`,
    [account, at, reason],
  )
}

function resuming(account: AccountId): Statement<StandingRow> {
  return sql(
    'plan_resume',
    `INSERT INTO account_plan (account_id) VALUES ($1)
     ON CONFLICT (account_id) DO UPDATE SET suspended_at = NULL, suspended_reason = NULL RETURNING ${COLUMNS}`,
    [account],
  )
}

/**
 * The operator's changes to an account. Each is committed with an entry in the account's own audit log, so that its
 * members see what happened and why.
 *
 * A suspended account keeps its data and does nothing: its credentials are refused, its batches end with a specific
 * error, its watched domains are not checked for it and its webhook deliveries wait. Once resumed, it receives the
 * missed events.
 */
export interface ManagePlanContext {
  readonly accounts: Pick<Plans, 'setPlan' | 'suspend' | 'resume'>
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
  ctx: ManagePlanContext & { readonly watch: Pick<Context['watch'], 'pausing'> },
  account: AccountId,
  reason: string | null,
): Promise<Standing | undefined> {
  const detail = reason === null ? {} : { reason }
  const noted = note(ctx, account, 'account_suspended', detail)
  return ctx.accounts.suspend(account, reason, [noted, ctx.watch.pausing(account)])
}

export function resumeAccount(
  ctx: ManagePlanContext & {
    readonly webhooks: Pick<Context['webhooks'], 'wakingAll'>
    readonly watch: Pick<Context['watch'], 'resuming'>
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
