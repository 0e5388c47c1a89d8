/**
 * The two outcomes of an attempt that pg-boss does not support: finished without a remaining row, and released without
 * counting as an attempt.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'

/** An attempt: the job as it was taken. Taking it again makes a new attempt. */
export interface JobAttempt {
  readonly queue: string
  readonly id: string
  readonly retryCount: number
}

export interface Settling {
  /** Whether this worker still held the job. */
  finish(attempt: JobAttempt): Promise<boolean>
  giveBack(attempts: readonly JobAttempt[]): Promise<void>
}

/** Joins the statements below to their attempts. */
export const MINE = `unnest($1::text[], $2::uuid[], $3::int[]) AS mine (name, id, retry_count)
  WHERE job.name = mine.name AND job.id = mine.id AND job.retry_count = mine.retry_count AND job.state = 'active'`

// A handler without a commit of its own would run again, so a short database outage is waited out.
const PAUSES_MS = [200, 1_000, 3_000]

export function createSettling({ pool, log }: { pool: JobsPool; log: Logger }): Settling {
  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await work()
      } catch (error) {
        log.warn({ err: error }, 'job completion not saved yet, retrying')
        await sleep(pauseMs)
      }
    }
    return work()
  }

  return {
    async finish(attempt) {
      const rows = await withRetries(() =>
        pool.run(`DELETE FROM job USING ${MINE} RETURNING job.id`, listsOf([attempt])),
      )
      return rows.length > 0
    },

    async giveBack(attempts) {
      if (attempts.length === 0) return
      await pool.run(
        // One more retry than before, so that this attempt does not count.
        `UPDATE job SET state = 'retry', start_after = now(), heartbeat_on = NULL, retry_limit = job.retry_limit + 1
         FROM ${MINE}`,
        listsOf(attempts),
      )
    },
  }
}

export function listsOf(attempts: readonly JobAttempt[]): unknown[] {
  return [
    attempts.map(({ queue }) => queue),
    attempts.map(({ id }) => id),
    attempts.map(({ retryCount }) => retryCount),
  ]
}
