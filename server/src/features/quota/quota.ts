/**
 * The rate limit and the exact budget of suggestions of a key, and the limits of all keys of an account together.
 *
 * A unit is one suggestion. A request reserves the units it may need, spends those it used and returns unused quota;
 * one disposable reservation does all three. The units come from a block in Redis (one script). When the block runs
 * low, this node leases more units for it from PostgreSQL (`block.ts`). Used units are spent in PostgreSQL, by a
 * statement that the flow commits together with the effect.
 *
 * No failure can grant too much. A lost or stale Redis, a lost response or a dead node only hides units until their
 * block is closed, which returns them. PostgreSQL refuses to spend more than a block was granted.
 *
 * When the connection breaks during a commit, its units may be spent or not. No caller of the account is refused for want
 * of them: first their block is closed. That waits for the commit if it still runs, and refuses it if it comes later.
 *
 * A block holds about what the key uses in a minute and is refilled when half of it is gone.
 *
 * Usage (`usage.ts`) and warnings (`warnings.ts`) are computed from the ledger; no request waits for a warning.
 */
import { LRUCache } from 'lru-cache'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Db, Statement, Transaction } from '../../platform/db/db.ts'
import { ApiError, NotWritten } from '../../model/errors.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { Exhausted, isUnpaid, leaseBlock, spendFrom } from './block.ts'
import type { BlockTimes, Remaining } from './block.ts'
import { dropCounts } from './forgetting.ts'
import { releaseReservedBlock, reserveBlock } from './reserved-block.ts'
import { createChecks } from './checks.ts'
import type { Checks } from './checks.ts'
import { accountRemainingName, blockName, createRate, lostCommitsName, periodsOf, type Pass } from './rate.ts'
import { spendShown } from './streamed.ts'
import type { ShownNames } from './streamed.ts'
import { createUsage } from './usage.ts'
import type { Usage } from './usage.ts'
import { createWarnings } from './warnings.ts'

export type { ShownNames } from './streamed.ts'
export type { DailyUse as Use } from './usage.ts'

export interface QuotaReservation extends AsyncDisposable {
  /** Commit together with the effect that these units pay for. */
  spending(units: number): Statement
  /** The same for names of which an earlier, interrupted try may have shown some: those cost nothing. Returns the cost. */
  spendingShown(shown: ShownNames): Statement<{ units: number }>
  /** The same for an interrupted stream: records the names, so that a second try does not charge them again. */
  spendingInterrupted(shown: ShownNames): Statement<{ units: number }>
  /**
   * Call after the commit that spent `units`: disposing then returns only the others. Negative when it gave back more than
   * it spent.
   */
  recordCommit(units: number): void
  /**
   * Call after the commit failed: returns the error to throw. When the commit may have succeeded, disposing returns no
   * unit.
   */
  recordFailedCommit(error: unknown): Promise<unknown>
}

export interface Quota extends Usage, Checks {
  /** Counts a request against the rate limits. */
  admit(caller: Caller): Promise<Pass>
  /** Fails with quota_exceeded. */
  reserve(caller: Caller, units: number): Promise<QuotaReservation>
  /**
   * For work that outlives its request: reserves units until the given time, in the transaction that accepts the work.
   * Returns their block, or the quota_exceeded error to throw once that transaction is committed.
   */
  reserveBlock(tx: Transaction, caller: Caller, units: number, until: number): Promise<string | ApiError>
  /** Reserves from such a block. Never refuses here: the spend fails when the block does not cover it. */
  fromReservedBlock(block: string): Pick<Quota, 'reserve'>
  /** Commit with the end of that work: returns what it did not spend. Repeating it has no effect. */
  releasing(caller: Pick<Caller, 'accountId' | 'keyId'>, block: string): Statement[]
  /**
   * For a caller whom `reserveBlock` refuses: finds out what commits with an unknown outcome have spent, and returns the
   * rest. Returns whether there were any.
   */
  settleLostCommits(account: AccountId): Promise<boolean>
  /** For deleted keys: removes their counters outside the ledger. */
  forget(account: AccountId, keyIds: readonly KeyId[]): Promise<void>
}

