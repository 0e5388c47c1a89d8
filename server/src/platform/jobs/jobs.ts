/**
 * Jobs: work that outlives a request. A job is enqueued together with its cause and completed by a worker, once.
 *
 * Enqueuing and finishing are statements, so that they commit with their cause and effect: a job exists exactly when
 * its cause does, and is gone exactly when its effect is committed. In between a worker may die, stop or lose its
 * lease; then the job is retried, and `finishing()` refuses the worker that lost it.
 *
 * The queue is pg-boss, in PostgreSQL. Code outside this folder must not depend on that.
 */
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import { openJobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import type { AccountId } from '../../model/caller.ts'
import { traceParentOf } from '../tracing/traceparent.ts'
import { activeTraceContext } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { openBoss } from './boss.ts'
import { countJobs, listDead } from './reading.ts'
import type { DeadJob, QueueCount } from './reading.ts'
import { DEAD } from './queues.ts'
import type { QueueName } from './queues.ts'
import { startWork } from './work.ts'
import type { JobWork, WorkOptions } from './work.ts'

export type { Handler, Handlers, Job, JobWork as Work } from './work.ts'
export type { QueueName } from './queues.ts'

export interface NewJob {
  /** Serialized as JSON; keep it small, since every attempt reads and writes it. Large data has its own tables. */
  readonly data: object
  readonly afterMs?: number
  /** Within its queue; a higher number runs first. */
  readonly priority?: number
}

export interface Jobs {
  /** Commit as an account, together with the cause. */
  enqueuing(queue: QueueName, jobs: readonly NewJob[]): Statement
  /** Commit after the account itself is deleted in the same transaction: then nobody can add another job. */
  forgetting(account: AccountId): Statement[]
  /** Takes and runs jobs until it is stopped. */
  work(options: WorkOptions): JobWork
  /** The accounts after this one, in the order of their ids: the only account data that the worker's role can read. */
  listAccounts(after: string, limit: number): Promise<readonly AccountId[]>
  counts(): Promise<readonly QueueCount[]>
  /** Oldest first. */
  listDead(filter: { readonly queue?: QueueName | undefined; readonly limit: number }): Promise<readonly DeadJob[]>
  /** Puts dead jobs back into their queues as new ones; returns how many. */
  redrive(filter: { readonly queue?: QueueName | undefined; readonly id?: string | undefined }): Promise<number>
  close(): Promise<void>
}

// The number of jobs that pg-boss moves at a time.
const REDRIVE_AT_ONCE = 1_000

export interface JobsOptions {
  readonly url: string
  readonly log: Logger
  readonly tracing?: Tracing | undefined
}

export function openJobs({ url, log, tracing }: JobsOptions): Jobs {
  const pool = openJobsPool({ url })
  return {
    enqueuing: (queue, jobs) =>
      sql('jobs_enqueue', 'SELECT enqueue_jobs($1, $2::jsonb)', [queue, JSON.stringify(jobs.map(wireOf))]),

    forgetting: () => [sql('jobs_forget', 'SELECT forget_jobs()', [])],

    work: (options) => startWork({ ...options, pool, log, tracing }),

    async listAccounts(after, limit) {
      const text = 'SELECT id FROM public.account WHERE id > $1 ORDER BY id LIMIT $2'
      const rows = await pool.run<{ id: AccountId }>(text, [after, limit])
      return rows.map(({ id }) => id)
    },

    counts: () => countJobs(pool),
    listDead: (filter) => listDead(pool, filter),

    async redrive({ queue, id }) {
      await using boss = await openBoss(pool, { log, schedules: false })
      let [moved, total] = [0, 0]
      const filter = { ...(queue ? { sourceName: queue } : {}), ...(id ? { ids: [id] } : {}), limit: REDRIVE_AT_ONCE }
      do {
        moved = await boss.redrive(DEAD, filter)
        total += moved
      } while (moved === REDRIVE_AT_ONCE)
      return total
    },

    close: () => pool.close(),
  }
}

function wireOf({ data, afterMs, priority }: NewJob): object {
  return { data: withTrace(data), after_ms: afterMs ?? 0, priority: priority ?? 0 }
}

/** Adds the trace of the request that caused the job. */
function withTrace(data: object): object {
  const span = activeTraceContext()?.span
  return span === undefined ? data : { ...data, traceparent: traceParentOf(span) }
}

// The error code of the third migration for a job that this worker no longer holds.
const NOT_OURS = 'NWJ01'

/** True when `finishing()` refused the commit: another worker runs the job, or has finished it. */
export function isNotOurs(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NOT_OURS
}
