/**
 * The Redis databases of a test worker. Each worker has three numbers of its own, so that nothing that one worker stores
 * is ever found by another. Test files of a worker run one after the other.
 *
 *   REDIS_URL         for the nodes of its files
 *   STAGE_REDIS_URL   for the node that the tests of the app share, whose registrar differs from everybody else's
 *   emptyRedis()      for one file: verdicts are cached in Redis, and a resolver that lies must neither read nor write
 *                     the cache of other files
 */
import { Redis } from 'ioredis'
import type { Cache } from './source.ts'

// Redis has 16 databases unless it is configured otherwise. What runs outside of Vitest counts as the last worker.
const LAST_WORKER = 5
const { VITEST_POOL_ID } = process.env
const worker = VITEST_POOL_ID === undefined ? LAST_WORKER : Number(VITEST_POOL_ID)
if (worker > LAST_WORKER)
  throw new Error(`${LAST_WORKER} workers have a Redis database of their own; this is ${worker}`)

/** Two runs on one machine need a Redis each: the second one names its own. */
export const REDIS_SERVER = process.env['NAMEWRIGHT_TEST_REDIS'] ?? 'redis://127.0.0.1:6379'

const urlOf = (nth: 1 | 2 | 3) => `${REDIS_SERVER}/${3 * (worker - 1) + nth}`

/**
 * A hundred times what a node gives Redis by itself: who gets no answer in time counts alone for a moment, and on a machine
 * with other work to do nothing exact could be tested.
 */
export const REDIS_TIMEOUT_MS = 5_000

export const REDIS_URL = urlOf(1)
export const STAGE_REDIS_URL = urlOf(2)
const OWN_URL = urlOf(3)

/** The database of one file, emptied. */
export async function emptyRedis(): Promise<{ readonly NAMEWRIGHT_REDIS_URL: string }> {
  await flush(OWN_URL)
  return { NAMEWRIGHT_REDIS_URL: OWN_URL }
}

/** For a whole run: cached verdicts and rate limits of an earlier one would count in this one. */
export async function emptyEveryDatabase(): Promise<void> {
  const numbers = Array.from({ length: 3 * LAST_WORKER }, (_, index) => index + 1)
  await Promise.all(numbers.map((number) => flush(`${REDIS_SERVER}/${number}`)))
}

export async function flush(url: string): Promise<void> {
  const redis = new Redis(url)
  await redis.flushdb()
  await redis.quit()
}

/** A cache whose scripts read the clock of the test in place of Redis's own. */
export function onClock(cache: Pick<Cache, 'run'>, clock: { readonly at: number }): Pick<Cache, 'run'> {
  return {
    run: (script, keys, args) =>
      cache.run(script.replace("redis.call('TIME')", '{ARGV[#ARGV - 1], ARGV[#ARGV]}'), keys, [
        ...args,
        Math.floor(clock.at / 1000),
        (clock.at % 1000) * 1000,
      ]),
  }
}
