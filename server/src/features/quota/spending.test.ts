/**
 * Leases and spending, on the real PostgreSQL and Redis: whatever the callers, the nodes and Redis do, and in whatever
 * order, no limit is passed, the ledger is what was spent, and what was never spent can be used in the end.
 *
 * A failing program is printed with its seed; `SPENDING_SEED` runs others.
 */
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ApiError,
  BLOCK_NAMES,
  type Cache,
  CacheDown,
  type Caller,
  type Db,
  openCache,
  openQuota,
  periodsOf,
  type Quota,
  type QuotaReservation,
  SCOPES,
} from '../../../test/source.ts'
import { REDIS_TIMEOUT_MS, REDIS_URL } from '../../../test/redis.ts'
import { WIDE_QUOTA } from '../../../test/world.ts'
import { startApp } from '../../../test/start-app.ts'
import type { World } from '../../../test/world.ts'

const DAY_MS = 86_400_000
const { SPENDING_SEED = '1' } = process.env

interface Act {
  /** `hold`: commits with the next "finish", if its node lives that long. `unsure`: the commit's response is lost. */
  readonly how: 'commit' | 'roll back' | 'unsure' | 'hold' | 'batch'
  readonly node: number
  readonly key: number
  readonly units: number
  /** How many of them are found; the rest is given back. */
  readonly found: number
}

type Step = readonly Act[] | 'finish' | 'Redis forgets' | 'leases end' | 'a day passes'

const limit = fc.constantFrom(null, 15, 40, 90)
const act: fc.Arbitrary<Act> = fc.record({
  how: fc.constantFrom('commit', 'commit', 'roll back', 'unsure', 'hold', 'batch'),
  node: fc.nat(4),
  key: fc.nat(2),
  units: fc.integer({ min: 1, max: 12 }),
  found: fc.nat(12),
})
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.array(act, { minLength: 1, maxLength: 6 }) },
    { weight: 3, arbitrary: fc.constantFrom('finish', 'Redis forgets', 'leases end', 'a day passes') },
  ),
  { minLength: 1, maxLength: 10 },
)
const program = fc.record({
  steps,
  // The last days of a month.
  startsAt: fc.constantFrom(Date.UTC(2026, 10, 28, 9), Date.UTC(2026, 10, 30, 9)),
  plan: fc.record({ day: limit, month: limit }),
  keys: fc.array(fc.record({ perDay: limit, perMonth: limit }), { minLength: 3, maxLength: 3 }),
})

