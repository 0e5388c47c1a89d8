/**
 * Checks that the restored ledger is consistent.
 *
 * The owner of the tables sees no tenant's rows while row-level security is forced, so it is lifted inside a
 * transaction that is rolled back. That locks the tables while they are read, so no node may serve meanwhile.
 */
import type { OwnerRun } from '../../platform/db/migrate.ts'

export interface LedgerFaults {
  /** Blocks with more spent than granted. */
  readonly overspent: number
  /** Periods of this month whose leases are not the sum of their blocks. */
  readonly unequal: number
  readonly blocks: number
}

// Blocks of past months are pruned, so only the current month adds up.
const UNEQUAL = `
  SELECT count(*)::integer AS count FROM quota_period p
  WHERE starts_on >= date_trunc('month', now())::date AND leased <> (
    SELECT coalesce(sum(granted), 0) FROM quota_block b WHERE b.account_id = p.account_id AND b.key_id = p.key_id
      AND CASE p.kind WHEN 'day' THEN b.day = p.starts_on
        ELSE date_trunc('month', b.day)::date = p.starts_on END)`

export async function checkLedger(run: OwnerRun): Promise<LedgerFaults> {
  const count = async (text: string) => ((await run(text)) as { count: number }[])[0]?.count ?? 0
  await run('BEGIN')
  try {
    for (const table of ['quota_period', 'quota_block']) await run(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`)
    return {
      overspent: await count('SELECT count(*)::integer AS count FROM quota_block WHERE used > granted OR used < 0'),
      unequal: await count(UNEQUAL),
      blocks: await count('SELECT count(*)::integer AS count FROM quota_block'),
    }
  } finally {
    await run('ROLLBACK')
  }
}

/** A server that has just started may still be replaying archived WAL. */
export async function isRecovered(run: OwnerRun): Promise<boolean> {
  const [row] = (await run('SELECT pg_is_in_recovery() AS follows')) as { follows: boolean }[]
  return row?.follows === false
}

export async function countRunningJobs(run: OwnerRun): Promise<number> {
  const [row] = (await run("SELECT count(*)::integer AS running FROM jobs.job WHERE state = 'active'")) as {
    running: number
  }[]
  return row?.running ?? 0
}
