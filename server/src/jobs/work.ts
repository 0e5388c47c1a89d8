/**
 * The worker's loop: look, take, do, settle.
 *
 * pg-boss has a loop of its own, one for each queue, each asking the database twice a second and knowing nothing of the
 * others. Here one question tells which queues have work at all, and what is taken depends on the places that all lanes
 * share (`lanes.ts`). Right after work was found the next look comes soon; while there is none, once a second.
 *
 * A job is ours for as long as its lease is renewed (`leases.ts`). Told to stop, the loop takes nothing more and lets
 * what runs come to its end for some seconds; then it fires the signal of whatever is left and gives that back, for
 * another worker to take at once. Such an attempt does not count.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { openBoss } from './boss.ts'
import type { Boss } from './boss.ts'
import { freePlaces } from './lanes.ts'
import { keepLeases } from './leases.ts'
import { LANES, QUEUE_NAMES, specOf } from './queues.ts'
import type { Lane, QueueName } from './queues.ts'
import { createSettling } from './settling.ts'
import { runJob } from './running.ts'
import type { Handler, Running } from './running.ts'

export type { Handler, Job } from './running.ts'

export type Handlers = Readonly<Partial<Record<QueueName, Handler>>>

export interface Work {
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

// Right after work was found, and while there is none. Between the two it doubles.
const SOON_MS = 50
const IDLE_MS = 1_000
// Well below the 30 s that container platforms wait between SIGTERM and SIGKILL.
const DRAIN_MS = 8_000
// For a handler to notice its signal.
const LET_GO_MS = 1_000
// pg-boss removes what is past its time, and counts; it does so at most once a minute for all workers together.
const SUPERVISE_MS = 60_000

export interface WorkOptions {
  /** Only the queues that have one are looked at. */
  readonly handlers: Handlers
  /** How many jobs run at the same time. */
  readonly places: number
  /** How long what runs may go on when we are told to stop. */
  readonly drainMs?: number
}

interface Tools {
  readonly pool: JobsPool
  readonly log: Logger
  readonly tracing: Tracing
}

export function startWork({ pool, log, tracing, handlers, places, drainMs = DRAIN_MS }: Tools & WorkOptions): Work {
  const stopping = new AbortController()
  const running = new Map<string, Running>()
  const queues = QUEUE_NAMES.filter((queue) => handlers[queue])
  const settling = createSettling({ pool, log })
  let wake = Promise.withResolvers<void>()
  let turn = 0

  async function loop(): Promise<void> {
    const boss = await openPatiently()
    if (!boss) return
    const leases = keepLeases({ pool, boss, running, log })
    const supervising = setInterval(() => void boss.supervise().catch(fault), SUPERVISE_MS)
    let pauseMs = SOON_MS
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      const taken = await takeAll(boss).catch(fault)
      pauseMs = taken ? SOON_MS : Math.min(IDLE_MS, pauseMs * 2)
      await pause(pauseMs)
    }
    await drain()
    clearInterval(supervising)
    leases.close()
    await boss[Symbol.asyncDispose]()
  }

  /** The database may be away when a process starts, and come back. */
  async function openPatiently(): Promise<Boss | undefined> {
    for (let isTold = false; !stopping.signal.aborted;) {
      try {
        return await openBoss(pool, { log, schedules: true })
      } catch (error) {
        if (!isTold) fault(error)
        isTold = true
        wake = Promise.withResolvers()
        if (!stopping.signal.aborted) await pause(IDLE_MS)
      }
    }
    return undefined
  }

  /** Until a place is free again, we are told to stop, or the time is over. */
  async function pause(ms: number): Promise<void> {
    const timer = setTimeout(wake.resolve, ms)
    await wake.promise
    clearTimeout(timer)
  }

  /** The highest lane first; within a lane another queue first each time. */
  async function takeAll(boss: Boss): Promise<number> {
    const open = queues.filter((queue) => free(specOf(queue).lane) > 0)
    if (open.length === 0) return 0
    const rows = await pool.run<{ name: QueueName }>(
      `SELECT queue.name FROM unnest($1::text[]) AS queue (name) WHERE EXISTS (
         SELECT FROM job WHERE job.name = queue.name AND state < 'active' AND NOT blocked AND start_after <= now())`,
      [open],
    )
    turn++
    let taken = 0
    for (const lane of LANES) {
      const ready = rows.map(({ name }) => name).filter((name) => specOf(name).lane === lane)
      for (let at = 0; at < ready.length && !stopping.signal.aborted; at++) {
        const queue = ready[(at + turn) % ready.length]
        if (queue && free(lane) > 0) taken += await take(boss, queue, free(lane))
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
    wake.resolve()
  }

  function free(lane: Lane): number {
    const byLane = { interactive: 0, batch: 0, background: 0 }
    for (const { queue } of running.values()) byLane[specOf(queue).lane]++
    return freePlaces(places, byLane, lane)
  }

  async function drain(): Promise<void> {
    const allEnded = () => Promise.all([...running.values()].map(({ ended }) => ended))
    await Promise.race([allEnded(), sleep(drainMs, undefined, { ref: false })])
    for (const one of running.values()) one.letGo('stopping')
    await Promise.race([allEnded(), sleep(LET_GO_MS, undefined, { ref: false })])
    await settling.giveBack([...running.values()]).catch(fault)
  }

  function fault(error: unknown): void {
    log.warn({ err: error }, 'jobs')
  }

  const ended = loop().catch(fault)
  return {
    async stop() {
      stopping.abort()
      wake.resolve()
      await ended
    },
  }
}
