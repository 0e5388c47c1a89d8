/**
 * The ledger's side of a budget: blocks of suggestions, leased out of a key's day and month in PostgreSQL.
 *
 * The naive budget, one counter row updated by every request, makes all requests of a key queue for one row twice:
 * once to reserve and once to settle. So a *block* (up to 500) is leased at a time, handed out from Redis, and only
 * the settling touches PostgreSQL, in the transaction of the request's own effect.
 *
 * What a block granted and nobody spent is not lost: when its lease and the time to settle are over, the next lease
 * of the key closes it and puts the rest back (`closeSettled`). That is the whole reconciliation, and it runs where
 * the room is needed, under the same locks.
 *
 * **Invariants.** leased(period) = Σ granted(blocks of the period) ≤ limit. used(block) ≤ granted(block), by
 * constraint. A closed block has granted = used.
 */
import { isViolationOf, sql, sqlStateOf } from '../db/db.ts'
import type { Db, Statement, Transaction } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import { firstIdOf, makeId } from '../model/id.ts'
import { periodsOf } from './period.ts'
import type { Periods } from './period.ts'

/** What is left to lease, by period; undefined is unlimited. */
export interface Room {
  readonly day: number | undefined
  readonly month: number | undefined
}

export interface Leased {
  readonly block: string
  readonly units: number
  /** Until nothing more may be handed out of this block. */
  readonly ttlMs: number
  /** All that this block was granted by now: of two leases that grew it, the later one has more. */
  readonly granted: number
  /** After this lease. */
  readonly room: Room
}

/** The quota_exceeded of a budget, which knows what is left of it. */
export class Exhausted extends ApiError {
  readonly room: Room

  constructor(room: Room, retryAfter: number) {
    super('quota_exceeded', { retryAfter })
    this.room = room
  }
}

export interface BlockTimes {
  readonly leaseMs: number
  readonly settleMs: number
}

/** At most this many are lost from sight for a while when Redis dies, unless a key uses more than that in a minute. */
const BLOCK_MAX = 500
const BUSY_BLOCK_MAX = 50_000
/** Nothing can be hidden from a key without a budget, so its block may be large from the start. */
const UNLIMITED_BLOCK = 5_000
/** A twentieth of the rest: the nearer the limit, the smaller the block, so the last units are not fought over. */
const BLOCK_SHARE = 20

interface LeaseWish {
  readonly least: number
  /** As much as would be of use; a block of the usual size unless told. */
  readonly most: number
  readonly alone: boolean
  readonly at: number
  readonly times: BlockTimes
}

/** Leases at least `least` units (or fails with quota_exceeded) and up to a block when there is room for one. */
export async function leaseBlock(db: Db, caller: Caller, wish: LeaseWish): Promise<Leased> {
  const leased = await db.transaction(caller.accountId, (tx) => leaseIn(tx, caller, wish))
  if (leased instanceof Exhausted) throw leased
  return leased
}

/**
 * The refusal is a value: thrown inside the transaction it would undo the closing, and whatever lies behind its LIMIT
 * would never be reached.
 */
