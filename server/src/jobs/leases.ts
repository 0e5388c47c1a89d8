/**
 * Whose a running job is. A worker renews the leases of what it runs, and looks for those that nobody has renewed:
 * a worker that was killed, or that hangs, loses its jobs to the others a little later.
 *
 * **Invariant:** a lease only decides who tries. That the effect happens once is decided by `finish_job`.
 */
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import type { Boss } from './boss.ts'
import { QUEUE_NAMES } from './queues.ts'
import type { Running } from './running.ts'
import { listsOf, MINE } from './settling.ts'

// Short enough that a killed worker's jobs go on soon, long enough that a busy process or a slow commit is not taken
// for a dead one: three renewals may fail.
const LEASE_MS = 9_000
const RENEW_MS = 2_500
const LOOK_MS = 2_000

interface Options {
  readonly pool: JobsPool
  readonly boss: Boss
  readonly running: ReadonlyMap<string, Running>
  readonly log: Logger
}

export function keepLeases({ pool, boss, running, log }: Options): { close(): void } {
  let renewedAt = performance.now()

  async function renew(): Promise<void> {
    const mine = [...running.values()]
    if (mine.length > 0) {
      const rows = await pool.run<{ key: string }>(
        `UPDATE job SET heartbeat_on = now() FROM ${MINE} RETURNING concat_ws(' ', job.id, job.retry_count) AS key`,
        listsOf(mine),
      )
      const renewed = new Set(rows.map(({ key }) => key))
      for (const one of mine) if (!renewed.has(one.key) && !one.mayBeFinished()) one.letGo('lost')
    }
    renewedAt = performance.now()
  }

  /** Without the database nothing can be finished either, and by now another worker may have our jobs. */
  function loseAll(error: unknown): void {
    log.warn({ err: error }, 'leases could not be renewed')
    if (performance.now() - renewedAt > LEASE_MS) for (const one of running.values()) one.letGo('lost')
  }

  /** As a failure: a job that kills its worker must not do so for ever. */
  async function takeFromTheDead(): Promise<void> {
    const rows = await pool.run<{ name: string; id: string; retryCount: number }>(
      `SELECT name, id, retry_count AS "retryCount" FROM job WHERE state = 'active' AND group_id IS NOT NULL
         AND name = ANY ($1) AND heartbeat_on < now() - $2 * interval '1 millisecond'`,
      [QUEUE_NAMES, LEASE_MS],
    )
    for (const [name, lost] of Map.groupBy(rows, (row) => row.name)) {
      log.warn({ queue: name, jobs: lost.length }, 'jobs of a lost worker')
      await boss.fail(
        name,
        lost.map(({ id, retryCount }) => ({ id, retryCount })),
        { message: 'the worker was lost' },
      )
    }
  }

  const renewing = every(RENEW_MS, () => renew().catch(loseAll))
  const looking = every(LOOK_MS, () => takeFromTheDead().catch((error: unknown) => log.warn({ err: error }, 'jobs')))
  return {
    close() {
      renewing.close()
      looking.close()
    },
  }
}

/** The next one starts when the last has ended, and not at the same moment as in other processes. */
function every(ms: number, work: () => Promise<unknown>): { close(): void } {
  let isClosed = false
  let timer = setTimeout(() => void run(), Math.random() * ms)
  async function run(): Promise<void> {
    await work()
    if (!isClosed) timer = setTimeout(() => void run(), ms * (0.9 + Math.random() / 5))
  }
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
