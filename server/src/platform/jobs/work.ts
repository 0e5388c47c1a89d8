/**
 * The worker's loop: poll, take, run, settle.
 *
 * pg-boss has its own loop per queue; each polls the database twice a second and ignores the others. Here one query
 * finds the queues that have work, and the slots that all queue classes share decide what is taken
 * (`queue-classes.ts`). After finding work the next poll comes soon; without work, once a second.
 *
 * A worker holds a job for as long as it renews the lease (`leases.ts`). On stop, the loop takes no more jobs and lets
 * running ones finish for some seconds. Then it fires the signals of the rest and releases those jobs, so that another
 * worker can take them at once. Such an attempt does not count.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { openBoss } from './boss.ts'
import type { Boss } from './boss.ts'
import { freePlaces } from './queue-classes.ts'
import { keepLeases } from './leases.ts'
import { QUEUE_CLASSES, QUEUE_NAMES, specOf } from './queues.ts'
import type { QueueClass, QueueName } from './queues.ts'
import { createSettling } from './settling.ts'
import { runJob } from './running.ts'
import type { Handler, Running } from './running.ts'

export type { Handler, Job } from './running.ts'

export type Handlers = Readonly<Partial<Record<QueueName, Handler>>>

export interface JobWork {
  /** Resolves when no job runs any more. */
  stop(): Promise<void>
}

// The pause right after work was found, and the pause without work. It doubles from one to the other.
const SOON_MS = 50
const IDLE_MS = 1_000
// Well below the 30 s that container platforms wait between SIGTERM and SIGKILL.
const DRAIN_MS = 8_000
// Time for a handler to react to its signal.
const LET_GO_MS = 1_000
// pg-boss deletes expired jobs and counts; it does so at most once a minute for all workers together.
const SUPERVISE_MS = 60_000

export interface WorkOptions {
  /** Only queues with a handler are polled. */
  readonly handlers: Handlers
  /** The number of jobs that run at the same time. */
  readonly places: number
  /** How long running jobs may continue after a stop is requested. */
  readonly drainMs?: number
}

interface JobTools {
  readonly pool: JobsPool
  readonly log: Logger
  readonly tracing: Tracing | undefined
}

export function startWork({
  pool,
  log,
  tracing,
  handlers,
  places,
  drainMs = DRAIN_MS,
}: JobTools & WorkOptions): JobWork {
  const stopping = new AbortController()
  const running = new Map<string, Running>()
  const queues = QUEUE_NAMES.filter((queue) => handlers[queue])
  const settling = createSettling({ pool, log })
  let notified = Promise.withResolvers<void>()
  let turn = 0

  async function loop(): Promise<void> {
    const boss = await openWithRetries()
    if (!boss) return
    const leases = keepLeases({ pool, boss, running, log })
    const supervising = setInterval(() => void boss.supervise().catch(fault), SUPERVISE_MS)
    let pauseMs = SOON_MS
    while (!stopping.signal.aborted) {
      notified = Promise.withResolvers()
      const taken = await takeAll(boss).catch(fault)
      pauseMs = taken ? SOON_MS : Math.min(IDLE_MS, pauseMs * 2)
      await pause(pauseMs)
    }
    await drain()
    clearInterval(supervising)
    leases.close()
    await boss[Symbol.asyncDispose]()
  }

  /** The database may be down when a process starts, and recover. */
  async function openWithRetries(): Promise<Boss | undefined> {
    for (let isReported = false; !stopping.signal.aborted;) {
      try {
        return await openBoss(pool, { log, schedules: true })
      } catch (error) {
        if (!isReported) fault(error)
        isReported = true
        notified = Promise.withResolvers()
        if (!stopping.signal.aborted) await pause(IDLE_MS)
      }
    }
    return undefined
  }

  /** Until a slot is free, a stop is requested, or the time is over. */
  async function pause(ms: number): Promise<void> {
    const timer = setTimeout(notified.resolve, ms)
    await notified.promise
    clearTimeout(timer)
  }

  /** The highest queue class first; within a class, a different queue first each time. */
  async function takeAll(boss: Boss): Promise<number> {
    const open = queues.filter((queue) => free(specOf(queue).queueClass) > 0)
    if (open.length === 0) return 0
    const rows = await pool.run<{ name: QueueName }>(
      `SELECT queue.name FROM unnest($1::text[]) AS queue (name) WHERE EXISTS (
         SELECT FROM job WHERE job.name = queue.name AND state < 'active' AND NOT blocked AND start_after <= now())`,
      [open],
    )
    turn++
    let taken = 0
    for (const queueClass of QUEUE_CLASSES) {
      const ready = rows.map(({ name }) => name).filter((name) => specOf(name).queueClass === queueClass)
      for (let at = 0; at < ready.length && !stopping.signal.aborted; at++) {
        const queue = ready[(at + turn) % ready.length]
        if (queue && free(queueClass) > 0) taken += await take(boss, queue, free(queueClass))
      }
    }
    return taken
  }

  async function take(boss: Boss, queue: QueueName, most: number): Promise<number> {
    const handler = handlers[queue]
    if (!handler) return 0
    const rows = await boss.fetch<unknown>(queue, { batchSize: most, includeMetadata: true })
    for (const row of rows) {
      const one = runJob({ queue, row, handler, boss, settling, log, tracing })
      running.set(one.key, one)
      void forget(one)
    }
    return rows.length
  }

  async function forget(one: Running): Promise<void> {
    await one.ended
    running.delete(one.key)
    notified.resolve()
  }

  function free(queueClass: QueueClass): number {
    const byClass = { interactive: 0, batch: 0, background: 0 }
    for (const { queue } of running.values()) byClass[specOf(queue).queueClass]++
    return freePlaces(places, byClass, queueClass)
  }

  async function drain(): Promise<void> {
    const allEnded = () => Promise.all([...running.values()].map(({ ended }) => ended))
    await Promise.race([allEnded(), sleep(drainMs, undefined, { ref: false })])
    for (const one of running.values()) one.letGo('stopping')
    await Promise.race([allEnded(), sleep(LET_GO_MS, undefined, { ref: false })])
    await settling.giveBack([...running.values()]).catch(fault)
  }

  function fault(error: unknown): void {
    log.warn({ err: error }, 'job queue error')
  }

  const ended = loop().catch(fault)
  return {
    async stop() {
      stopping.abort()
      notified.resolve()
      await ended
    },
  }
}
