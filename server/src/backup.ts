/**
 * `namewright-server backup` and `restore`: every second of the last weeks can be had again, and what must not come back does not.
 *
 * pgBackRest copies (`backup/pgbackrest.ts`), on the machine of the database. What only we can know comes after: is the restored
 * schema ours, does the ledger add up, what does Redis believe that is no longer so, and who was deleted since the moment that is
 * restored and has to be deleted again. The runbook is docs/operating/backup.md.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { faultsOf, readArchiving } from './backup/archiving.ts'
import { checkLedger, countRunningJobs, isRecovered } from './backup/ledger.ts'
import { BackupError, openPgbackrest } from './backup/pgbackrest.ts'
import type { Backup, Pgbackrest } from './backup/pgbackrest.ts'
import { findRisen, listTombstones, parseTombstones } from './backup/tombstones.ts'
import type { Risen } from './backup/tombstones.ts'
import { forgetKeys } from './cache/forget.ts'
import type { Config } from './config/config.ts'
import { openLook } from './db/look.ts'
import type { Look } from './db/look.ts'
import { lookAtSchema } from './doctor/database.ts'
import { QUEUE_NAMES } from './jobs/queues.ts'
import { BLOCK_NAMES } from './quota/redis-names.ts'

const USAGE = `namewright-server backup check        does archiving work, and is there a backup of the last day?
namewright-server backup now [--type full|diff|incr]
namewright-server backup list
namewright-server restore --to TIME | --to latest     on a stopped database; TIME as 2026-11-15T12:00:00Z
namewright-server restore tombstones --since TIME     what must not come back, from the database as it was last
namewright-server restore finish [--tombstones FILE]  on the restored database, before nodes are started
backup and restore --to run pgBackRest on the machine of the database: [--stanza NAME] [--config FILE]`

interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

interface BackupOptions {
  readonly readConfig: () => Config
  /** Deletes again who came back. */
  readonly forget: (risen: Risen) => Promise<readonly string[]>
  readonly now?: () => number
}

class UsageError extends Error {}

const DAY_MS = 86_400_000
const RECOVERY_MS = 3_600_000
const TYPES = ['full', 'diff', 'incr'] as const

export async function runBackup(
  [door, ...args]: readonly string[],
  options: BackupOptions,
  { stdout, stderr }: Streams,
): Promise<number> {
  const say = (line: string) => void stdout.write(`${line}\n`)
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    const tool = openPgbackrest({ stanza: values.stanza ?? 'namewright', configFile: values.config })
    const what = [door, ...positionals].join(' ')
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
      await using look = await openLook(options.readConfig().database.ownerUrl.reveal())
      const found = await listTombstones(look.run, momentOf(values.since, '--since'))
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
    if (!(error instanceof UsageError) && !isParseArgsError(error)) throw error
    stderr.write(`${error instanceof Error ? error.message : ''}\n${USAGE}\n`)
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
  await using look = await openLook(readConfig().database.ownerUrl.reveal())
  faults.push(...faultsOf(await readArchiving(look.run)))
  if (faults.length === 0) await tool.check()
  const newest = (await tool.list()).filter(({ isBroken }) => !isBroken).at(-1)
  if (newest === undefined) faults.push('there is no backup: run namewright-server backup now --type full')
  else if (now() - newest.endedAt.getTime() > 26 * 3_600_000) {
    faults.push(
      `the newest backup is ${((now() - newest.endedAt.getTime()) / DAY_MS).toFixed(1)} days old: see why none was made`,
    )
  }
  for (const fault of faults) say(`problem  ${fault}`)
  if (faults.length === 0) say(`ok       archiving works; ${lineOf(newest)}`)
  return faults.length === 0 ? 0 : 1
}

/** Everything between a started database and nodes that may serve from it. */
async function finish(
  file: string | undefined,
  { readConfig, forget }: BackupOptions,
  say: (line: string) => void,
): Promise<number> {
  const config = readConfig()
  const tombstones = file === undefined ? undefined : parseTombstones(await readFile(file, 'utf8'))
  await using look = await openLook(config.database.ownerUrl.reveal())
  await recovered(look)
  let isSound = true
  for (const { level, found, todo } of await lookAtSchema(config.database.ownerUrl.reveal(), QUEUE_NAMES)) {
    say(`${level.padEnd(8)} ${found}${todo === undefined ? '' : ` → ${todo}`}`)
    if (level === 'problem') isSound = false
  }
  if (!isSound) return 1
  const ledger = await checkLedger(look.run)
  if (ledger.overspent + ledger.unequal > 0) {
    isSound = false
    say(`problem  ${ledger.overspent} blocks are overspent, ${ledger.unequal} periods are not the sum of their blocks`)
  } else say(`ok       the ledger adds up: ${ledger.blocks} blocks`)
  say(
    `ok       ${await countRunningJobs(look.run)} jobs were running at that moment; they are taken again when their leases end`,
  )
  try {
    const dropped = await forgetKeys(
      config.redis.map((url) => url.reveal()),
      BLOCK_NAMES,
    )
    say(`ok       ${dropped} leased blocks were dropped from Redis: the restored ledger knows nothing of them`)
  } catch {
    isSound = false
    say('problem  Redis does not answer, and may hold blocks of the time after → start it and run this again')
  }
  if (tombstones === undefined) {
    say('warning  no --tombstones: who was deleted after that moment is there again; see docs/operating/backup.md')
  } else {
    const risen = await findRisen(look.run, tombstones)
    const left = await forget(risen)
    const { accounts, people, keys } = risen
    say(
      `ok       deleted again: ${accounts.length} accounts, ${people.length} people; revoked again: ${keys.length} keys`,
    )
    for (const line of left) say(`problem  ${line}`)
    if (left.length > 0) isSound = false
  }
  return isSound ? 0 : 1
}

/** A server that has just been started may still be reading what was archived. */
async function recovered({ run }: Look): Promise<void> {
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
  // Without a zone it would be the machine's own time, which nobody can be sure of in an emergency.
  if (Number.isNaN(moment.getTime()) || !/(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '')) {
    throw new UsageError(`${option} must be a moment with its zone, such as 2026-11-15T12:00:00Z.`)
  }
  return moment
}

function isParseArgsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
