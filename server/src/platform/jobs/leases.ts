/**
 * Leases of running jobs. A worker renews the leases of its jobs, and looks for expired ones: a worker that was killed,
 * or hangs, soon loses its jobs to the others.
 *
 * **Invariant:** a lease only decides which worker tries. `finish_job` ensures that the effect happens once.
 */
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import type { Boss } from './boss.ts'
import { QUEUE_NAMES } from './queues.ts'
import type { Running } from './running.ts'
import { listsOf, MINE } from './settling.ts'

// Short enough that a killed worker's jobs resume soon, long enough that a busy process or a slow commit is not taken
// for a dead one: three renewals may fail.
const LEASE_MS = 9_000
const RENEW_MS = 2_500
const CHECK_MS = 2_000

interface JobLeaseOptions {
  readonly pool: JobsPool
  readonly boss: Boss
  readonly running: ReadonlyMap<string, Running>
  readonly log: Logger
}

export function keepLeases({ pool, boss, running, log }: JobLeaseOptions): { close(): void } {
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

  /** Without the database no job can be finished either, and another worker may already hold our jobs. */
  function loseAll(error: unknown): void {
    log.warn({ err: error }, 'lease renewal failed')
    if (performance.now() - renewedAt > LEASE_MS) for (const one of running.values()) one.letGo('lost')
  }

  /** Counts as a failed attempt: a job that kills its worker must not do so forever. */
  async function takeFromTheDead(): Promise<void> {
    const rows = await pool.run<{ name: string; id: string; retryCount: number }>(
      `SELECT name, id, retry_count AS "retryCount" FROM job WHERE state = 'active' AND group_id IS NOT NULL
         AND name = ANY ($1) AND heartbeat_on < now() - $2 * interval '1 millisecond'`,
      [QUEUE_NAMES, LEASE_MS],
    )
    for (const [name, lost] of Map.groupBy(rows, (row) => row.name)) {
      log.warn({ queue: name, jobs: lost.length }, 'retrying jobs of a lost worker')
      await boss.fail(
        name,
        lost.map(({ id, retryCount }) => ({ id, retryCount })),
        { message: 'the worker was lost' },
      )
    }
  }

  const renewing = every(RENEW_MS, () => renew().catch(loseAll))
  const checking = every(CHECK_MS, () =>
    takeFromTheDead().catch((error: unknown) => log.warn({ err: error }, 'job queue error')),
  )
  return {
    close() {
      renewing.close()
      checking.close()
    },
  }
}

/** The next run starts after the last has ended, with jitter so that processes do not run in step. */
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
