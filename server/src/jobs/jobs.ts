/**
 * Work that outlives a request: put into a queue with the effect that asks for it, done by a worker, once.
 *
 * Enqueuing and finishing are statements, so that they are committed with what belongs to them: a job is there exactly
 * when its cause is, and gone exactly when its effect is there. Between the two a worker may die, be stopped or lose its
 * lease; then the job is tried again, and whoever still thinks that it has the job is refused by `finishing()`.
 *
 * The queue is pg-boss's, in PostgreSQL. Nothing outside this folder knows that.
 */
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import { openJobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import type { AccountId } from '../model/caller.ts'
import { traceParentOf } from '../tracing/traceparent.ts'
import { trailNow } from '../tracing/trail.ts'
import { NO_TRACING } from '../tracing/tracing.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { openBoss } from './boss.ts'
import { countJobs, listDead } from './looking.ts'
import type { DeadJob, QueueCount } from './looking.ts'
import { DEAD } from './queues.ts'
import type { QueueName } from './queues.ts'
import { startWork } from './work.ts'
import type { Work, WorkOptions } from './work.ts'

export type { Handler, Handlers, Job, Work } from './work.ts'
export type { QueueName } from './queues.ts'

export interface NewJob {
  /** Becomes JSON; small, since it is read and written at every attempt. Large things have tables of their own. */
  readonly data: object
  readonly afterMs?: number
  /** Within its queue; higher is sooner. */
  readonly priority?: number
}

export interface Jobs {
  /** To be committed as an account, with what asks for it. */
  enqueuing(queue: QueueName, jobs: readonly NewJob[]): Statement
  /** To be committed after the account itself is gone in the same transaction: then nobody can add another. */
  forgetting(account: AccountId): Statement[]
  /** Takes and does jobs until it is stopped. */
  work(options: WorkOptions): Work
  /** The accounts behind this one, in the order of their ids: all that the worker's role can know of them. */
  listAccounts(after: string, limit: number): Promise<readonly AccountId[]>
  counts(): Promise<readonly QueueCount[]>
  /** Oldest first. */
  listDead(filter: { readonly queue?: QueueName | undefined; readonly limit: number }): Promise<readonly DeadJob[]>
  /** Puts dead jobs back into their queues, as new ones; answers how many. */
  redrive(filter: { readonly queue?: QueueName | undefined; readonly id?: string | undefined }): Promise<number>
  close(): Promise<void>
}

// pg-boss moves so many at a time.
const REDRIVE_AT_ONCE = 1_000

export interface JobsOptions {
  readonly url: string
  readonly log: Logger
  readonly tracing?: Tracing
}

export function openJobs({ url, log, tracing = NO_TRACING }: JobsOptions): Jobs {
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

/** A job that a traced request asked for knows its trace. */
function withTrace(data: object): object {
  const span = trailNow()?.span
  return span === undefined ? data : { ...data, traceparent: traceParentOf(span) }
}

// The code with which the third migration refuses a job that is no longer ours.
const NOT_OURS = 'NWJ01'

/** Was it `finishing()` that refused the commit? Then somebody else does the job, or has done it. */
export function isNotOurs(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NOT_OURS
}
