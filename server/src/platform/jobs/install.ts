/**
 * Brings the queue tables to the state of `queues.ts`, as the owner of the tables: pg-boss's own tables first, then a
 * table per queue, the schedules, and the grants of the worker's role. Running it again changes nothing.
 *
 * A queue that was removed from the list stays, with its jobs; its schedule is deleted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { OwnerRun } from '../db/migrate.ts'
import { DEAD, HOUSE, QUEUE_NAMES, SCHEMA, specOf } from './queues.ts'
import type { QueueSpec } from './queues.ts'

const DAY_SECONDS = 86_400
// How long a dead job is kept for the operator, and an untaken job for a worker.
const KEPT_SECONDS = 30 * DAY_SECONDS
// A job may run for as long as its lease is renewed; this is pg-boss's limit for workers that renew nothing.
const RUN_SECONDS = 12 * 3_600
// A copy of each failed job is in the dead-letter queue.
const FAILED_SECONDS = 600

export async function installJobs(run: OwnerRun): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await run(text, values) }) },
    schema: SCHEMA,
    createSchema: false,
    migrate: true,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  })
  const faults: unknown[] = []
  boss.on('error', (error) => faults.push(error))
  await boss.start()
  try {
    await boss.createQueue(DEAD, { retentionSeconds: KEPT_SECONDS, deleteAfterSeconds: KEPT_SECONDS })
    for (const name of QUEUE_NAMES) {
      const options = optionsOf(specOf(name))
      await boss.createQueue(name, { ...options, partition: true })
      await boss.updateQueue(name, options)
      await schedule(boss, name, specOf(name))
    }
    for (const { name } of await boss.getSchedules()) {
      if (!(QUEUE_NAMES as string[]).includes(name)) await boss.unschedule(name)
    }
    await indexesBuilt(boss)
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
  if (faults.length > 0) throw new AggregateError(faults, 'the job queue could not be set up')
  await run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMA} TO namewright_jobs`)
}

function optionsOf({ retries, delaySeconds, longestDelaySeconds }: QueueSpec) {
  return {
    retryLimit: retries,
    retryDelay: delaySeconds,
    retryBackoff: true,
    retryDelayMax: longestDelaySeconds,
    expireInSeconds: RUN_SECONDS,
    retentionSeconds: KEPT_SECONDS,
    deleteAfterSeconds: FAILED_SECONDS,
    deadLetter: DEAD,
  }
}

async function schedule(boss: PgBoss, name: string, spec: QueueSpec): Promise<void> {
  if (spec.schedule === undefined) return boss.unschedule(name)
  return boss.schedule(name, spec.schedule, {}, { tz: 'UTC', missed: 'once', group: { id: HOUSE } })
}

/** A newer pg-boss may build indexes in the background, which only the owner can do. */
async function indexesBuilt(boss: PgBoss): Promise<void> {
  const isUnderWay = ({ status }: { status: string }) => status === 'pending' || status === 'in_progress'
  while ((await boss.getBamStatus()).some(isUnderWay)) await sleep(1_000)
}