// How long units may be taken from a block. An idle key leases once in ten minutes; units hidden by a dead Redis return
// after as long.
const LEASE_MS = 600_000
// How long a block stays open after its lease, for requests that still have to spend. The longest request takes 30 s.
const SETTLE_MS = 60_000
// A key without remaining units that keeps calling queries PostgreSQL this often per node, not once per request.
const REFUSED_MS = 250
const MAX_REFUSALS = 10_000
// So a busy key leases twice a minute.
const BLOCK_LASTS_MS = 60_000
const MAX_FILLS = 50_000
// A shorter interval is too short to estimate how fast a key is used.
const MIN_MS = 1_000

// KEYS: the block. ARGV: units. Returns {block, taken, left, remaining of the day, remaining of the month, size of the
// last fill}.
const TAKE = `
local block, left, day, month, size = unpack(redis.call('HMGET', KEYS[1], 'block', 'left', 'day', 'month', 'size'))
left = tonumber(left or 0)
local wanted = tonumber(ARGV[1])
if not block or left < wanted then return {block or '', 0, left} end
return {block, 1, redis.call('HINCRBY', KEYS[1], 'left', -wanted), day or '', month or '', size or 0}
`

// KEYS: the block, the remaining units of the account. ARGV: block, units, ttl, remaining of the day, remaining of the
// month, granted, the account's remaining units of the day and of the month, and when these were read; all three are
// empty when its plan has no limit. An older block never replaces a newer one. An earlier lease never overwrites the
// remaining units of a later one: neither those of its block nor, for another key, those of the account.
const FILL = `
local read_at = tonumber(redis.call('HGET', KEYS[2], 'read_at') or 0)
if ARGV[9] == '' or read_at <= tonumber(ARGV[9]) then
  redis.call('DEL', KEYS[2])
  if ARGV[7] ~= '' then redis.call('HSET', KEYS[2], 'day', ARGV[7]) end
  if ARGV[8] ~= '' then redis.call('HSET', KEYS[2], 'month', ARGV[8]) end
  if ARGV[9] ~= '' then redis.call('HSET', KEYS[2], 'read_at', ARGV[9]) end
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
local block = redis.call('HGET', KEYS[1], 'block')
if block and block > ARGV[1] then return {0} end
if block == ARGV[1] then redis.call('HINCRBY', KEYS[1], 'left', ARGV[2])
else
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'block', ARGV[1], 'left', ARGV[2])
end
redis.call('HSET', KEYS[1], 'size', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if tonumber(redis.call('HGET', KEYS[1], 'granted') or 0) > tonumber(ARGV[6]) then return {1} end
redis.call('HSET', KEYS[1], 'granted', ARGV[6])
redis.call('HDEL', KEYS[1], 'day', 'month')
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'day', ARGV[4]) end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'month', ARGV[5]) end
return {1}
`

const GIVE_BACK = `
if redis.call('HGET', KEYS[1], 'block') == ARGV[1] then redis.call('HINCRBY', KEYS[1], 'left', ARGV[2]) end
return {}
`

// Only if it is still this block: another node may have stored a valid one.
const FORGET = `
if redis.call('HGET', KEYS[1], 'block') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return {}
`

const NOTE_LOST = `
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {}
`
const LIST_LOST = `return redis.call('SMEMBERS', KEYS[1])`
const DROP_LOST = `redis.call('SREM', KEYS[1], ARGV[1]) return {}`

/** Units for one request, and the units that remain for others. */
interface ReservedUnits {
  readonly block: string
  readonly remaining: Remaining
  readonly giveBack: (rest: number) => Promise<unknown>
  readonly forget: () => Promise<unknown>
  /** Nobody knows whether the commit that spends these units has succeeded. */
  readonly noteLost: () => Promise<void>
}

