/**
 * Kill switches: a source that does harm is not asked any more, by any node, within seconds and without a restart.
 *
 * A source that is switched off answers nothing, which the rest of the service knows how to live with: the next one is
 * asked, and what nobody answers is `unknown`. Every node reads the short list of what is off every two seconds; while
 * the database cannot be reached the last list holds.
 */
import { sql } from '../db/db.ts'
import type { Db } from '../db/db.ts'

export const SWITCHABLE = [
  'index',
  'dns',
  'rdap',
  'vercel',
  'cloudflare',
  'name-com',
  'porkbun',
  'godaddy',
  'namecheap',
  'epp',
  'language-model',
] as const
export type Switchable = (typeof SWITCHABLE)[number]

export interface SwitchedOff {
  readonly source: Switchable
  readonly reason: string
  readonly since: Date
}

export interface Switches {
  isOff(source: string): boolean
  /** What this process knows to be off. */
  off(): readonly Switchable[]
  close(): void
}

const LOOK_EVERY_MS = 2_000

export async function openSwitches({ db }: { db: Pick<Db, 'find'> }): Promise<Switches> {
  let off: ReadonlySet<string> = new Set()

  async function look(): Promise<void> {
    off = new Set((await listSwitchedOff(db)).map(({ source }) => source))
  }

  await look().catch(() => {})
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref()
  return {
    isOff: (source) => off.has(source),
    off: () => SWITCHABLE.filter((source) => off.has(source)),
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

export async function switchOn(db: Pick<Db, 'lookup'>, source: Switchable): Promise<boolean> {
  const { count } = await db.lookup(sql('switch_on', 'DELETE FROM switched_off WHERE source = $1', [source]))
  return count > 0
}

export function isSwitchable(text: string): text is Switchable {
  return (SWITCHABLE as readonly string[]).includes(text)
}
