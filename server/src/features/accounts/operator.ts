/**
 * The operator account: its owners and admins run this installation. It is marked in the database.
 *
 * Operators see how many people and keys an account has and how much it used, never its contents. One database function
 * computes these totals and returns nothing else (`migrations/0010_operator.sql`).
 */
import { sql, sqlStateOf } from '../../platform/db/db.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'

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
