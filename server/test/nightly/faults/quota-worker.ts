/**
 * One of several processes that spend the budget of one key at the same time.
 *
 * Does what a request does: reserve, commit the spending, keep. Prints what came of its attempts as one line of JSON.
 * Never tries an attempt again, and waits a moment after a refusal, so that the attempts outlast the settling of
 * blocks: on a busy machine an answer of Redis may come too late, and its units are then hidden until their block ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { REDIS_TIMEOUT_MS } from '../../redis.ts'
import { ApiError, type BlockTimes, type Caller, openCache, openDb, openQuota } from '../../source.ts'

export interface Job {
  readonly databaseUrl: string
  /** Those of a cluster with a blank in between. */
  readonly redisUrl: string
  readonly caller: Caller
  readonly times: BlockTimes
  readonly attempts: number
  readonly concurrency: number
  /** `mixed`: one to seven units, of which some requests use fewer and one in five fails before it commits. */
  readonly sizes: 'ones' | 'mixed'
  /** How long a refused caller waits before its next attempt. */
  readonly refusedPauseMs: number
  /** After so many attempts units are only reserved and given back, until the input of the process ends. */
  readonly holdAfter?: number
}

export interface Tally {
  attempts: number
  /** Attempts, and units, that were committed. */
  granted: number
  units: number
  refused: number
  givenUp: number
  /** Anything else, by code or message: there should be none. */
  failures: Record<string, number>
}

export function emptyTally(): Tally {
  return { attempts: 0, granted: 0, units: 0, refused: 0, givenUp: 0, failures: {} }
}

type Spend = (units: number, spent: number) => Promise<void>

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as Job)

async function main(job: Job): Promise<void> {
  const { databaseUrl, redisUrl, caller, times, attempts, concurrency, sizes, refusedPauseMs, holdAfter } = job
  const db = openDb({ url: databaseUrl, poolSize: 5 })
  const cache = await openCache({ urls: redisUrl.split(' '), timeoutMs: REDIS_TIMEOUT_MS })
  const quota = openQuota({ db, cache, now: Date.now, times })
  const spend: Spend = async (units, spent) => {
    await using reservation = await quota.reserve(caller, units)
    if (spent === 0) return
    try {
      await db.as(caller.accountId, [reservation.spending(spent)])
    } catch (error) {
      throw await reservation.recordFailedCommit(error)
    }
    reservation.recordCommit(spent)
  }
  const tally = emptyTally()
  const meanwhile = { ...emptyTally(), failures: tally.failures }
  let goesTo = holdAfter ?? attempts
  if (goesTo < attempts) process.stdin.resume().once('end', () => (goesTo = attempts))
  let left = attempts
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        if (attempts - left >= goesTo) {
          if (!(await attempt(spend, 1, 0, meanwhile))) await sleep(refusedPauseMs)
          continue
        }
        left--
        const [units, spent] = sizes === 'ones' ? [1, 1] : sizeOf(left)
        if (!(await attempt(spend, units, spent, tally))) await sleep(refusedPauseMs)
      }
    }),
  )
  console.log(JSON.stringify(tally))
  await cache.close()
  await db.close()
}

/** Whether it was granted. */
export async function attempt(spend: Spend, units: number, spent: number, tally: Tally): Promise<boolean> {
  tally.attempts++
  try {
    await spend(units, spent)
    if (spent === 0) tally.givenUp++
    else tally.granted++
    tally.units += spent
    return true
  } catch (error) {
    const what = error instanceof ApiError ? error.code : String(error)
    if (what === 'quota_exceeded') tally.refused++
    else tally.failures[what] = (tally.failures[what] ?? 0) + 1
    return false
  }
}

function sizeOf(n: number): [units: number, spent: number] {
  const units = 1 + (n % 7)
  if (n % 5 === 0) return [units, 0]
  return [units, n % 3 === 0 ? Math.ceil(units / 2) : units]
}
