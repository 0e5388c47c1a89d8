/** One job in a worker, from being taken to being settled. */
import type { JobWithMetadata } from 'pg-boss'
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { withTraceContext } from '../tracing/trace-context.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Boss } from './boss.ts'
import { HOUSE } from './queues.ts'
import type { QueueName } from './queues.ts'
import type { Settling } from './settling.ts'

export interface Job {
  readonly id: string
  readonly queue: QueueName
  /** Undefined for a scheduled job, which has no account. */
  readonly account: AccountId | undefined
  /** The enqueued data as JSON; the handler must parse it. */
  readonly data: unknown
  /** Starts at 1. */
  readonly attempt: number
  /** No retry follows this attempt. */
  readonly isLast: boolean
  /** Fires when the worker must abandon the job: the worker stops, or another worker holds the job. */
  readonly signal: AbortSignal
  /**
   * Ends the job in the transaction of its effect, as the job's account. Refuses that transaction when this worker no
   * longer holds the job; `isNotOurs` recognizes the error. A handler that commits nothing simply returns.
   */
  finishing(): Statement
}

/** Returning means done, throwing means retry later. A handler whose signal fires throws, and its job is released. */
export type Handler = (job: Job) => Promise<void>

export interface Running {
  /** Identifies this attempt. */
  readonly key: string
  readonly queue: QueueName
  readonly id: string
  readonly retryCount: number
  /** Whether `finishing()` was called: then the job may be gone because it is done. */
  readonly mayBeFinished: () => boolean
  /** Never rejects. */
  readonly ended: Promise<void>
  letGo(why: 'stopping' | 'lost'): void
}

interface RunningOptions {
  readonly queue: QueueName
  readonly row: JobWithMetadata<unknown>
  readonly handler: Handler
  readonly boss: Boss
  readonly settling: Settling
  readonly log: Logger
  readonly tracing: Tracing | undefined
}

export function runJob({ queue, row, handler, boss, settling, log, tracing }: RunningOptions): Running {
  const { id, retryCount, retryLimit, groupId, data } = row
  const attempt = retryCount + 1
  const abort = new AbortController()
  let askedToFinish = false
  let why: 'stopping' | 'lost' | undefined
  const job: Job = {
    id,
    queue,
    account: groupId && groupId !== HOUSE ? (groupId as AccountId) : undefined,
    data,
    attempt,
    isLast: retryCount >= retryLimit,
    signal: abort.signal,
    finishing() {
      askedToFinish = true
      return sql('job_finish', 'SELECT finish_job($1, $2, $3)', [queue, id, attempt])
    },
  }

  async function live(): Promise<void> {
    const span = tracing?.job(queue, traceOf(data))
    span?.setAttributes({ 'namewright.job': id, 'namewright.attempt': attempt })
    try {
      await withTraceContext({ span }, () => handler(job))
    } catch (error) {
      span?.recordError(error)
      await unfinished(error)
      return
    } finally {
      span?.end()
    }
    const isOurs = await settling.finish(running)
    if (!isOurs && !askedToFinish) log.warn({ queue, job: id, attempt }, 'job finished after its lease was lost')
  }

  async function unfinished(error: unknown): Promise<void> {
    if (why === 'lost') return
    if (why === 'stopping') return settling.giveBack([running])
    log[job.isLast ? 'error' : 'warn'](
      { err: error, queue, job: id, attempt },
      job.isLast ? 'job failed, no retries left' : 'job failed',
    )
    await boss.fail(queue, { id, retryCount }, { message: messageOf(error) })
  }

  const running: Running = {
    key: `${id} ${retryCount}`,
    queue,
    id,
    retryCount,
    mayBeFinished: () => askedToFinish,
    letGo(reason) {
      why ??= reason
      abort.abort(new Error(reason === 'lost' ? 'the lease of the job was lost' : 'the worker is stopping'))
    },
    // A job that could not be settled is taken again when its lease expires.
    ended: Promise.resolve()
      .then(live)
      .catch((error: unknown) =>
        log.warn({ err: error, queue, job: id, attempt }, 'job completion could not be saved'),
      ),
  }
  return running
}

function traceOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'traceparent' in data ? data.traceparent : undefined
}

// Enough to recognize the error; full stack traces are in the log.
const MESSAGE_MAX = 500

function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MESSAGE_MAX)
}
