/** Does this server hand over what it writes, soon enough, and did it work the last time? */
import type { OwnerRun } from '../db/migrate.ts'

export interface Archiving {
  readonly isOn: boolean
  readonly command: string
  /** 0 is never. */
  readonly timeoutSeconds: number
  readonly lastArchivedAt: Date | null
  readonly lastFailedAt: Date | null
  /** How many pieces wait to be archived. */
  readonly waiting: number
}

// What is lost when the machine is: this, and the time it takes to hand a piece over.
export const LONGEST_TIMEOUT_SECONDS = 5

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

/** What keeps a moment of the past from being had again; empty when nothing does. */
export function faultsOf(archiving: Archiving): string[] {
  const { isOn, command, timeoutSeconds, lastArchivedAt, lastFailedAt, waiting } = archiving
  if (!isOn) return ['archive_mode is off: only whole backups could be restored. Switch it on and restart the server']
  return [
    ...(command.includes('pgbackrest') ? [] : ['archive_command does not call pgbackrest archive-push']),
    ...(timeoutSeconds > 0 && timeoutSeconds <= LONGEST_TIMEOUT_SECONDS
      ? []
      : [
          `archive_timeout is ${timeoutSeconds} s: up to that long, or for ever when it is 0, writes exist on one machine only. Set it to ${LONGEST_TIMEOUT_SECONDS}s`,
        ]),
    ...(lastFailedAt !== null && (lastArchivedAt === null || lastFailedAt > lastArchivedAt)
      ? [`the last piece could not be archived at ${lastFailedAt.toISOString()}; see the log of PostgreSQL`]
      : []),
    ...(waiting > 10 ? [`${waiting} pieces wait to be archived`] : []),
  ]
}