export async function leaseIn(
  tx: Transaction,
  caller: Caller,
  { least, most: wished, alone, at, times }: LeaseWish,
): Promise<Leased | Exhausted> {
  const periods = periodsOf(at)
  const before = await lockPeriods(tx, caller, periods)
  const refund = await closeSettled(tx, caller, periods, at)
  const room: Room = {
    day: caller.quota.perDay === null ? undefined : caller.quota.perDay - before.day + refund.day,
    month: caller.quota.perMonth === null ? undefined : caller.quota.perMonth - before.month + refund.month,
  }
  const most = Math.min(room.day ?? Infinity, room.month ?? Infinity)
  if (most < least) {
    const nextMs = (room.month ?? Infinity) < least ? periods.nextMonthMs : periods.nextDayMs
    return new Exhausted(room, Math.max(1, Math.ceil((nextMs - at) / 1000)))
  }
  const usual = most === Infinity ? UNLIMITED_BLOCK : Math.min(Math.floor(most / BLOCK_SHARE), BLOCK_MAX)
  const busy = Math.min(Math.floor(most / 2), Math.ceil(wished), BUSY_BLOCK_MAX)
  const units = alone ? least : Math.max(least, usual, busy)
  await tx.run(addToPeriods(caller, periods, units))
  const { block, ttlMs, granted } = await growOrOpen(tx, caller, periods, units, { alone, at, times })
  // Who takes from the shared block knows what is left of it; who takes past it has to be told.
  const beyond = alone ? await unspentOfShared(tx, caller, periods) : 0
  const after = (rest: number | undefined) => (rest === undefined ? undefined : rest - units + beyond)
  return { block, units, ttlMs, granted, room: { day: after(room.day), month: after(room.month) } }
}

async function unspentOfShared(tx: Transaction, { accountId, keyId }: Caller, { day }: Periods): Promise<number> {
  const { rows } = await tx.run(
    sql<{ unspent: number }>(
      'quota_block_unspent',
      `SELECT coalesce(sum(granted - used), 0)::bigint AS unspent FROM quota_block
       WHERE account_id = $1 AND key_id = $2 AND day = $3 AND closed_at IS NULL AND NOT alone`,
      [accountId, keyId, day],
    ),
  )
  return rows[0]?.unspent ?? 0
}

/**
 * To be run in the transaction of what the units are spent on. Refused by constraint once the block is closed, and by
 * a division when the block is not there at all, as after a failover that lost it: nothing is ever spent from nowhere.
 */
export function spendFrom(caller: Caller, block: string, units: number): Statement {
  return sql(
    'quota_block_spend',
    `WITH spent AS (
       UPDATE quota_block SET used = used + $4 WHERE account_id = $1 AND key_id = $2 AND id = $3 RETURNING 1)
     SELECT 1 / count(*) FROM spent`,
    [caller.accountId, caller.keyId, block, units],
  )
}

/** Closed blocks tell the use by day; two months of that are kept. */
export const KEEP_MS = 62 * 86_400_000

/** Was it `spendFrom` that refused the commit? */
export function isUnpaid(error: unknown): boolean {
  return isViolationOf(error, 'quota_block_not_overspent') || sqlStateOf(error) === DIVISION_BY_ZERO
}

const DIVISION_BY_ZERO = '22012'

async function lockPeriods(tx: Transaction, { accountId, keyId }: Caller, { day, month }: Periods) {
  await tx.run(
    sql(
      'quota_period_make',
      `INSERT INTO quota_period (account_id, key_id, kind, starts_on) VALUES ($1, $2, 'day', $3), ($1, $2, 'month', $4)
       ON CONFLICT DO NOTHING`,
      [accountId, keyId, day, month],
    ),
  )
  // Always day before month, so two nodes cannot wait for each other.
  const { rows } = await tx.run(
    sql<{ kind: 'day' | 'month'; leased: number }>(
      'quota_period_lock',
      `SELECT kind, leased FROM quota_period WHERE account_id = $1 AND key_id = $2
         AND ((kind = 'day' AND starts_on = $3) OR (kind = 'month' AND starts_on = $4)) ORDER BY kind FOR UPDATE`,
      [accountId, keyId, day, month],
    ),
  )
  const leasedIn = (kind: 'day' | 'month') => rows.find((row) => row.kind === kind)?.leased ?? 0
  return { day: leasedIn('day'), month: leasedIn('month') }
}