export function openQuota(options: {
  db: Db
  cache: Cache
  now: () => number
  /** The number of nodes, for the rate limit while Redis is down. */
  nodes?: number
  times?: BlockTimes
  /** Called when a warning could not be written. The next request tries again. */
  onFault?: (error: unknown) => void
}): Quota {
  const { db, cache, now, times = { leaseMs: LEASE_MS, settleMs: SETTLE_MS } } = options
  const warnings = createWarnings(options)
  const blockKey = (caller: Caller, at: number) => blockName(caller, periodsOf(at).day)
  const filling = new Map<string, Promise<void>>()
  const refusals = new LRUCache<string, { least: number; until: number; error: Exhausted }>({ max: MAX_REFUSALS })
  /** The last fill of this process, per key. */
  const fills = new LRUCache<string, { units: number; at: number }>({ max: MAX_FILLS })

  /** The units that last for BLOCK_LASTS_MS, estimated from how fast the last fill of this process was used. */
  function requestOf(key: string): number {
    const last = fills.get(key)
    return last === undefined ? 0 : (last.units * BLOCK_LASTS_MS) / Math.max(MIN_MS, now() - last.at)
  }

  /** Leases at least `least` units and adds them to the block in Redis. Fails if PostgreSQL refuses. */
  async function fill(caller: Caller, key: string, least: number, at: number): Promise<void> {
    const refusal = refusals.get(key)
    if (refusal && least >= refusal.least && now() < refusal.until) throw refusal.error
    const request = { least, most: requestOf(key), alone: false, at, times }
    const leased = await leaseBlock(db, caller, request).catch((error: unknown) => {
      if (error instanceof Exhausted) refusals.set(key, { least, until: now() + REFUSED_MS, error })
      throw error
    })
    const { block, ttlMs, granted, remaining, accountRemaining } = leased
    fills.set(key, { units: leased.units, at: now() })
    const limits = [
      remaining.day ?? '',
      remaining.month ?? '',
      granted,
      accountRemaining.day ?? '',
      accountRemaining.month ?? '',
      accountRemaining.readAt ?? '',
    ]
    const keys = [key, accountRemainingName(caller.accountId, periodsOf(at).day)]
    const [filled] = await cache.run(FILL, keys, [block, leased.units, ttlMs, ...limits])
    // A node whose clock is ahead has stored a newer block. Without this check `take` would lease again and again.
    if (filled !== 1) throw new CacheDown('Redis holds a newer block')
  }

  async function take(
    caller: Caller,
    key: string,
    units: number,
    at: number,
  ): Promise<{ block: string; remaining: Remaining }> {
    for (;;) {
      const [block, taken, left, day, month, size] = await cache.run(TAKE, [key], [units])
      const remainingWith = (beyond: string | number | undefined) =>
        beyond === '' || beyond === undefined ? undefined : Number(beyond) + Number(left)
      if (taken === 1) {
        if (Number(left) * 2 < Number(size)) fillAhead(caller, key, at)
        return { block: String(block), remaining: { day: remainingWith(day), month: remainingWith(month) } }
      }
      // One fill at a time per key in this process. Waiting requests try again, then fill themselves.
      const running = filling.get(key)
      if (running) {
        await running.catch(() => {})
        continue
      }
      await fillAlone(caller, key, units - Number(left), at).catch((error: unknown) => {
        throw error instanceof Exhausted ? error.of(units, Number(left)) : error
      })
    }
  }

  function fillAlone(caller: Caller, key: string, least: number, at: number): Promise<void> {
    const mine = fill(caller, key, least, at).finally(() => filling.delete(key))
    filling.set(key, mine)
    return mine
  }

  /** Fills in the background. If that fails, the next request that finds too few units fills again. */
  function fillAhead(caller: Caller, key: string, at: number): void {
    // A request that took units before a fill may finish after it, and would fill for units that are no longer missing.
    const isFresh = now() - (fills.get(key)?.at ?? -Infinity) < MIN_MS
    if (!isFresh && !filling.has(key)) fillAlone(caller, key, 1, at).catch(() => {})
  }

  /**
   * Takes units from the shared block or, while Redis is down, leases a block for this request alone. `at` is read
   * once: a request that crosses midnight reserves and spends on the same day.
   */
  async function reserveUnits(caller: Caller, units: number, at: number): Promise<ReservedUnits> {
    const key = blockKey(caller, at)
    try {
      const { block, remaining } = await take(caller, key, units, at)
      return {
        block,
        remaining,
        giveBack: (rest) => cache.run(GIVE_BACK, [key], [block, rest]),
        forget: () => cache.run(FORGET, [key], [block]),
        noteLost: () => noteLostCommit(caller, block, key),
      }
    } catch (error) {
      if (!(error instanceof CacheDown)) throw error
    }
    const { block, remaining } = await leaseBlock(db, caller, { least: units, most: 0, alone: true, at, times })
    // The block belongs to this request alone: closing it returns what the request does not spend.
    return {
      block,
      remaining,
      giveBack: async () => {},
      forget: async () => {},
      noteLost: () => noteLostCommit(caller, block, key),
    }
  }

  /** Without Redis the units are hidden until their block is closed in its time. */
  async function noteLostCommit({ accountId, keyId }: Caller, block: string, key: string): Promise<void> {
    const keptMs = times.leaseMs + times.settleMs
    await cache.run(NOTE_LOST, [lostCommitsName(accountId)], [`${keyId} ${block} ${key}`, keptMs]).catch(() => {})
  }

  /**
   * Fails while PostgreSQL cannot tell. Another request that still has units of these blocks fails at its commit, and may
   * be sent again.
   */
  async function settleLostCommits(accountId: AccountId): Promise<boolean> {
    const name = lostCommitsName(accountId)
    const lost = await cache.run(LIST_LOST, [name], []).catch(() => [])
    for (const entry of lost) {
      const [keyId = '', block = '', key = ''] = String(entry).split(' ')
      await db.as(accountId, releaseReservedBlock({ accountId, keyId: keyId as KeyId }, block))
      await cache.run(FORGET, [key], [block]).catch(() => {})
      await cache.run(DROP_LOST, [name], [entry]).catch(() => {})
    }
    return lost.length > 0
  }

  return {
    ...createUsage({ db, now }),
    ...createChecks(options),
    admit: createRate({ cache, now, nodes: options.nodes }),
    forget: (account, keyIds) => dropCounts(cache, account, keyIds, now()),

    reserveBlock: (tx, caller, units, until) => reserveBlock(tx, caller, { units, at: now(), until }),
    releasing: releaseReservedBlock,
    settleLostCommits,
    fromReservedBlock: (block) => ({
      async reserve(caller, units) {
        const at = now()
        const periods = periodsOf(at)
        // The block is closed when the work ends, and not before.
        const nothing = async () => {}
        const reserved = {
          block,
          remaining: ALL_RESERVED,
          giveBack: nothing,
          forget: nothing,
          noteLost: nothing,
        }
        return reservationOf(caller, reserved, { units, at }, () => warnings.notice(caller, periods, ALL_RESERVED))
      },
    }),

    async reserve(caller, units) {
      const at = now()
      const periods = periodsOf(at)
      const reserved = await reserveUnits(caller, units, at)
        .catch(async (error: unknown) => {
          if (!(error instanceof Exhausted && (await settleLostCommits(caller.accountId)))) throw error
          refusals.delete(blockKey(caller, at))
          return reserveUnits(caller, units, at)
        })
        .catch((error: unknown) => {
          if (error instanceof Exhausted) warnings.notice(caller, periods, error.remaining)
          throw error
        })
      return reservationOf(caller, reserved, { units, at }, (rest) =>
        warnings.notice(caller, periods, reserved.remaining, rest),
      )
    },
  }
}

