/**
 * What a key may still do: a rate of requests, and a budget of suggestions that is exact.
 *
 * A request reserves what it may need, keeps what it used, and gives back the rest; the three are one disposable
 * lease. Units are handed out of a leased block in Redis (one script), the block is leased from PostgreSQL when it
 * runs low, and what is kept is spent in PostgreSQL by a statement that the flow commits together with the effect.
 *
 * Nothing here can grant too much: a lost Redis, a stale Redis, a lost answer or a dead node only ever hide units
 * until their block is closed, and PostgreSQL refuses a spend beyond what a block was granted.
 *
 * A block is as large as what the key uses in a minute, and is refilled when half of it is gone: so a key that is used
 * evenly goes on for about half a minute while PostgreSQL is away.
 *
 * What was used is told from the ledger (`usage.ts`), and so are warnings (`warnings.ts`), which no request waits for.
 */
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'
import { NotWritten } from '../db/db.ts'
import type { Db, Statement, Transaction } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { Caller, KeyId } from '../model/caller.ts'
import { Exhausted, isUnpaid, leaseBlock, spendFrom } from './block.ts'
import type { BlockTimes, Room } from './block.ts'
import { dropCounts } from './forgetting.ts'
import { holdUnits, releaseHeld } from './held.ts'
import { periodsOf } from './period.ts'
import { createRate } from './rate.ts'
import type { Pass } from './rate.ts'
import { blockName } from './redis-names.ts'
import { createUsage } from './usage.ts'
import type { Usage } from './usage.ts'
import { createWarnings } from './warnings.ts'

export type { Pass } from './rate.ts'
export { leftOf } from './usage.ts'
export type { Use } from './usage.ts'

export interface Lease extends AsyncDisposable {
  /** To be committed with the effect that these units pay for. */
  spending(units: number): Statement
  /** The commit went through: only what lies above `units` is given back. */
  keep(units: number): void
  /** The commit failed: what to throw instead. Where it may have gone through after all, nothing is given back. */
  explain(error: unknown): Promise<unknown>
}

export interface Quota extends Usage {
  admit(caller: Caller): Promise<Pass>
  /** Fails with quota_exceeded. */
  reserve(caller: Caller, units: number): Promise<Lease>
  /**
   * For work that outlives its request: sets units aside, in the transaction that takes the work on, until the moment
   * given. Answers the block they are in, or the quota_exceeded to throw once that transaction is committed.
   */
  hold(tx: Transaction, caller: Caller, units: number, until: number): Promise<string | ApiError>
  /** Reserves out of what is held. Never refuses: the spend does, should the block not hold it. */
  held(block: string): Pick<Quota, 'reserve'>
  /** To be committed with the end of that work: what it did not spend goes back. Done twice it does nothing. */
  releasing(caller: Pick<Caller, 'accountId' | 'keyId'>, block: string): Statement[]
  /** For keys that are no more: what is counted of them besides the ledger. */
  forget(keyIds: readonly KeyId[]): Promise<void>
}

// A quiet key leases once in ten minutes; what a dead Redis hides is back after as long.
const LEASE_MS = 600_000
// The longest request takes 30 s; twice that and it is over, one way or the other.
const SETTLE_MS = 60_000
// A key that is used up and keeps calling asks PostgreSQL this often per node, not once a request under a lock.
const REFUSED_MS = 250
const MOST_REFUSALS = 10_000
// A failover takes about twenty seconds; of a block that lasts a minute at least half is always there.
const BLOCK_LASTS_MS = 60_000
const MOST_FILLS = 50_000
// Less says nothing about how quickly a key is used.
const SHORTEST_MS = 1_000
// Each waits for Redis as long as a command may take, so together less than a second.
const PATIENT_TRIES = 10