/** Closes what can no longer be spent and answers how much that frees in the current day and month. */
async function closeSettled(tx: Transaction, { accountId, keyId }: Caller, { day, month }: Periods, at: number) {
  const { rows } = await tx.run(
    sql<{ id: string; day: string; unspent: number }>(
      'quota_block_settled',
      `SELECT id, day::text AS day, granted - used AS unspent FROM quota_block
       WHERE account_id = $1 AND key_id = $2 AND closed_at IS NULL AND settle_by < now() LIMIT 1000 FOR UPDATE`,
      [accountId, keyId],
    ),
  )
  const refund = { day: 0, month: 0 }
  if (rows.length === 0) return refund
  await tx.run(
    sql(
      'quota_block_close',
      'UPDATE quota_block SET granted = used, closed_at = now() WHERE account_id = $1 AND key_id = $2 AND id = ANY ($3)',
      [accountId, keyId, rows.map((row) => row.id)],
    ),
  )
  await tx.run(
    sql(
      'quota_block_prune',
      'DELETE FROM quota_block WHERE account_id = $1 AND key_id = $2 AND id < $3 AND closed_at IS NOT NULL',
      [accountId, keyId, firstIdOf(at - KEEP_MS)],
    ),
  )
  for (const [closedDay, ofDay] of Map.groupBy(rows, (row) => row.day)) {
    const unspent = ofDay.reduce((sum, row) => sum + row.unspent, 0)
    await tx.run(
      sql(
        'quota_period_refund',
        `UPDATE quota_period SET leased = leased - $3 WHERE account_id = $1 AND key_id = $2
           AND ((kind = 'day' AND starts_on = $4::date) OR (kind = 'month' AND starts_on = date_trunc('month', $4::date)::date))`,
        [accountId, keyId, unspent, closedDay],
      ),
    )
    if (closedDay === day) refund.day += unspent
    if (closedDay.slice(0, 7) === month.slice(0, 7)) refund.month += unspent
  }
  return refund
}

function addToPeriods({ accountId, keyId }: Caller, { day, month }: Periods, units: number): Statement {
  return sql(
    'quota_period_add',
    `UPDATE quota_period SET leased = leased + $3 WHERE account_id = $1 AND key_id = $2
       AND ((kind = 'day' AND starts_on = $4) OR (kind = 'month' AND starts_on = $5))`,
    [accountId, keyId, units, day, month],
  )
}

/**
 * Nodes that lease at the same time grow one block; `alone` is a block of its own, for a node without Redis or for work that outlives
 * its request.
 *
 * The clock is read after the lock was waited for: now() is when the transaction began, and by that time two blocks
 * can look open. Growing both would hand out twice what was taken from the periods.
 */
async function growOrOpen(
  tx: Transaction,
  { accountId, keyId }: Caller,
  { day }: Periods,
  units: number,
  { alone, at, times }: { alone: boolean; at: number; times: BlockTimes },
): Promise<Pick<Leased, 'block' | 'ttlMs' | 'granted'>> {
  if (!alone) {
    const grown = await tx.run(
      sql<{ id: string; granted: number; ttl_ms: number }>(
        'quota_block_grow',
        `UPDATE quota_block SET granted = granted + $4 WHERE account_id = $1 AND key_id = $2 AND id = (
           SELECT id FROM quota_block WHERE account_id = $1 AND key_id = $2 AND day = $3 AND closed_at IS NULL
             AND NOT alone AND lease_until > clock_timestamp() + interval '1 second' ORDER BY id DESC LIMIT 1)
         RETURNING id, granted, floor(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::bigint AS ttl_ms`,
        [accountId, keyId, day, units],
      ),
    )
    const [row] = grown.rows
    if (row) return { block: row.id, ttlMs: row.ttl_ms, granted: row.granted }
  }
  const block = makeId(at)
  const leaseMs = alone ? 0 : times.leaseMs
  await tx.run(
    sql(
      'quota_block_open',
      `INSERT INTO quota_block (account_id, key_id, id, day, granted, alone, lease_until, settle_by)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond',
         clock_timestamp() + $8 * interval '1 millisecond')`,
      [accountId, keyId, block, day, units, alone, leaseMs, leaseMs + times.settleMs],
    ),
  )
  return { block, ttlMs: times.leaseMs, granted: units }
}
