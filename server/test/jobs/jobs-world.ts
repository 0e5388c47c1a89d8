/** A world with a table to leave effects in, and the queue from the inside. */
import { type Jobs, openJobs, openLog, type QueueName } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'

export interface JobsWorld extends AsyncDisposable {
  readonly world: World
  readonly jobs: Jobs
  /** Rows of the queue as they are, oldest first. */
  rows(queue: string): Promise<JobRow[]>
  /** For a job that is put in later: how often it is tried again, and after how many seconds at first. */
  setRetries(queue: QueueName, retries: number, delaySeconds: number): Promise<void>
}

export interface JobRow {
  readonly id: string
  readonly state: string
  readonly attempt: number
  readonly due_in: number
  readonly data: Record<string, unknown>
}

export async function openJobsWorld(): Promise<JobsWorld> {
  const world = await startApp({ own: true })
  // As a tenant's table is, but without a key that would refuse a second effect.
  await world.owner.query(`
    CREATE TABLE effect (account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE, n integer NOT NULL, pid integer);
    ALTER TABLE effect ENABLE ROW LEVEL SECURITY;
    ALTER TABLE effect FORCE ROW LEVEL SECURITY;
    CREATE POLICY own ON effect USING (account_id = acting_account());
    GRANT SELECT, INSERT ON effect TO namewright_app`)
  const jobs = openJobs({ url: world.databaseUrl, log: openLog('silent') })
  return {
    world,
    jobs,
    async rows(queue) {
      const { rows } = await world.owner.query<JobRow>(
        `SELECT id, state::text, retry_count + 1 AS attempt, data,
           extract(epoch FROM start_after - clock_timestamp())::float8 AS due_in
         FROM jobs.job WHERE name = $1 ORDER BY created_on, data ->> 'n'`,
        [queue],
      )
      return rows
    },
    async setRetries(queue, retries, delaySeconds) {
      await world.owner.query(
        'UPDATE jobs.queue SET retry_limit = $2, retry_delay = $3, retry_delay_max = NULL WHERE name = $1',
        [queue, retries, delaySeconds],
      )
    },
    async [Symbol.asyncDispose]() {
      await jobs.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

export const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ data: { n } }))
