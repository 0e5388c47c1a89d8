/**
 * Daily usage, computed from the ledger.
 *
 * A sum of `used` over the blocks would be slow: a busy key has 144 blocks a day, and a key served without Redis has
 * one per request, so the sum grows with the usage. The periods already hold a sum, though of leased units. A closed
 * block has granted = used, so the two differ only by the few open blocks:
 *
 *   used(period) = leased(period) − Σ (granted − used) of its open blocks
 *
 * Each query is one statement, hence one snapshot of periods and blocks. A block that is being leased or closed is
 * neither counted twice nor missed.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db } from '../../platform/db/db.ts'
import type { KeyId } from '../../model/caller.ts'
import { periodsOf } from './rate.ts'

/** Suggestions that were returned; days and months are in UTC. */
export interface DailyUse {
  /** One entry per requested day, today first, including days without use. */
  readonly days: readonly { readonly day: string; readonly suggestions: number }[]
  readonly today: number
  /** The whole month, however few days were requested. */
  readonly thisMonth: number
}

export interface Usage {
  /** The usage of the account and, within it, of the requested key; empty for a key of another account. */
  usage(acting: Acting, ask: { keyId?: string; days: number }): Promise<{ account: DailyUse; key: DailyUse }>
  /** Every key that was used in the requested days or this month, unordered. */
  usageByKey(acting: Acting, days: number): Promise<ReadonlyMap<KeyId, DailyUse>>
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

function useOf(used: ReadonlyMap<string, number>, at: number, days: number): DailyUse {
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

/** The month may begin before the requested days. */
function firstDay(at: number, days: number): string {
  const { month } = periodsOf(at)
  const oldest = dayBefore(at, days - 1)
  return oldest < month ? oldest : month
}

function dayBefore(at: number, ago: number): string {
  return periodsOf(at - ago * DAY_MS).day
}
