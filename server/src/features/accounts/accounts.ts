/** Accounts are the tenants. An account owns keys, history and favorites, and never sees those of another account. */
import { accountOf, sql, type Acting, type Db, type Statement, sqlStateOf } from '../../platform/db/db.ts'
import { walk, type Exported } from '../../platform/db/walk.ts'
import { VISITORS, type AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { Member, UserId } from '../../model/member.ts'
import { PLAN_COLUMNS } from '../../model/plan.ts'
import { createPlans, type Plans } from './plans.ts'

export type { PlanChange, Standing } from './plans.ts'

export interface AccountSpec {
  readonly name: string
  readonly language?: string
  readonly currency?: string
  /** Absent: history is kept forever. 0: never. */
  readonly historyDays?: number
}

export interface AccountRow {
  readonly id: AccountId
  readonly name: string
  readonly language: string | null
  readonly currency: string | null
  /** Null: forever. 0: history is off. */
  readonly history_days: number | null
  readonly created_at: Date
}

/** Absent fields stay unchanged; null removes a setting. */
export interface AccountChange {
  readonly name?: string | undefined
  readonly language?: string | null | undefined
  readonly currency?: string | null | undefined
  readonly historyDays?: number | null | undefined
}

export interface Accounts extends Operator, Plans {
  create(spec: AccountSpec & { readonly id?: AccountId }): Promise<AccountId>
  /** Commit as this account, together with the statements that complete it. */
  creating(spec: AccountSpec, id: AccountId): Statement
  /** Creates the visitors' account unless it exists. Commit as that account. */
  creatingVisitors(): Statement
  find(acting: Acting): Promise<AccountRow | undefined>
  /** Undefined when the account does not exist. Every node drops its cached credentials of the account. */
  change(acting: Acting, change: AccountChange, along?: readonly Statement[]): Promise<AccountRow | undefined>
  /**
   * Commit with any change of what the account's keys may do: every node drops its cached credentials of the account.
   */
  changing(account: AccountId): Statement
  /** The names of the accounts that a person is a member of. */
  namesOf(members: readonly Member[]): Promise<ReadonlyMap<AccountId, string>>
  /** Deletes the account and its keys. The other modules must delete their rows first. */
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const COLUMNS = 'id, name, language, currency, history_days, created_at'

export function openAccounts({ db, now }: { db: Db; now: () => number }): Accounts {
  const creating = ({ name, language, currency, historyDays }: AccountSpec, id: AccountId) =>
    sql('account_insert', `INSERT INTO account (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`, [
      id,
      name,
      language,
      currency,
      historyDays,
      new Date(now()),
    ])

  async function find(acting: Acting): Promise<AccountRow | undefined> {
    const [found] = await db.as(acting, [read(accountOf(acting))])
    return found.rows[0]
  }

  return {
    ...createOperator({ db, now }),
    ...createPlans({ db, now, noteKeys }),
    creating,
    creatingVisitors: () =>
      sql(
        'account_insert_visitors',
        `INSERT INTO account (id, name, history_days, created_at, is_visitors) VALUES ($1, 'Visitors', 0, $2, true)
         ON CONFLICT (id) DO NOTHING`,
        [VISITORS, new Date(now())],
      ),
    changing: noteKeys,
    find,

    async create({ id = makeId(now()) as AccountId, ...spec }) {
      await db.as(id, [creating(spec, id)])
      return id
    },

    change: (acting, change, along = []) =>
      db.transaction(acting, async (tx) => {
        const { rows } = await tx.run(update(accountOf(acting), change))
        if (!rows[0]) return undefined
        for (const statement of [noteKeys(accountOf(acting)), ...along]) await tx.run(statement)
        return rows[0]
      }),

    async namesOf(members) {
      // Row-level security shows an account only to a member acting in it, so this runs one query per account, in
      // parallel.
      const found = await Promise.all(members.map(find))
      return new Map(found.flatMap((row) => (row ? [[row.id, row.name] as const] : [])))
    },

    forgetting: (account) => [sql('account_forget', 'DELETE FROM account WHERE id = $1', [account])],

    exporting: (acting) => ({
      account: walk(db, acting, () => readWhole(accountOf(acting))),
      plan: walk(db, acting, () => readPlan(accountOf(acting))),
    }),
  }
}

function read(account: AccountId): Statement<AccountRow> {
  return sql('account_find', `SELECT ${COLUMNS} FROM account WHERE id = $1`, [account])
}

function readPlan(account: AccountId): Statement<object> {
  const text = `SELECT ${PLAN_COLUMNS.join(', ')}, suspended_at, suspended_reason FROM account_plan WHERE account_id = $1`
  return sql('plan_export', text, [account])
}

/** Includes the columns that only other files write. */
function readWhole(account: AccountId): Statement<AccountRow> {
  return sql('account_export', `SELECT ${COLUMNS}, application_policy FROM account WHERE id = $1`, [account])
}

function update(account: AccountId, { name, language, currency, historyDays }: AccountChange): Statement<AccountRow> {
  return sql(
    'account_change',
    `UPDATE account SET name = coalesce($2, name),
       language = CASE WHEN $3 THEN $4 ELSE language END, currency = CASE WHEN $5 THEN $6 ELSE currency END,
       history_days = CASE WHEN $7 THEN $8::integer ELSE history_days END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [
      account,
      name,
      language !== undefined,
      language,
      currency !== undefined,
      currency,
      historyDays !== undefined,
      historyDays,
    ],
  )
}

/** Nodes cache a key together with its account's settings, so an account change counts as a change of all its keys. */
function noteKeys(account: AccountId): Statement {
  return sql(
    'account_keys_note',
    `WITH old AS (DELETE FROM key_change WHERE changed_at < now() - interval '1 hour')
     INSERT INTO key_change (changed_at, key_id) SELECT clock_timestamp(), id FROM api_key WHERE account_id = $1`,
    [account],
  )
}

export interface AccountTotals {
  readonly id: AccountId
  readonly name: string
  readonly created_at: Date
  /** The account used by visitors without an account. */
  readonly is_visitors: boolean
  readonly people: number
  readonly keys: number
  readonly used_today: number
  readonly used_month: number
  readonly last_used_at: Date | null
}

export interface Operator {
  isOperator(userId: UserId): Promise<boolean>
  /** Does nothing when an operator account exists. */
  makeFirstOperator(account: AccountId): Promise<void>
  /** False when the account does not exist. */
  makeOperator(account: AccountId): Promise<boolean>
  /** Newest first; one row more than `limit` when there is a next page. `q`: a prefix of the name, case-insensitive. */
  listTotals(page: { q?: string | undefined; before?: string; limit: number }): Promise<readonly AccountTotals[]>
}

const FOREIGN_KEY_VIOLATION = '23503'

export function createOperator({ db, now }: { db: Db; now: () => number }): Operator {
  return {
    async isOperator(userId) {
      const text = `SELECT FROM operator_account o JOIN member m ON m.account_id = o.id
                    WHERE m.user_id = $1 AND m.role IN ('owner', 'admin')`
      const [found] = await db.asPerson(userId, [sql('operator_is', text, [userId])])
      return found.count > 0
    },

    async makeFirstOperator(account) {
      await db.lookup(
        sql('operator_first', 'INSERT INTO operator_account (id) VALUES ($1) ON CONFLICT DO NOTHING', [account]),
      )
    },

    async makeOperator(account) {
      const text = 'INSERT INTO operator_account (id) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET id = excluded.id'
      try {
        await db.lookup(sql('operator_make', text, [account]))
        return true
      } catch (error) {
        if (sqlStateOf(error) === FOREIGN_KEY_VIOLATION) return false
        throw error
      }
    },

    async listTotals({ q, before, limit }) {
      const pattern = q === undefined ? undefined : `${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
      const today = new Date(now()).toISOString().slice(0, 10)
      const { rows } = await db.lookup(
        sql<AccountTotals>('operator_totals', 'SELECT * FROM account_totals($1, $2, $3, $4)', [
          pattern,
          before,
          limit + 1,
          today,
        ]),
      )
      return rows
    },
  }
}
