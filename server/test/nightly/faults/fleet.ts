/**
 * One key, its budget, and the processes that spend it together; and what PostgreSQL says came of it.
 *
 * The ledger is read past row-level security and past the code under test.
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { WIDE_QUOTA } from '../../world.ts'
import type { World } from '../../world.ts'
import { type BlockTimes, type Caller, openCache, openQuota, type Quota, SCOPES } from '../../source.ts'
import { attempt, emptyTally } from './quota-worker.ts'
import type { Job, Tally } from './quota-worker.ts'
import { REDIS_TIMEOUT_MS } from '../../redis.ts'

const WORKER = new URL('quota-worker.ts', import.meta.url).pathname

// Short, so that a test sees a block end; the time to settle is still longer than a busy machine holds up a commit.
export const SHORT: BlockTimes = { leaseMs: 2_000, settleMs: 6_000 }

// Half of the attempts, when all of them are refused, take so long: longer than a block takes to end and settle.
const REFUSALS_MS = 12_000

const MAX_ROUNDS = 5

export interface Ledger {
  /** Spent, and handed out, of all blocks; and what the period says was handed out. */
  readonly used: number
  readonly granted: number
  readonly leased: number
  /** Blocks leased by a process without Redis. */
  readonly alone: number
}

export async function openFleet(world: World, { limit, redisUrl }: { limit: number; redisUrl: string }) {
  const accountId = await world.makeAccount()
  const quota = { ...WIDE_QUOTA, perDay: limit }
  const { id: keyId } = await world.makeKey(accountId, { quota })
  const caller: Caller = { accountId, keyId, scopes: SCOPES, quota, historyDays: null }
  let goOn = () => {}

  async function ledger(): Promise<Ledger> {
    const { rows } = await world.owner.query<Ledger>(
      `SELECT coalesce(sum(used), 0)::int AS used, coalesce(sum(granted), 0)::int AS granted,
         coalesce(sum(alone::int), 0)::int AS alone,
         (SELECT coalesce(sum(leased), 0)::int FROM quota_period WHERE key_id = $1 AND kind = 'day') AS leased
       FROM quota_block WHERE key_id = $1`,
      [keyId],
    )
    const [row] = rows
    if (!row) throw new Error('an aggregate has a row')
    return row
  }

  /** `attempts` in all, by that many processes at once. Those with a `holdAfter` wait there for `goOn`. */
  async function spend(
    processes: number,
    job: Pick<Job, 'attempts' | 'concurrency' | 'sizes' | 'holdAfter'>,
  ): Promise<Tally> {
    const share: Job = {
      ...job,
      attempts: job.attempts / processes,
      databaseUrl: world.databaseUrl,
      redisUrl,
      caller,
      times: SHORT,
      refusedPauseMs: Math.ceil((REFUSALS_MS * processes * job.concurrency) / (job.attempts / 2)),
    }
    const run = promisify(execFile)
    const running = Array.from({ length: processes }, () => run(process.execPath, [WORKER, JSON.stringify(share)]))
    goOn = () => running.forEach(({ child }) => child.stdin?.end())
    const outputs = await Promise.all(running)
    return outputs.map(({ stdout }) => JSON.parse(stdout) as Tally).reduce(added, emptyTally())
  }

  /** One unit at a time, until there are none. */
  async function spendTheRest(): Promise<Tally> {
    const cache = await openCache({ urls: redisUrl.split(' '), timeoutMs: REDIS_TIMEOUT_MS })
    const till = openQuota({ db: world.db, cache, now: Date.now, times: SHORT })
    const tally = emptyTally()
    while (tally.refused === 0) await attempt(() => spendOne(till), 1, 1, tally)
    await cache.close()
    return tally
  }

  const settled = () => sleep(SHORT.leaseMs + SHORT.settleMs + 200)

  async function spendOne(till: Quota): Promise<void> {
    await using reservation = await till.reserve(caller, 1)
    await world.db.as(accountId, [reservation.spending(1)])
    reservation.recordCommit(1)
  }

  return {
    caller,
    ledger,
    spend,
    goOn: () => goOn(),
    spendOne,
    spendTheRest,
    /**
     * Until `most` are spent or nothing more comes back. An answer of Redis that came too late hides its units until their
     * block ends, also from whoever spends the rest, so one round may not find all of them.
     */
    async spendUpTo(most: number, spent: number): Promise<number> {
      for (let round = 0; round < MAX_ROUNDS && spent < most; round++) {
        await settled()
        const { units, failures } = await spendTheRest()
        expect(failures).toEqual({})
        spent += units
      }
      return spent
    },
    /** Until everything that was handed out is either spent or may be put back. */
    settled,
    async usedAtLeast(units: number): Promise<void> {
      while ((await ledger()).used < units) await sleep(10)
    },
    async aloneAtLeast(blocks: number): Promise<void> {
      while ((await ledger()).alone < blocks) await sleep(10)
    },
  }
}

function added(sum: Tally, one: Tally): Tally {
  const failures = { ...sum.failures }
  for (const [what, times] of Object.entries(one.failures)) failures[what] = (failures[what] ?? 0) + times
  return {
    attempts: sum.attempts + one.attempts,
    granted: sum.granted + one.granted,
    units: sum.units + one.units,
    refused: sum.refused + one.refused,
    givenUp: sum.givenUp + one.givenUp,
    failures,
  }
}
