/**
 * How often a key's budget is a transaction of its own in PostgreSQL, against how busy the key is. The clock is given, so
 * that a key of sixty thousand requests a minute does not need a machine that can do them.
 */
import { setImmediate } from 'node:timers/promises'
import { openCache } from '../../server/src/platform/cache/cache.ts'
import type { Cache } from '../../server/src/platform/cache/cache.ts'
import type { Db } from '../../server/src/platform/db/db.ts'
import { SCOPES } from '../../server/src/model/caller.ts'
import { openQuota } from '../../server/src/tenancy/quota/quota.ts'
import type { World } from '../../server/test/world.ts'
import { WIDE_QUOTA } from '../../server/test/world.ts'
import { REDIS_TIMEOUT_MS } from '../../server/test/redis.ts'

export interface LeaseCost {
  readonly requestsPerMinute: number
  readonly requests: number
  readonly units: number
  readonly leases: number
}

const RATES = [6, 60, 600, 6_000, 60_000]
const REQUESTS = 500
const UNITS = 20
// A key without a limit leases larger blocks, and is the cheaper one.
const QUOTA = { ...WIDE_QUOTA, perDay: 1_000_000 }

export async function quotaSeries(
  world: World,
  redisUrl: string,
  leasesSoFar: () => Promise<number>,
): Promise<LeaseCost[]> {
  const opened = await openCache({ urls: [redisUrl], timeoutMs: REDIS_TIMEOUT_MS })
  // Units are leased ahead while nobody waits: here the clock does, or hours pass during one lease.
  const pending = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    pending.add(work)
    return work.finally(() => pending.delete(work))
  }
  const db: Db = { ...world.db, transaction: (account, work) => track(world.db.transaction(account, work)) }
  const cache: Cache = { ...opened, run: (script, keys, args) => track(opened.run(script, keys, args)) }
  const series: LeaseCost[] = []
  try {
    for (const requestsPerMinute of RATES) {
      const accountId = await world.makeAccount()
      const { id: keyId } = await world.makeKey(accountId, { quota: QUOTA })
      const caller = { accountId, keyId, scopes: SCOPES, quota: QUOTA, historyDays: null }
      let at = Date.now()
      const quota = openQuota({ db, cache, now: () => at })
      const before = await leasesSoFar()
      for (let i = 0; i < REQUESTS; i++) {
        await using reservation = await quota.reserve(caller, UNITS)
        await world.db.as(accountId, [reservation.spending(UNITS)])
        reservation.recordCommit(UNITS)
        while (pending.size > 0) {
          await Promise.allSettled(pending)
          await setImmediate()
        }
        at += 60_000 / requestsPerMinute
      }
      series.push({ requestsPerMinute, requests: REQUESTS, units: UNITS, leases: (await leasesSoFar()) - before })
    }
  } finally {
    await opened.close()
  }
  return series
}
