/** The two ends of an attempt that pg-boss has no word for: done without a trace, and given back without counting. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'

/** An attempt: the job as it was taken. Once it is taken again it is another one. */
export interface Attempt {
  readonly queue: string
  readonly id: string
  readonly retryCount: number
}

export interface Settling {
  /** Whether it was still ours. */
  finish(attempt: Attempt): Promise<boolean>
  giveBack(attempts: readonly Attempt[]): Promise<void>
}

/** Joins the statements below to the attempts they are about. */
export const MINE = `unnest($1::text[], $2::uuid[], $3::int[]) AS mine (name, id, retry_count)
  WHERE job.name = mine.name AND job.id = mine.id AND job.retry_count = mine.retry_count AND job.state = 'active'`

// A handler that commits nothing itself would be run again, so a moment without the database is waited out.
const PAUSES_MS = [200, 1_000, 3_000]

export function createSettling({ pool, log }: { pool: JobsPool; log: Logger }): Settling {
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await work()
      } catch (error) {
        log.warn({ err: error }, 'a job could not be settled yet')
        await sleep(pauseMs)
      }
    }
    return work()
  }

  return {
    async finish(attempt) {
      const rows = await patiently(() => pool.run(`DELETE FROM job USING ${MINE} RETURNING job.id`, listsOf([attempt])))
      return rows.length > 0
    },

    async giveBack(attempts) {
      if (attempts.length === 0) return
      await pool.run(
        // One more retry than before, so that this attempt has not cost one.
        `UPDATE job SET state = 'retry', start_after = now(), heartbeat_on = NULL, retry_limit = job.retry_limit + 1
         FROM ${MINE}`,
        listsOf(attempts),
      )
    },
  }
}

export function listsOf(attempts: readonly Attempt[]): unknown[] {
  return [
    attempts.map(({ queue }) => queue),
    attempts.map(({ id }) => id),
    attempts.map(({ retryCount }) => retryCount),
  ]
}
