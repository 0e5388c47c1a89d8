/**
 * Every queue: how urgent its jobs are, how often a failed one is tried again, and what starts by the clock.
 *
 * This list is what `install.ts` brings the database to; a queue that is added here is there after the next migration.
 */

/**
 * By urgency: somebody waits for `interactive`, somebody looks for `batch` now and then, nobody for `background`.
 * The highest lane gets the free places, and each has a few of its own; see `lanes.ts`.
 */
export const LANES = ['interactive', 'batch', 'background'] as const
export type Lane = (typeof LANES)[number]

export interface QueueSpec {
  readonly lane: Lane
  /** After the first attempt. A worker that dies costs an attempt, too; one that is told to stop does not. */
  readonly retries: number
  /** Before the first retry; then twice as long each time, with jitter, up to `longestDelaySeconds`. */
  readonly delaySeconds: number
  readonly longestDelaySeconds: number
  /** A cron expression in UTC: a job that is nobody's, once for all workers together. One that was missed is made up for. */
  readonly schedule?: string
}

export const QUEUES = {
  /** Generating for many descriptions, some at a time. */
  batch: { lane: 'batch', retries: 5, delaySeconds: 1, longestDelaySeconds: 60 },
  /** Telling somebody's server what happened. */
  webhook: { lane: 'interactive', retries: 5, delaySeconds: 2, longestDelaySeconds: 600 },
  /** Looking at watched domains again. */
  watch: { lane: 'background', retries: 3, delaySeconds: 5, longestDelaySeconds: 600, schedule: '* * * * *' },
  /** What is past its time goes. At a minute when fewer machines do something than at the full hour. */
  upkeep: { lane: 'background', retries: 3, delaySeconds: 60, longestDelaySeconds: 3_600, schedule: '17 3 * * *' },
} as const satisfies Record<string, QueueSpec>

export type QueueName = keyof typeof QUEUES

export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

export function isQueueName(text: string): text is QueueName {
  return Object.hasOwn(QUEUES, text)
}

export function specOf(queue: QueueName): QueueSpec {
  return QUEUES[queue]
}

/** Where a job goes when its last attempt has failed. Nothing takes jobs from there but the operator's command. */
export const DEAD = 'dead'
/** `group_id` of a job that is nobody's. */
export const HOUSE = 'house'
export const SCHEMA = 'jobs'
