/** Creates the pg-boss instance that takes, fails, revives and schedules jobs. It never changes a table. */
import { PgBoss } from 'pg-boss'
import type { JobsPool } from '../db/jobs-pool.ts'
import type { Logger } from '../log.ts'
import { SCHEMA } from './queues.ts'

export type Boss = PgBoss & AsyncDisposable

export async function openBoss(pool: JobsPool, { log, schedules }: { log: Logger; schedules: boolean }): Promise<Boss> {
  const boss = new PgBoss({
    db: pool,
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    // Its timers serve features that we do not use; `work.ts` runs the ones that we need.
    supervise: false,
    schedule: schedules,
    // Both need the owner of the tables.
    reindex: false,
    monitorVacuum: false,
    maintenanceIntervalSeconds: 600,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'))
  boss.on('warning', ({ message, data }) => log.warn({ message, data }, 'job queue warning'))
  await boss.start()
  return Object.assign(boss, {
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: false }),
  })
}
