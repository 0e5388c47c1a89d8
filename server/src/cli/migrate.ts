/**
 * Prepares a database for this version: the migrations, then the job queue. Safe to run concurrently and repeatedly.
 */
import { applyMigrations, prepare } from '../platform/db/migrate.ts'
import { installJobs } from '../platform/jobs/install.ts'

/** Connects as the owner of the tables and returns the names of the migrations it applied. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const applied = await applyMigrations(ownerUrl)
  await prepare(ownerUrl, installJobs)
  return applied
}