let world: World
let cache: Cache
let redis: Redis
beforeAll(async () => {
  world = await startApp({ own: true })
  cache = await openCache({ urls: [REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS })
  redis = new Redis(REDIS_URL)
})
afterAll(async () => {
  redis.disconnect()
  await cache.close()
  await world[Symbol.asyncDispose]()
})

test('spending is exact in every order of requests, nodes, days and losses', { timeout: 600_000 }, () =>
  fc.assert(
    fc.asyncProperty(program, async (asked) => {
      const books = await openBooks(asked)
      for (const step of asked.steps) {
        await books.take(step)
        await books.checkLedger()
        await books.checkRedis()
      }
      await books.spendTheRest()
      await books.checkLedger()
    }),
    { seed: Number(SPENDING_SEED), numRuns: 25 },
  ),
)

type Program = typeof program extends fc.Arbitrary<infer P> ? P : never

/** An account with its keys, the nodes that serve them, and what was spent according to the responses. */
async function openBooks({ startsAt, plan, keys }: Program) {
  const account = await world.makeAccount()
  await world.owner.query('INSERT INTO account_plan (account_id, names_per_day, names_per_month) VALUES ($1, $2, $3)', [
    account,
    plan.day,
    plan.month,
  ])
  const callers = await Promise.all(
    keys.map(async (limits): Promise<Caller> => {
      const quota = { ...WIDE_QUOTA, ...limits }
      const { id } = await world.makeKey(account, { quota })
      return { accountId: account, keyId: id, scopes: SCOPES, quota, historyDays: null }
    }),
  )
  const running = new Set<Promise<unknown>>()
  const { db, cache: own } = watching(running)
  let at = startsAt
  const openNode = (its: Cache) => openQuota({ db, cache: its, now: () => at })
  const nodes = [own, own, own, withoutRedis(own), losingResponses(own)].map(openNode)
  const spent: { readonly caller: Caller; readonly day: string; readonly units: number }[] = []
  const held: { readonly reservation: QuotaReservation; readonly caller: Caller; day: string; units: number }[] = []
  let isAllInRedis = true
  let isCommitLost = false

  async function commit(reservation: QuotaReservation, caller: Caller, day: string, units: number): Promise<void> {
    try {
      await db.as(account, [reservation.spending(units)])
    } catch (error) {
      // Its block may have been closed to find out what a lost commit has spent. Otherwise more was handed out than it holds.
      if (!isCommitLost) throw error
      expect(await reservation.recordFailedCommit(error)).toMatchObject({
        code: 'unavailable',
        detail: { retryAfter: 1 },
      })
      return
    }
    spent.push({ caller, day, units })
    reservation.recordCommit(units)
  }

  async function perform({ how, node, key, units, found }: Act): Promise<void> {
    const [quota, caller] = [nodes[node], callers[key]]
    if (!quota || !caller) throw new Error('there is no such node or key')
    if (node === 4) isAllInRedis = false
    const { day } = periodsOf(at)
    const used = Math.min(units, found)
    if (how === 'batch') return await runBatch(quota, caller, units, used)
    const reservation = await quota.reserve(caller, units).catch(unlessRefused)
    if (!reservation) return
    if (how === 'hold') return void held.push({ reservation, caller, day, units: used })
    await using open = reservation
    if (how === 'roll back') {
      const failing = db.transaction(account, async (tx) => {
        await tx.run(open.spending(used))
        throw new Error('rolled back')
      })
      await open.recordFailedCommit(await failing.catch((error: unknown) => error))
      return
    }
    await commit(open, caller, day, used)
    if (how === 'commit') return
    isCommitLost = true
    isAllInRedis = false
    await open.recordFailedCommit(new ApiError('unavailable'))
  }

  async function runBatch(quota: Quota, caller: Caller, units: number, used: number): Promise<void> {
    const { day } = periodsOf(at)
    const block = await db.transaction(account, (tx) => quota.reserveBlock(tx, caller, units, at + DAY_MS))
    if (block instanceof Error) return unlessRefused(block)
    await commit(await quota.fromReservedBlock(block).reserve(caller, used), caller, day, used)
    // A worker that dies after its commit is followed by one that repeats it.
    await Promise.all([1, 2].map(() => db.as(account, quota.releasing(caller, block))))
  }

  /** Leases fill in the background, too. */
  async function quiet(): Promise<void> {
    do {
      await Promise.allSettled(running)
      await turn()
    } while (running.size > 0)
  }

  async function endLeases(): Promise<void> {
    await quiet()
    held.length = 0
    await world.owner.query(
      `UPDATE quota_block SET lease_until = now() - interval '1 second', settle_by = now() - interval '1 second'
       WHERE account_id = $1 AND closed_at IS NULL`,
      [account],
    )
    await forget()
  }

  async function forget(): Promise<void> {
    await quiet()
    const names = await redis.keys(`${BLOCK_NAMES}${account}}:*`)
    if (names.length > 0) await redis.del(names)
  }

  const usedOf = (period: string, caller?: Caller) =>
    sumOf(spent.filter((one) => one.day.startsWith(period) && (caller === undefined || one.caller === caller)))

  return {
    async take(step: Step): Promise<void> {
      at += 1_000
      if (step === 'a day passes') at += DAY_MS
      else if (step === 'leases end') await endLeases()
      else if (step === 'Redis forgets') {
        isAllInRedis = false
        await forget()
      } else if (step === 'finish') {
        for (const { reservation, caller, day, units } of held.splice(0)) {
          await using open = reservation
          await commit(open, caller, day, units)
        }
      } else await Promise.all(step.map((one) => perform(one)))
    },

    async checkLedger(): Promise<void> {
      const { rows: periods } = await world.owner.query<LedgerPeriod>(LEDGER, [account])
      for (const { kind, key_id, starts_on, leased, granted, used } of periods) {
        const caller = callers.find(({ keyId }) => keyId === key_id)
        const name = `${kind} from ${starts_on} of key ${caller && callers.indexOf(caller)}`
        expect(granted, `granted in the ${name}`).toBe(leased)
        expect(used, `used in the ${name}`).toBe(usedOf(kind === 'day' ? starts_on : starts_on.slice(0, 7), caller))
        const most = (kind === 'day' ? caller?.quota.perDay : caller?.quota.perMonth) ?? Infinity
        expect(leased, `leased in the ${name}`).toBeLessThanOrEqual(most)
      }
      for (const [name, ofAll] of Map.groupBy(periods, ({ kind, starts_on }) => `${kind} from ${starts_on}`)) {
        const leased = ofAll.reduce((sum, one) => sum + one.leased, 0)
        const most = (name.startsWith('day') ? plan.day : plan.month) ?? Infinity
        expect(leased, `leased in the ${name} by all keys`).toBeLessThanOrEqual(most)
      }
      expect(periods.filter(({ kind }) => kind === 'day').reduce((sum, { used }) => sum + used, 0)).toBe(sumOf(spent))
    },

    /** Redis never has more than is left of a block, and all of it unless something was lost. */
    async checkRedis(): Promise<void> {
      await quiet()
      for (const name of await redis.keys(`${BLOCK_NAMES}${account}}:*`)) {
        const [block, left] = await redis.hmget(name, 'block', 'left')
        const { rows } = await world.owner.query<{ rest: number }>(
          'SELECT (granted - used)::int AS rest FROM quota_block WHERE account_id = $1 AND id = $2',
          [account, block],
        )
        const rest = rows[0]?.rest ?? 0
        if (isAllInRedis && held.length === 0) expect(Number(left)).toBe(rest)
        expect(Number(left)).toBeLessThanOrEqual(rest)
      }
    },

    /** When every lease is over, exactly what was never spent is there. */
    async spendTheRest(): Promise<void> {
      await endLeases()
      nodes.unshift(openNode(own))
      const { day, month } = periodsOf(at)
      const leftOf = (perDay: number | null, perMonth: number | null, caller?: Caller) =>
        Math.min((perDay ?? Infinity) - usedOf(day, caller), (perMonth ?? Infinity) - usedOf(month.slice(0, 7), caller))
      for (const [key, caller] of callers.entries()) {
        const { perDay, perMonth } = caller.quota
        const left = Math.min(leftOf(perDay, perMonth, caller), leftOf(plan.day, plan.month))
        if (left === Infinity) continue
        const before = sumOf(spent)
        for (const units of left > 0 ? [left, 1] : [1])
          await perform({ how: 'commit', node: 0, key, units, found: units })
        expect(sumOf(spent) - before, `spent of the ${left} that were left`).toBe(left)
      }
    },
  }
}

interface LedgerPeriod {
  readonly kind: 'day' | 'month'
  readonly key_id: string
  readonly starts_on: string
  readonly leased: number
  readonly granted: number
  readonly used: number
}

const LEDGER = `SELECT kind, period.key_id, starts_on::text, leased::int, coalesce(sum(granted), 0)::int AS granted,
    coalesce(sum(used), 0)::int AS used
  FROM quota_period AS period LEFT JOIN quota_block AS block ON block.account_id = period.account_id
    AND block.key_id = period.key_id AND date_trunc(kind, day)::date = starts_on
  WHERE period.account_id = $1 GROUP BY kind, period.key_id, starts_on, leased`

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') throw error
}

const sumOf = (of: readonly { readonly units: number }[]) => of.reduce((sum, { units }) => sum + units, 0)

/** The database and Redis of the nodes; what they have not answered yet is in `running`. */
function watching(running: Set<Promise<unknown>>): { db: Db; cache: Cache } {
  const watch = <T>(answer: Promise<T>): Promise<T> => {
    running.add(answer)
    answer.finally(() => running.delete(answer)).catch(() => {})
    return answer
  }
  return {
    db: { ...world.db, transaction: (acting, work) => watch(world.db.transaction(acting, work)) },
    cache: { ...cache, run: (lua, keys, args) => watch(cache.run(lua, keys, args)) },
  }
}

const withoutRedis = (its: Cache): Cache => ({ ...its, run: () => Promise.reject(new CacheDown('Redis is down')) })

const losingResponses = (its: Cache): Cache => ({
  ...its,
  async run(lua, keys, args) {
    await its.run(lua, keys, args)
    throw new CacheDown('the response was lost')
  },
})
