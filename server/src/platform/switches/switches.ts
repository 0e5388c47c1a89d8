/**
 * Kill switches: the operator turns off a source on all nodes within seconds, without a restart.
 *
 * A source that is off gives no results, which the rest of the service handles: the next source is queried, and a
 * domain without any result is `unknown`. Every node reads the short list of disabled sources every two seconds; while
 * the database is unreachable the last list applies.
 */
import { sql } from '../db/db.ts'
import type { Db } from '../db/db.ts'

export interface SwitchedOff {
  readonly source: string
  readonly reason: string
  readonly since: Date
}

export interface Switches {
  isOff(source: string): boolean
  close(): void
}

const READ_EVERY_MS = 2_000

export async function openSwitches({ db }: { db: Pick<Db, 'find'> }): Promise<Switches> {
  let off: ReadonlySet<string> = new Set()

  async function readSwitches(): Promise<void> {
    off = new Set((await listSwitchedOff(db)).map(({ source }) => source))
  }

  await readSwitches().catch(() => {})
  const timer = setInterval(() => void readSwitches().catch(() => {}), READ_EVERY_MS).unref()
  return {
    isOff: (source) => off.has(source),
    close: () => clearInterval(timer),
  }
}

export async function listSwitchedOff(db: Pick<Db, 'find'>): Promise<readonly SwitchedOff[]> {
  const text = 'SELECT source, reason, since FROM switched_off ORDER BY since'
  return (await db.find(sql<SwitchedOff>('switch_list', text, []))).rows
}

export async function switchOff(db: Pick<Db, 'lookup'>, { source, reason, since }: SwitchedOff): Promise<void> {
  const text = `INSERT INTO switched_off (source, reason, since) VALUES ($1, $2, $3)
                ON CONFLICT (source) DO UPDATE SET reason = excluded.reason`
  await db.lookup(sql('switch_off', text, [source, reason, since]))
}

export async function switchOn(db: Pick<Db, 'lookup'>, source: string): Promise<boolean> {
  const { count } = await db.lookup(sql('switch_on', 'DELETE FROM switched_off WHERE source = $1', [source]))
  return count > 0
}
