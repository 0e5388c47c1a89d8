/**
 * What was used, day by day, told from the ledger.
 *
 * The naive answer sums `used` over the blocks. There are 144 a day of a busy key, and one for every request of a key
 * that is served without Redis, so the sum grows with what it counts. The periods hold a sum already, though of what
 * was leased. A closed block has granted = used, so the two differ by the open blocks alone, and of those there are few:
 *
 *   used(period) = leased(period) − Σ (granted − used) of its open blocks
 *
 * Each answer is one statement, hence one snapshot of periods and blocks: nothing is counted twice or missed because
 * a block was just leased or closed.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db } from '../db/db.ts'
import type { KeyId, Quota } from '../model/caller.ts'
import { periodsOf } from './period.ts'

/** Suggestions that were returned; days and months are those of UTC. */
export interface Use {
  /** As many as were asked for, the newest (today) first, also those without use. */
  readonly days: readonly { readonly day: string; readonly suggestions: number }[]
  readonly today: number
  /** Whole, however few days were asked for. */
  readonly thisMonth: number
}

export interface Usage {
  /** Of the account and, within that, of the key that was asked for; nothing of a key that is not the account's. */
  usage(acting: Acting, ask: { keyId?: string; days: number }): Promise<{ account: Use; key: Use }>
  /** Of every key that was used in the days asked for or this month, in no order. */
  usageByKey(acting: Acting, days: number): Promise<ReadonlyMap<KeyId, Use>>
}

const DAY_MS = 86_400_000

// $1: account, $2: first day.
const USED = `(
  SELECT period.key_id, period.starts_on AS day, (period.leased - coalesce(open.unspent, 0))::bigint AS used
  FROM quota_period period LEFT JOIN (
    SELECT key_id, day, sum(granted - used) AS unspent FROM quota_block
    WHERE account_id = $1 AND closed_at IS NULL GROUP BY key_id, day
  ) open ON open.key_id = period.key_id AND open.day = period.starts_on
  WHERE period.account_id = $1 AND period.kind = 'day' AND period.starts_on >= $2::date) AS spent`

export function createUsage({ db, now }: { db: Db; now: () => number }): Usage {
  return {
    async usage(acting, { keyId, days }) {
      const at = now()
      const [found] = await db.read(acting, [
        sql<{ day: string; of_account: number; of_key: number }>(
          'quota_usage',
          `SELECT day::text AS day, sum(used)::bigint AS of_account,
             coalesce(sum(used) FILTER (WHERE key_id = $3), 0)::bigint AS of_key FROM ${USED} GROUP BY day`,
          [accountOf(acting), firstDay(at, days), keyId],
        ),
      ])
      return {
        account: useOf(new Map(found.rows.map((row) => [row.day, row.of_account])), at, days),
        key: useOf(new Map(found.rows.map((row) => [row.day, row.of_key])), at, days),
      }
    },

    async usageByKey(acting, days) {
      const at = now()
      const [found] = await db.read(acting, [
        sql<{ key_id: KeyId; day: string; used: number }>(
          'quota_usage_by_key',
          `SELECT key_id, day::text AS day, used FROM ${USED} WHERE used > 0`,
          [accountOf(acting), firstDay(at, days)],
        ),
      ])
      const byKey = Map.groupBy(found.rows, (row) => row.key_id)
      return new Map(
        byKey.entries().map(([keyId, rows]) => [keyId, useOf(new Map(rows.map((r) => [r.day, r.used])), at, days)]),
      )
    },
  }
}

/** What is left of a key's budgets; null is unlimited. A limit that was lowered below what is used leaves nothing. */
export function leftOf(
  { perDay, perMonth }: Pick<Quota, 'perDay' | 'perMonth'>,
  { today, thisMonth }: Pick<Use, 'today' | 'thisMonth'>,
): { readonly day: number | null; readonly month: number | null } {
  return {
    day: perDay === null ? null : Math.max(0, perDay - today),
    month: perMonth === null ? null : Math.max(0, perMonth - thisMonth),
  }
}

function useOf(used: ReadonlyMap<string, number>, at: number, days: number): Use {
  const { day: today, month } = periodsOf(at)
  const isThisMonth = (day: string) => day.slice(0, 7) === month.slice(0, 7)
  return {
    days: Array.from({ length: days }, (_, ago) => {
      const day = dayBefore(at, ago)
      return { day, suggestions: used.get(day) ?? 0 }
    }),
    today: used.get(today) ?? 0,
    thisMonth: used.entries().reduce((sum, [day, units]) => sum + (isThisMonth(day) ? units : 0), 0),
  }
}

/** The month may begin before the days that were asked for. */
function firstDay(at: number, days: number): string {
  const { month } = periodsOf(at)
  const oldest = dayBefore(at, days - 1)
  return oldest < month ? oldest : month
}

function dayBefore(at: number, ago: number): string {
  return periodsOf(at - ago * DAY_MS).day
}
