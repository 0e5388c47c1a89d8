/**
 * `namewright-server backup` and `restore`: point-in-time recovery of the last weeks, without bringing back deleted
 * data.
 *
 * pgBackRest copies (`cli/backup/pgbackrest.ts`), on the database machine. After a restore this file does what only
 * the service can: it checks the schema and the ledger, clears stale data in Redis, and deletes again the people and
 * accounts that were deleted after the restored moment. The runbook is docs/operating/backup.md.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseWords, UsageError } from './command-line.ts'
import type { StandardStreams } from './command-line.ts'
import { faultsOf, readArchiving } from './backup/archiving.ts'
import { checkLedger, countRunningJobs, isRecovered } from './backup/ledger.ts'
import { BackupError, openPgbackrest } from './backup/pgbackrest.ts'
import type { Backup, Pgbackrest } from './backup/pgbackrest.ts'
import { findResurrectedRows, listTombstones, parseTombstones } from './backup/tombstones.ts'
import type { ResurrectedRows } from './backup/tombstones.ts'
import { forgetKeys } from '../platform/cache/forget.ts'
import type { Config } from '../platform/config/config.ts'
import { openAdminConnection } from '../platform/db/admin-connection.ts'
import type { AdminConnection } from '../platform/db/admin-connection.ts'
import { checkSchema } from './doctor/database.ts'
import { QUEUE_NAMES } from '../platform/jobs/queues.ts'
import { BLOCK_NAMES } from '../features/quota/index.ts'

export const USAGE = `namewright-server backup check        check that archiving works and that a backup of the last day exists
namewright-server backup now [--type full|diff|incr]
namewright-server backup list
namewright-server restore --to TIME | --to latest     on a stopped database; TIME as 2026-11-15T12:00:00Z
namewright-server restore tombstones --since TIME     list what must stay deleted, from the latest state of the database
namewright-server restore finish [--tombstones FILE]  run on the restored database, before you start nodes
backup and restore --to run pgBackRest on the database host: [--stanza NAME] [--config FILE]`

interface BackupOptions {
  readonly readConfig: () => Config
  /** Deletes resurrected rows again. */
  readonly forget: (resurrected: ResurrectedRows) => Promise<readonly string[]>
  readonly now?: () => number
}

const DAY_MS = 86_400_000
const RECOVERY_MS = 3_600_000
const TYPES = ['full', 'diff', 'incr'] as const

