/** Checks WAL archiving: whether it is on, soon enough, and whether the last attempt succeeded. */
import type { OwnerRun } from '../../platform/db/migrate.ts'

export interface Archiving {
  readonly isOn: boolean
  readonly command: string
  /** 0 is never. */
  readonly timeoutSeconds: number
  readonly lastArchivedAt: Date | null
  readonly lastFailedAt: Date | null
  /** How many WAL segments are waiting to be archived. */
  readonly waiting: number
}

// The data loss if the machine is lost: this, plus the time to archive a segment.
export const MAX_TIMEOUT_SECONDS = 5

const ASK = `
  SELECT current_setting('archive_mode') IN ('on', 'always') AS "isOn", current_setting('archive_command') AS command,
    (SELECT setting::integer FROM pg_settings WHERE name = 'archive_timeout') AS "timeoutSeconds",
    last_archived_time AS "lastArchivedAt", last_failed_time AS "lastFailedAt",
    (SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready')::integer AS waiting
  FROM pg_stat_archiver`

export async function readArchiving(run: OwnerRun): Promise<Archiving> {
  const [row] = (await run(ASK)) as Archiving[]
  if (!row) throw new Error('pg_stat_archiver is empty')
  return row
}

/** What prevents point-in-time recovery; empty if nothing does. */
export function faultsOf(archiving: Archiving): string[] {
  const { isOn, command, timeoutSeconds, lastArchivedAt, lastFailedAt, waiting } = archiving
  if (!isOn) return ['archive_mode is off: point-in-time recovery is not possible. Turn it on and restart PostgreSQL']
  return [
    ...(command.includes('pgbackrest') ? [] : ['archive_command does not call pgbackrest archive-push']),
    ...(timeoutSeconds > 0 && timeoutSeconds <= MAX_TIMEOUT_SECONDS
      ? []
      : [
          `archive_timeout is ${timeoutSeconds} s: recent writes exist on one machine only for that long, or without limit if it is 0. Set it to ${MAX_TIMEOUT_SECONDS}s`,
        ]),
    ...(lastFailedAt !== null && (lastArchivedAt === null || lastFailedAt > lastArchivedAt)
      ? [`the last WAL segment could not be archived at ${lastFailedAt.toISOString()}; see the log of PostgreSQL`]
      : []),
    ...(waiting > 10 ? [`${waiting} WAL segments are waiting to be archived`] : []),
  ]
}
