/** One job in a worker, from being taken to being settled. */
import type { JobWithMetadata } from 'pg-boss'
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { follow } from '../tracing/trail.ts'
import type { AccountId } from '../model/caller.ts'
import type { Boss } from './boss.ts'
import { HOUSE } from './queues.ts'
import type { QueueName } from './queues.ts'
import type { Settling } from './settling.ts'

export interface Job {
  readonly id: string
  readonly queue: QueueName
  /** Undefined for a job that is nobody's: one that the clock started. */
  readonly account: AccountId | undefined
  /** What was put in, as JSON gives it back: to be parsed by who knows its shape. */
  readonly data: unknown
  /** From 1. */
  readonly attempt: number
  /** There is no attempt after this one. */
  readonly isLast: boolean
  /** Fires when the worker must let go: it is told to stop, or somebody else has the job. */
  readonly signal: AbortSignal
  /**
   * Ends the job in the transaction of its effect, as the job's account. Refuses, and with it the effect, when the job is
   * no longer ours; `isNotOurs` knows that error. Whoever commits nothing just returns.
   */
  finishing(): Statement
}

/** Returning means done, throwing means again later. One whose signal fires throws, and its job is given back. */
export type Handler = (job: Job) => Promise<void>

export interface Running {
  /** Tells this attempt from every other. */
  readonly key: string
  readonly queue: QueueName
  readonly id: string
  readonly retryCount: number
  /** Whether `finishing()` was asked for: then the job may be gone because it is done. */
  readonly mayBeFinished: () => boolean
  /** Never rejects. */
  readonly ended: Promise<void>
  letGo(why: 'stopping' | 'lost'): void
}

interface Options {
  readonly queue: QueueName
  readonly row: JobWithMetadata<unknown>
  readonly handler: Handler
  readonly boss: Boss
  readonly settling: Settling
  readonly log: Logger
  readonly tracing: Tracing
}

export function runJob({ queue, row, handler, boss, settling, log, tracing }: Options): Running {
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
    const span = tracing.job(queue, traceOf(data))
    span?.note({ 'namewright.job': id, 'namewright.attempt': attempt })
    try {
      await follow({ span }, () => handler(job))
    } catch (error) {
      span?.fail(error)
      await unfinished(error)
      return
    } finally {
      span?.end()
    }
    const isOurs = await settling.finish(running)
    if (!isOurs && !askedToFinish) log.warn({ queue, job: id, attempt }, 'a job was done that was no longer ours')
  }

  async function unfinished(error: unknown): Promise<void> {
    if (why === 'lost') return
    if (why === 'stopping') return settling.giveBack([running])
    log[job.isLast ? 'error' : 'warn'](
      { err: error, queue, job: id, attempt },
      job.isLast ? 'a job failed for the last time' : 'a job failed',
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
      abort.abort(new Error(reason === 'lost' ? 'the job is no longer ours' : 'the worker is stopping'))
    },
    // Whatever could not be settled is taken again when its lease is over.
    ended: Promise.resolve()
      .then(live)
      .catch((error: unknown) => log.warn({ err: error, queue, job: id, attempt }, 'a job could not be settled')),
  }
  return running
}

function traceOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'traceparent' in data ? data.traceparent : undefined
}

// Enough to know what happened; whole stacks are in the log.
const MESSAGE_MAX = 500

function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MESSAGE_MAX)
}
