/**
 * Who runs this installation: the owners and admins of one account, marked in the database.
 *
 * They see of the accounts how many people and keys there are and how much was used, never what an account holds: one
 * function of the database adds that up (`migrations/0010_operator.sql`), and it knows nothing else.
 */
import { sql, sqlStateOf } from '../db/db.ts'
import type { Db } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import type { UserId } from '../model/member.ts'

export interface AccountTotals {
  readonly id: AccountId
  readonly name: string
  readonly created_at: Date
  /** The one that visitors without an account use. */
  readonly is_visitors: boolean
  readonly people: number
  readonly keys: number
  readonly used_today: number
  readonly used_month: number
  readonly last_used_at: Date | null
}

export interface Operator {
  isOperator(userId: UserId): Promise<boolean>
  /** Unless there is one already. */
  makeFirstOperator(account: AccountId): Promise<void>
  /** False when there is no such account. */
  makeOperator(account: AccountId): Promise<boolean>
  /** One more than `limit`, newest first. `q`: how the name begins, in any case. */
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
