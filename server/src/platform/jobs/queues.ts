/**
 * Every queue: its urgency, its retries, and its schedule.
 *
 * `install.ts` applies this list to the database; a new queue exists after the next migration.
 */

/**
 * By urgency: a person waits for `interactive`, checks on `batch` now and then, and never waits for `background`. The
 * highest class gets the free slots, and each has a few reserved ones; see `queue-classes.ts`.
 */
export const QUEUE_CLASSES = ['interactive', 'batch', 'background'] as const
export type QueueClass = (typeof QUEUE_CLASSES)[number]

export interface QueueSpec {
  readonly queueClass: QueueClass
  /** Retries after the first attempt. A worker that dies costs an attempt, too; a graceful stop does not. */
  readonly retries: number
  /** The delay before the first retry; then doubled each time, with jitter, up to `longestDelaySeconds`. */
  readonly delaySeconds: number
  readonly longestDelaySeconds: number
  /**
   * A cron expression in UTC: a job without an account, run once for all workers together. A missed run is made up for.
   */
  readonly schedule?: string
}

export const QUEUES = {
  /** Generates names for a chunk of a batch. */
  batch: { queueClass: 'batch', retries: 5, delaySeconds: 1, longestDelaySeconds: 60 },
  /** Delivers webhook events. */
  webhook: { queueClass: 'interactive', retries: 5, delaySeconds: 2, longestDelaySeconds: 600 },
  /** Checks watched domains. */
  watch: { queueClass: 'background', retries: 3, delaySeconds: 5, longestDelaySeconds: 600, schedule: '* * * * *' },
  /** Deletes expired rows, at a minute when fewer systems run jobs than at the full hour. */
  upkeep: {
    queueClass: 'background',
    retries: 3,
    delaySeconds: 60,
    longestDelaySeconds: 3_600,
    schedule: '17 3 * * *',
  },
} as const satisfies Record<string, QueueSpec>

export type QueueName = keyof typeof QUEUES

export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

export function isQueueName(text: string): text is QueueName {
  return Object.hasOwn(QUEUES, text)
}

export function specOf(queue: QueueName): QueueSpec {
  return QUEUES[queue]
}

/**
 * The dead-letter queue: a job goes here after its last attempt failed. Only the operator's command takes jobs from it.
 */
export const DEAD = 'dead'
/** `group_id` of a job without an account. */
export const HOUSE = 'house'
export const SCHEMA = 'jobs'
