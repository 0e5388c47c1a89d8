/** Reports the contents of the queues to the operator. Finished jobs leave no rows, so these tables are small. */
import type { JobsPool } from '../db/jobs-pool.ts'
import { DEAD, QUEUE_NAMES } from './queues.ts'
import type { QueueName } from './queues.ts'

export interface QueueCount {
  readonly queue: QueueName
  /** Ready to be taken now. */
  readonly waiting: number
  /** Scheduled for later: delayed, or waiting for a retry. */
  readonly later: number
  readonly running: number
  readonly dead: number
  /** Waiting or scheduled jobs with at least one failed attempt. */
  readonly failed: number
  readonly oldest_waiting_seconds: number | null
}

const NONE = { waiting: 0, later: 0, running: 0, dead: 0, failed: 0, oldest_waiting_seconds: null }

export interface DeadJob {
  readonly id: string
  readonly queue: string
  /** The account, or `house` for a job without one. */
  readonly account: string
  readonly attempts: number
  readonly died_at: Date
  readonly data: unknown
  readonly error: string | null
}

export async function countJobs(pool: JobsPool): Promise<readonly QueueCount[]> {
  const rows = await pool.run<QueueCount>(
    `SELECT coalesce(source_name, name) AS queue,
       count(*) FILTER (WHERE name <> $1 AND state < 'active' AND start_after <= now())::int AS waiting,
       count(*) FILTER (WHERE name <> $1 AND state < 'active' AND start_after > now())::int AS later,
       count(*) FILTER (WHERE name <> $1 AND state = 'active')::int AS running,
       count(*) FILTER (WHERE name = $1)::int AS dead,
       count(*) FILTER (WHERE name <> $1 AND state < 'active' AND retry_count > 0)::int AS failed,
       floor(extract(epoch FROM now() - min(start_after) FILTER (
         WHERE name <> $1 AND state < 'active' AND start_after <= now())))::int AS oldest_waiting_seconds
     FROM job WHERE name = ANY ($2) GROUP BY 1`,
    [DEAD, [...QUEUE_NAMES, DEAD]],
  )
  const byQueue = new Map(rows.map((row) => [row.queue, row]))
  return QUEUE_NAMES.map((queue) => byQueue.get(queue) ?? { queue, ...NONE })
}

export async function listDead(
  pool: JobsPool,
  { queue, limit }: { queue?: QueueName | undefined; limit: number },
): Promise<readonly DeadJob[]> {
  const rows = await pool.run<DeadJob>(
    `SELECT id, source_name AS queue, group_id AS account, source_retry_count + 1 AS attempts, created_on AS died_at,
       data, source_output ->> 'message' AS error
     FROM job WHERE name = $1 AND ($2::text IS NULL OR source_name = $2) ORDER BY created_on, id LIMIT $3`,
    [DEAD, queue ?? null, limit],
  )
  return rows
}
