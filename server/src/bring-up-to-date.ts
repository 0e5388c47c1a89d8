/**
 * A database that this version can serve from: the migrations, then the job queue. Any number of processes may do it at
 * once, and doing it again changes nothing.
 */
import { migrate, prepare } from './db/migrate.ts'
import { installJobs } from './jobs/install.ts'

/** Connects as the owner of the tables and returns the names of the migrations it applied. */
export async function bringUpToDate(ownerUrl: string): Promise<string[]> {
  const applied = await migrate(ownerUrl)
  await prepare(ownerUrl, installJobs)
  return applied
}
