/**
 * What a key may still do: a rate of requests, and a budget of suggestions that is exact.
 *
 * A request reserves what it may need, keeps what it used, and gives back the rest; the three are one disposable
 * lease. Units are handed out of a leased block in Redis (one script), the block is leased from PostgreSQL when it
 * runs low, and what is kept is spent in PostgreSQL by a statement that the flow commits together with the effect.
 *
 * Nothing here can grant too much: a lost Redis, a stale Redis, a lost answer or a dead node only ever hide units
 * until their block is closed, and PostgreSQL refuses a spend beyond what a block was granted.
 */
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'
import { NotSent } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import { isUnpaid, leaseBlock, spendFrom } from './block.ts'
import type { BlockTimes } from './block.ts'
import { periodsOf } from './period.ts'
import { createRate } from './rate.ts'
import type { Pass } from './rate.ts'

export type { Pass } from './rate.ts'

export interface Lease extends AsyncDisposable {
  /** To be committed with the effect that these units pay for. */
  spending(units: number): Statement
  /** The commit went through: only what lies above `units` is given back. */
  keep(units: number): void
  /** The commit failed: what to throw instead. Where it may have gone through after all, nothing is given back. */
  explain(error: unknown): Promise<unknown>
}

export interface Quota {
  admit(caller: Caller): Promise<Pass>
  /** Fails with quota_exceeded. */
  reserve(caller: Caller, units: number): Promise<Lease>
}

// A quiet key leases once in ten minutes; what a dead Redis hides is back after as long.
const LEASE_MS = 600_000
// The longest request takes 30 s; twice that and it is over, one way or the other.
const SETTLE_MS = 60_000
// A key that is used up and keeps calling asks PostgreSQL this often per node, not once a request under a lock.
const REFUSED_MS = 250
const MOST_REFUSALS = 10_000

// KEYS: the block. ARGV: units. Answers {block, taken, left}.
const TAKE = `
local block, left = unpack(redis.call('HMGET', KEYS[1], 'block', 'left'))
left = tonumber(left or 0)
local wanted = tonumber(ARGV[1])
if not block or left < wanted then return {block or '', 0, left} end
return {block, 1, redis.call('HINCRBY', KEYS[1], 'left', -wanted)}
`

// ARGV: block, units, ttl, room of the day, room of the month. An older block never replaces a newer one.
const FILL = `
local block = redis.call('HGET', KEYS[1], 'block')
if block and block > ARGV[1] then return {0} end
if block == ARGV[1] then redis.call('HINCRBY', KEYS[1], 'left', ARGV[2])
else
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'block', ARGV[1], 'left', ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
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

export function openQuota(options: { db: Db; cache: Cache; now: () => number; times?: BlockTimes }): Quota {
  const { db, cache, now, times = { leaseMs: LEASE_MS, settleMs: SETTLE_MS } } = options
  const blockKey = (caller: Caller) => `q:{${caller.keyId}}:${periodsOf(now()).day}`
  const filling = new Map<string, Promise<void>>()
  const refusals = new Map<string, { least: number; until: number; error: ApiError }>()

  /** Until this many are there for the taking, or PostgreSQL says that they are not. */
  async function fill(caller: Caller, key: string, least: number): Promise<void> {
    const refusal = refusals.get(key)
    if (refusal && least >= refusal.least && now() < refusal.until) throw refusal.error
    const leased = await leaseBlock(db, caller, { least, alone: false, at: now(), times }).catch((error: unknown) => {
      if (refusals.size >= MOST_REFUSALS) refusals.clear()
      if (error instanceof ApiError && error.code === 'quota_exceeded')
        refusals.set(key, { least, until: now() + REFUSED_MS, error })
      throw error
    })
    const { day, month } = leased.room
    const [filled] = await cache.run(FILL, [key], [leased.block, leased.units, leased.ttlMs, day ?? '', month ?? ''])
    // A newer block stands there, made by a clock ahead of ours: without this we would lease for it without end.
    if (filled !== 1) throw new CacheDown('Redis holds a newer block')
  }

  async function take(caller: Caller, key: string, units: number): Promise<string> {
    for (;;) {
      const [block, taken, left] = await cache.run(TAKE, [key], [units])
      if (taken === 1) return String(block)
      // One fill at a time for a key in this process; those who waited try again, then fill for themselves.
      const running = filling.get(key)
      if (running) {
        await running.catch(() => {})
        continue
      }
      const mine = fill(caller, key, units - Number(left)).finally(() => filling.delete(key))
      filling.set(key, mine)
      await mine
    }
  }

  return {
    admit: createRate({ cache, now, blockKey }),

    async reserve(caller, units) {
      const key = blockKey(caller)
      try {
        const block = await take(caller, key, units)
        return leaseOf(caller, block, units, {
          giveBack: (rest) => cache.run(GIVE_BACK, [key], [block, rest]),
          forget: () => cache.run(FORGET, [key], [block]),
        })
      } catch (error) {
        if (!(error instanceof CacheDown)) throw error
        const { block } = await leaseBlock(db, caller, { least: units, alone: true, at: now(), times })
        // The block is this request's own: what it does not spend is put back when the block is closed.
        return leaseOf(caller, block, units, { giveBack: async () => {}, forget: async () => {} })
      }
    },
  }
}

function leaseOf(
  caller: Caller,
  block: string,
  units: number,
  { giveBack, forget }: { giveBack: (rest: number) => Promise<unknown>; forget: () => Promise<unknown> },
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
      if (error instanceof ApiError && error.code === 'unavailable' && !(error instanceof NotSent)) rest = 0
      return error
    },
    async [Symbol.asyncDispose]() {
      // Redis away: the block keeps them until it is closed.
      if (rest > 0) await giveBack(rest).catch(() => {})
    },
  }
}