// KEYS: the block. ARGV: units. Answers {block, taken, left, room of the day, room of the month, size of the last fill}.
const TAKE = `
local block, left, day, month, size = unpack(redis.call('HMGET', KEYS[1], 'block', 'left', 'day', 'month', 'size'))
left = tonumber(left or 0)
local wanted = tonumber(ARGV[1])
if not block or left < wanted then return {block or '', 0, left} end
return {block, 1, redis.call('HINCRBY', KEYS[1], 'left', -wanted), day or '', month or '', size or 0}
`

// ARGV: block, units, ttl, room of the day, room of the month, granted. An older block never replaces a newer one, nor
// the room that an earlier lease of a block left that of a later one.
const FILL = `
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

// Only if it is still this block: another node may have put a sound one there.
const FORGET = `
if redis.call('HGET', KEYS[1], 'block') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return {}
`

/** Units for one request, and what is then left for the others. */
interface Handed {
  readonly block: string
  readonly room: Room
  readonly giveBack: (rest: number) => Promise<unknown>
  readonly forget: () => Promise<unknown>
}

export function openQuota(options: {
  db: Db
  cache: Cache
  now: () => number
  /** How many nodes there are, for the rate while Redis is away. */
  nodes?: number
  times?: BlockTimes
  /** A warning could not be written. The next request tries again. */
  onFault?: (error: unknown) => void
}): Quota {
  const { db, cache, now, times = { leaseMs: LEASE_MS, settleMs: SETTLE_MS } } = options
  const warnings = createWarnings(options)
  const blockKey = (caller: Caller, at = now()) => blockName(caller.keyId, periodsOf(at).day)
  const filling = new Map<string, Promise<void>>()
  const refusals = new Map<string, { least: number; until: number; error: Exhausted }>()
  /** What this process last filled in. */
  const fills = new Map<string, { units: number; at: number }>()

  /** As much as lasts a while, by how quickly the last fill of this process was used. */
  function wishOf(key: string): number {
    const last = fills.get(key)
    return last === undefined ? 0 : (last.units * BLOCK_LASTS_MS) / Math.max(SHORTEST_MS, now() - last.at)
  }

  /** Until this many are there for the taking, or PostgreSQL says that they are not. */
  async function fill(caller: Caller, key: string, least: number, at: number): Promise<void> {
    const refusal = refusals.get(key)
    if (refusal && least >= refusal.least && now() < refusal.until) throw refusal.error
    const wish = { least, most: wishOf(key), alone: false, at, times }
    const leased = await leaseBlock(db, caller, wish).catch((error: unknown) => {
      if (refusals.size >= MOST_REFUSALS) refusals.clear()
      if (error instanceof Exhausted) refusals.set(key, { least, until: now() + REFUSED_MS, error })
      throw error
    })
    const { block, ttlMs, granted, room } = leased
    if (fills.size >= MOST_FILLS) fills.clear()
    fills.set(key, { units: leased.units, at: now() })
    const args = [block, leased.units, ttlMs, room.day ?? '', room.month ?? '', granted]
    const [filled] = await cache.run(FILL, [key], args)
    // A newer block stands there, made by a clock ahead of ours: without this we would lease for it without end.
    if (filled !== 1) throw new CacheDown('Redis holds a newer block')
  }

  async function take(caller: Caller, key: string, units: number, at: number): Promise<{ block: string; room: Room }> {
    for (;;) {
      const [block, taken, left, day, month, size] = await cache.run(TAKE, [key], [units])
      const roomWith = (beyond: string | number | undefined) =>
        beyond === '' || beyond === undefined ? undefined : Number(beyond) + Number(left)
      if (taken === 1) {
        if (Number(left) * 2 < Number(size)) fillAhead(caller, key, at)
        return { block: String(block), room: { day: roomWith(day), month: roomWith(month) } }
      }
      // One fill at a time for a key in this process; those who waited try again, then fill for themselves.
      const running = filling.get(key)
      if (running) {
        await running.catch(() => {})
        continue
      }
      await fillAlone(caller, key, units - Number(left), at)
    }
  }

  function fillAlone(caller: Caller, key: string, least: number, at: number): Promise<void> {
    const mine = fill(caller, key, least, at).finally(() => filling.delete(key))
    filling.set(key, mine)
    return mine
  }

  /** Nobody waits for it; when it fails, whoever finds too little fills again. */
  function fillAhead(caller: Caller, key: string, at: number): void {
    // Who took before a fill may hear of it after, and would fill for what is no longer missing.
    const isFresh = now() - (fills.get(key)?.at ?? -Infinity) < SHORTEST_MS
    if (!isFresh && !filling.has(key)) fillAlone(caller, key, 1, at).catch(() => {})
  }

  /** `at` is read once: a request that crosses midnight takes from one day and pays from the same. */
  async function handOut(caller: Caller, units: number, at: number): Promise<Handed> {
    const key = blockKey(caller, at)
    for (let tries = 1; ; tries++) {
      try {
        const { block, room } = await take(caller, key, units, at)
        return {
          block,
          room,
          giveBack: (rest) => cache.run(GIVE_BACK, [key], [block, rest]),
          forget: () => cache.run(FORGET, [key], [block]),
        }
      } catch (error) {
        if (!(error instanceof CacheDown)) throw error
        // While PostgreSQL is away, too, there is nobody else to ask: Redis may only be slow.
        if (!db.isAway() || tries >= PATIENT_TRIES) break
      }
    }
    const { block, room } = await leaseBlock(db, caller, { least: units, most: 0, alone: true, at, times })
    // The block is this request's own: what it does not spend is put back when the block is closed.
    return { block, room, giveBack: async () => {}, forget: async () => {} }
  }

  return {
    ...createUsage({ db, now }),
    admit: createRate({ cache, now, nodes: options.nodes, blockKey }),
    forget: (keyIds) => dropCounts(cache, keyIds, now()),

    hold: (tx, caller, units, until) => holdUnits(tx, caller, { units, at: now(), until }),
    releasing: releaseHeld,
    held: (block) => ({
      async reserve(caller, units) {
        const periods = periodsOf(now())
        const handed = { block, room: ALL_HANDED_OUT, giveBack: async () => {}, forget: async () => {} }
        return leaseOf(caller, handed, units, () => warnings.notice(caller, periods, ALL_HANDED_OUT))
      },
    }),

    async reserve(caller, units) {
      const at = now()
      const periods = periodsOf(at)
      const handed = await handOut(caller, units, at).catch((error: unknown) => {
        if (error instanceof Exhausted) warnings.notice(caller, periods, error.room)
        throw error
      })
      return leaseOf(caller, handed, units, (rest) => warnings.notice(caller, periods, handed.room, rest))
    },
  }
}

// Of a held block only the ledger knows how much of it is used, so it is what is asked.
const ALL_HANDED_OUT: Room = { day: 0, month: 0 }

/** `onEnd`: the request is over and gives back that many. */
function leaseOf(
  caller: Caller,
  { block, giveBack, forget }: Handed,
  units: number,
  onEnd: (rest: number) => void,
): Lease {
  let rest = units
  return {
    spending: (spent) => spendFrom(caller, block, spent),
    keep(spent) {
      rest = units - spent
    },
    async explain(error) {
      if (isUnpaid(error)) {
        // Redis handed out more than the block holds, as a restored backup would. Its idea of the block must go.
        rest = 0
        await forget().catch(() => {})
        return new ApiError('unavailable', { cause: error, retryAfter: 1 })
      }
      // A connection lost on the way: the commit may stand. Any other refusal undid everything.
      if (error instanceof ApiError && error.code === 'unavailable' && !(error instanceof NotWritten)) rest = 0
      return error
    },
    async [Symbol.asyncDispose]() {
      // Redis away: the block keeps them until it is closed.
      if (rest > 0) await giveBack(rest).catch(() => {})
      onEnd(rest)
    },
  }
}