export async function runBackup(
  [repository, ...args]: readonly string[],
  options: BackupOptions,
  { stdout, stderr }: StandardStreams,
): Promise<number> {
  const say = (line: string) => void stdout.write(`${line}\n`)
  try {
    const { values, positionals } = parseWords(args, OPTIONS)
    const tool = openPgbackrest({ stanza: values.stanza ?? 'namewright', configFile: values.config })
    const what = [repository, ...positionals].join(' ')
    if (what === 'backup check') return await check(tool, options, say)
    if (what === 'backup now') {
      await tool.make(typeOf(values.type))
      say(lineOf((await tool.list()).at(-1)))
      return 0
    }
    if (what === 'backup list') {
      const backups = await tool.list()
      say(backups.length === 0 ? 'none' : backups.map(lineOf).join('\n'))
      return 0
    }
    if (what === 'restore tombstones') {
      await using connection = await openAdminConnection(options.readConfig().database.ownerUrl.reveal())
      const found = await listTombstones(connection.run, momentOf(values.since, '--since'))
      for (const one of found) say(JSON.stringify(one))
      return 0
    }
    if (what === 'restore finish') return await finish(values.tombstones, options, say)
    if (what === 'restore' && values.to !== undefined) {
      await tool.restore(values.to === 'latest' ? undefined : momentOf(values.to, '--to'))
      say('restored; start PostgreSQL, then run: namewright-server restore finish')
      return 0
    }
    throw new UsageError(what === 'restore' ? '--to is missing.' : `There is no command ${what}.`)
  } catch (error) {
    if (error instanceof BackupError) {
      stderr.write(`pgBackRest: ${error.message}\n`)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    stderr.write(`${error.message}\n${USAGE}\n`)
    return 2
  }
}

const OPTIONS = {
  stanza: { type: 'string' },
  config: { type: 'string' },
  type: { type: 'string' },
  to: { type: 'string' },
  since: { type: 'string' },
  tombstones: { type: 'string' },
} as const

async function check(
  tool: Pgbackrest,
  { readConfig, now = Date.now }: BackupOptions,
  say: (line: string) => void,
): Promise<number> {
  const faults: string[] = []
  await using connection = await openAdminConnection(readConfig().database.ownerUrl.reveal())
  faults.push(...faultsOf(await readArchiving(connection.run)))
  if (faults.length === 0) await tool.check()
  const newest = (await tool.list()).filter(({ isBroken }) => !isBroken).at(-1)
  if (newest === undefined) faults.push('there is no backup: run namewright-server backup now --type full')
  else if (now() - newest.endedAt.getTime() > 26 * 3_600_000) {
    faults.push(
      `the newest backup is ${((now() - newest.endedAt.getTime()) / DAY_MS).toFixed(1)} days old: find out why no newer backup exists`,
    )
  }
  for (const fault of faults) say(`problem  ${fault}`)
  if (!(await tool.isEncrypted())) {
    say('warning  pgBackRest does not encrypt the backups: see "Encryption" in docs/operating/backup.md')
  }
  if (faults.length === 0) say(`ok       archiving works; ${lineOf(newest)}`)
  return faults.length === 0 ? 0 : 1
}

/** The steps between a started database and nodes that may serve from it. */
async function finish(
  file: string | undefined,
  { readConfig, forget }: BackupOptions,
  say: (line: string) => void,
): Promise<number> {
  const config = readConfig()
  const tombstones = file === undefined ? undefined : parseTombstones(await readFile(file, 'utf8'))
  await using connection = await openAdminConnection(config.database.ownerUrl.reveal())
  await recovered(connection)
  let isSound = true
  for (const { level, found, todo } of await checkSchema(config.database.ownerUrl.reveal(), QUEUE_NAMES)) {
    say(`${level.padEnd(8)} ${found}${todo === undefined ? '' : ` → ${todo}`}`)
    if (level === 'problem') isSound = false
  }
  if (!isSound) return 1
  const ledger = await checkLedger(connection.run)
  if (ledger.overspent + ledger.unequal > 0) {
    isSound = false
    say(
      `problem  ${ledger.overspent} blocks are overspent, ${ledger.unequal} periods do not equal the sum of their blocks`,
    )
  } else say(`ok       the quota ledger is consistent: ${ledger.blocks} blocks`)
  say(
    `ok       ${await countRunningJobs(connection.run)} jobs were running at that time; workers retry them when their leases expire`,
  )
  const urls = config.redis.map((url) => url.reveal())
  try {
    const dropped = urls.length === 0 ? 0 : await forgetKeys(urls, BLOCK_NAMES)
    const none = 'no leased blocks to remove: no Redis is configured'
    const removed = `${dropped} leased blocks were removed from Redis: they are not in the restored ledger`
    say(`ok       ${urls.length === 0 ? none : removed}`)
  } catch {
    isSound = false
    say('problem  Redis is unreachable and may hold newer blocks → start it and run this command again')
  }
  if (tombstones === undefined) {
    say('warning  no --tombstones: people and accounts deleted after that time are back; see docs/operating/backup.md')
  } else {
    const resurrected = await findResurrectedRows(connection.run, tombstones)
    const left = await forget(resurrected)
    const { accounts, people, keys } = resurrected
    say(
      `ok       deleted again: ${accounts.length} accounts, ${people.length} people; revoked again: ${keys.length} keys`,
    )
    for (const line of left) say(`problem  ${line}`)
    if (left.length > 0) isSound = false
  }
  return isSound ? 0 : 1
}

/** A server that has just started may still be replaying archived WAL. */
async function recovered({ run }: AdminConnection): Promise<void> {
  const until = performance.now() + RECOVERY_MS
  while (!(await isRecovered(run))) {
    if (performance.now() > until) throw new Error('the database is still in recovery after an hour; see its log')
    await sleep(500)
  }
}

function lineOf(backup: Backup | undefined): string {
  if (backup === undefined) return 'none'
  const { label, type, startedAt, endedAt, bytes, storedBytes, isBroken } = backup
  const mb = (size: number) => `${(size / 1e6).toFixed(0)} MB`
  return `${label}  ${type}  ${startedAt.toISOString()} to ${endedAt.toISOString()}  ${mb(bytes)}, stored ${mb(storedBytes)}${isBroken ? '  BROKEN' : ''}`
}

function typeOf(text: string | undefined): Backup['type'] {
  const type = TYPES.find((one) => one === (text ?? 'incr'))
  if (type === undefined) throw new UsageError(`--type must be one of ${TYPES.join(', ')}.`)
  return type
}

function momentOf(text: string | undefined, option: string): Date {
  const moment = new Date(text ?? '')
  // Without a zone it would be the machine's local time, which is ambiguous in an emergency.
  if (Number.isNaN(moment.getTime()) || !/(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '')) {
    throw new UsageError(`${option} must be a time with a time zone, such as 2026-11-15T12:00:00Z.`)
  }
  return moment
}
