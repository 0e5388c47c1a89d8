/**
 * The ledger of a budget: blocks of suggestions, leased in PostgreSQL from a key's day and month, within the limits
 * that the account's plan sets for all its keys together.
 *
 * A single counter row per key would make all requests of the key queue for that row twice: once to reserve and once to
 * settle. Instead a *block* (up to 500) is leased at a time and allocated from Redis. Only settling writes to
 * PostgreSQL, in the transaction of the request's own effect.
 *
 * Unspent units of a block are not lost: after its lease and the settling time, the next lease of the key closes the
 * block and returns the rest (`closeSettled`). That is the whole reconciliation. It runs where the units are needed,
 * under the same locks.
 *
 * An account's leased total is the sum over its keys, so no second counter can disagree. When the plan limits names, a
 * lock on the plan serializes the leases of the account. Every transaction locks in this order: plan, the key's periods
 * (day before month), blocks.
 *
 * **Invariants.** leased(period) = Σ granted(blocks of the period) ≤ limit. Σ leased(periods of the account) ≤ plan.
 * used(block) ≤ granted(block), by constraint. A closed block has granted = used.
 */
import { isViolationOf, sql, sqlStateOf } from '../../platform/db/db.ts'
import type { Db, Statement, Transaction } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { firstIdOf, makeId } from '../../model/id.ts'
import { periodsOf, type Periods } from './rate.ts'

/** Units left to lease, by period; undefined is unlimited. */
export interface Remaining {
  readonly day: number | undefined
  readonly month: number | undefined
}

export interface Leased {
  readonly block: string
  readonly units: number
  /** How long units may be allocated from this block. */
  readonly ttlMs: number
  /** The total granted to this block so far: of two leases that grew it, the later one has more. */
  readonly granted: number
  /** Remaining for the key after this lease. */
  readonly remaining: Remaining
  /** Remaining for the account, when its plan limits names. */
  readonly accountRemaining: AccountRemaining
}

interface AccountRemaining extends Remaining {
  /**
   * The time of PostgreSQL in microseconds, read under the lock on the plan: of two leases of an account the later one
   * has more. Undefined without such a lock.
   */
  readonly readAt: number | undefined
}

/** The quota_exceeded error of a budget, with the units that remain. */
export class Exhausted extends ApiError {
  readonly remaining: Remaining
  /** Units that are still available. */
  readonly left: number

  constructor(
    remaining: Remaining,
    retryAfter: number | undefined,
    { wanted, left }: { wanted: number; left: number },
  ) {
    super('quota_exceeded', { ...(retryAfter === undefined ? {} : { retryAfter }), params: { wanted, left } })
    this.remaining = remaining
    this.left = left
  }

  /** The same error for a request of `wanted` units, of which `inBlock` were available without a lease. */
  of(wanted: number, inBlock: number): Exhausted {
    return new Exhausted(this.remaining, this.detail.retryAfter, { wanted, left: this.left + inBlock })
  }
}

export interface BlockTimes {
  readonly leaseMs: number
  readonly settleMs: number
}

/** At most this many units are hidden for a while when Redis dies, unless a key uses more than that in a minute. */
const BLOCK_MAX = 500
const BUSY_BLOCK_MAX = 50_000
/** A key without a budget has no units to hide, so its block may be large from the start. */
const UNLIMITED_BLOCK = 5_000
/**
 * One twentieth of the rest: the nearer the limit, the smaller the block, so nodes do not compete for the last units.
 */
const BLOCK_SHARE = 20

interface LeaseRequest {
  readonly least: number
  /** The largest useful lease; a block of the default size when absent. */
  readonly most: number
  readonly alone: boolean
  readonly at: number
  readonly times: BlockTimes
}

/** Leases at least `least` units (or fails with quota_exceeded) and up to a full block when enough remain. */
export async function leaseBlock(db: Db, caller: Caller, request: LeaseRequest): Promise<Leased> {
  const leased = await db.transaction(caller.accountId, (tx) => leaseIn(tx, caller, request))
  if (leased instanceof Exhausted) throw leased
  return leased
}

/**
 * Returns the refusal as a value: an exception would roll back the closing of blocks, and the blocks beyond its LIMIT
 * would never be closed.
 */
export async function leaseIn(
  tx: Transaction,
  caller: Caller,
  { least, most: requested, alone, at, times }: LeaseRequest,
): Promise<Leased | Exhausted> {
  const periods = periodsOf(at)
  const plan = await lockPlan(tx, caller.accountId)
  const before = await lockPeriods(tx, caller, periods)
  const refund = await closeSettled(tx, caller, periods, at)
  const remaining: Remaining = {
    day: caller.quota.perDay === null ? undefined : caller.quota.perDay - before.day + refund.day,
    month: caller.quota.perMonth === null ? undefined : caller.quota.perMonth - before.month + refund.month,
  }
  const accountRemaining = await accountRemainingOf(tx, caller, { plan, periods, least, at })
  const mostOfDay = Math.min(remaining.day ?? Infinity, accountRemaining.day ?? Infinity)
  const mostOfMonth = Math.min(remaining.month ?? Infinity, accountRemaining.month ?? Infinity)
  const most = Math.min(mostOfDay, mostOfMonth)
  if (most < least) {
    const nextMs = mostOfMonth < least ? periods.nextMonthMs : periods.nextDayMs
    const left = Math.max(0, most)
    return new Exhausted(remaining, Math.max(1, Math.ceil((nextMs - at) / 1000)), { wanted: least, left })
  }
  const usual = most === Infinity ? UNLIMITED_BLOCK : Math.min(Math.floor(most / BLOCK_SHARE), BLOCK_MAX)
  const busy = Math.min(Math.floor(most / 2), Math.ceil(requested), BUSY_BLOCK_MAX)
  const units = alone ? least : Math.max(least, usual, busy)
  await tx.run(addToPeriods(caller, periods, units))
  const { block, ttlMs, granted } = await growOrOpen(tx, caller, periods, units, { alone, at, times })
  // A lease from the shared block knows its rest; a lease of its own block must add the rest of the shared one.
  const beyond = alone ? await unspentOfShared(tx, caller, periods) : 0
  const after = ({ day, month }: Remaining, more: number): Remaining => ({
    day: day === undefined ? undefined : day - units + more,
    month: month === undefined ? undefined : month - units + more,
  })
  return {
    block,
    units,
    ttlMs,
    granted,
    remaining: after(remaining, beyond),
    accountRemaining: { ...after(accountRemaining, 0), readAt: accountRemaining.readAt },
  }
}