// Only the ledger knows how much of a reserved block is used. With nothing remaining here, the warnings query the ledger.
const ALL_RESERVED: Remaining = { day: 0, month: 0 }

/** `onEnd`: called when the request ends and returns that many units. */
function reservationOf(
  caller: Caller,
  { block, giveBack, forget, noteLost }: ReservedUnits,
  { units, at }: { units: number; at: number },
  onEnd: (rest: number) => void,
): QuotaReservation {
  let rest = units
  return {
    spending: (spent) => spendFrom(caller, block, spent),
    spendingShown: (shown) => spendShown(caller, block, shown, { most: units, interruptedAt: undefined }),
    spendingInterrupted: (shown) => spendShown(caller, block, shown, { most: units, interruptedAt: new Date(at) }),
    recordCommit(spent) {
      rest = units - spent
    },
    async recordFailedCommit(error) {
      if (isUnpaid(error)) {
        // Redis reserved more than the block holds, as after restoring a backup. Drop its copy of the block.
        rest = 0
        await forget().catch(() => {})
        return new NotWritten('unavailable', { cause: error, retryAfter: 1 })
      }
      // The connection was lost on the way: the commit may have succeeded. Any other error rolled everything back.
      if (error instanceof ApiError && error.code === 'unavailable' && !(error instanceof NotWritten)) {
        rest = 0
        await noteLost()
      }
      return error
    },
    async [Symbol.asyncDispose]() {
      // Redis is down: the block keeps the units until it is closed.
      if (rest > 0) await giveBack(rest).catch(() => {})
      onEnd(rest)
    },
  }
}
