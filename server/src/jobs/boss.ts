/** pg-boss as it runs beside us: it takes, fails, revives and schedules jobs. It never changes a table. */
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
    // Its timers look after things that we do not use; what we need of them `work.ts` asks for.
    supervise: false,
    schedule: schedules,
    // Both need the owner of the tables.
    reindex: false,
    monitorVacuum: false,
    maintenanceIntervalSeconds: 600,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'jobs'))
  boss.on('warning', ({ message, data }) => log.warn({ message, data }, 'jobs'))
  await boss.start()
  return Object.assign(boss, {
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: false }),
  })
}