interface NamesOfPlan {
  readonly names_per_day: number | null
  readonly names_per_month: number | null
}

/** Undefined when the plan does not limit names: then keys need not wait for each other. */
async function lockPlan(tx: Transaction, account: AccountId): Promise<NamesOfPlan | undefined> {
  const { rows } = await tx.run(
    sql<NamesOfPlan>(
      'quota_plan_lock',
      `SELECT names_per_day, names_per_month FROM account_plan
       WHERE account_id = $1 AND (names_per_day IS NOT NULL OR names_per_month IS NOT NULL) FOR NO KEY UPDATE`,
      [account],
    ),
  )
  return rows[0]
}

/** When too little remains, first returns the units that other keys of the account leased and can no longer spend. */
async function accountRemainingOf(
  tx: Transaction,
  { accountId, keyId }: Caller,
  asked: { plan: NamesOfPlan | undefined; periods: Periods; least: number; at: number },
): Promise<AccountRemaining> {
  const { plan, periods, least, at } = asked
  if (!plan) return { day: undefined, month: undefined, readAt: undefined }
  const remaining = async (): Promise<AccountRemaining> => {
    const leased = await leasedByAccount(tx, accountId, periods)
    return {
      readAt: leased.read_at,
      day: plan.names_per_day === null ? undefined : plan.names_per_day - leased.day,
      month: plan.names_per_month === null ? undefined : plan.names_per_month - leased.month,
    }
  }
  const found = await remaining()
  if (Math.min(found.day ?? Infinity, found.month ?? Infinity) >= least) return found
  const others = (await keysToSettle(tx, accountId)).filter((other) => other !== keyId)
  for (const other of others) {
    await lockPeriods(tx, { accountId, keyId: other }, periods)
    await closeSettled(tx, { accountId, keyId: other }, periods, at)
  }
  return others.length === 0 ? found : remaining()
}

async function leasedByAccount(tx: Transaction, account: AccountId, { day, month }: Periods) {
  const { rows } = await tx.run(
    sql<{ day: number; month: number; read_at: number }>(
      'quota_account_leased',
      `SELECT coalesce(sum(leased) FILTER (WHERE kind = 'day'), 0)::bigint AS day,
         coalesce(sum(leased) FILTER (WHERE kind = 'month'), 0)::bigint AS month,
         floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS read_at
       FROM quota_period WHERE account_id = $1
         AND ((kind = 'day' AND starts_on = $2) OR (kind = 'month' AND starts_on = $3))`,
      [account, day, month],
    ),
  )
  return rows[0] ?? { day: 0, month: 0, read_at: 0 }
}

/** In one fixed order, like every other lock. */
async function keysToSettle(tx: Transaction, account: AccountId): Promise<readonly KeyId[]> {
  const { rows } = await tx.run(
    sql<{ key_id: KeyId }>(
      'quota_account_settled',
      `SELECT DISTINCT key_id FROM quota_block
       WHERE account_id = $1 AND closed_at IS NULL AND settle_by < now() ORDER BY key_id LIMIT 100`,
      [account],
    ),
  )
  return rows.map((row) => row.key_id)
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
 * Run in the transaction of the effect that the units pay for. A constraint refuses it once the block is closed. A
 * division by zero refuses it when the block does not exist, as after a failover that lost it. No unit is spent without
 * a block.
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

/** Closed blocks record daily use, which is kept for two months. */
export const KEEP_MS = 62 * 86_400_000

/** True when `spendFrom` refused the commit. */
export function isUnpaid(error: unknown): boolean {
  return isViolationOf(error, 'quota_block_not_overspent') || sqlStateOf(error) === DIVISION_BY_ZERO
}

const DIVISION_BY_ZERO = '22012'

type Credential = Pick<Caller, 'accountId' | 'keyId'>

async function lockPeriods(tx: Transaction, { accountId, keyId }: Credential, { day, month }: Periods) {
  await tx.run(
    sql(
      'quota_period_make',
      `INSERT INTO quota_period (account_id, key_id, kind, starts_on) VALUES ($1, $2, 'day', $3), ($1, $2, 'month', $4)
       ON CONFLICT DO NOTHING`,
      [accountId, keyId, day, month],
    ),
  )
  // Always day before month, so that two nodes cannot deadlock.
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

/** Closes blocks that can no longer be spent, and returns the units freed in the current day and month. */
async function closeSettled(tx: Transaction, { accountId, keyId }: Credential, { day, month }: Periods, at: number) {
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
 * Nodes that lease at the same time grow one shared block. `alone` opens a separate block, for a node without Redis or
 * for work that outlives its request.
 *
 * The clock is read after the lock is acquired: now() is the start of the transaction, at which two blocks can appear
 * open. Growing both would allocate twice what was taken from the periods.
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
