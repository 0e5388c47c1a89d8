/**
 * The time, as the database has it: what ends, begins anew or expires must do so at the same moment on every node, and a
 * machine's own clock may be wrong by hours or jump.
 *
 * Between two looks at the database time goes on by the process's own monotonic clock, which never jumps. Until the first
 * look, and where the database cannot be reached at the start, it is the machine's.
 */
import type { Db } from './db.ts'
import { sql } from './db.ts'

export interface Clock {
  readonly now: () => number
  /** Looks at once, and then every half minute. */
  follow(db: Pick<Db, 'find'>): Promise<void>
  close(): void
}

const LOOK_EVERY_MS = 30_000
// An answer that took longer says too little about when it was given.
const LONGEST_LOOK_MS = 1_000
// Worth a line in the log: certificates and other machines' clocks will be off by as much.
const NOTABLE_MS = 5_000

export function createClock(onNotable: (aheadMs: number) => void): Clock {
  const monotonic = () => performance.timeOrigin + performance.now()
  let offset = Date.now() - monotonic()
  let timer: NodeJS.Timeout | undefined

  async function look(db: Pick<Db, 'find'>): Promise<void> {
    const askedAt = monotonic()
    const text = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms'
    const { rows } = await db.find(sql<{ ms: string }>('clock_look', text, []))
    const tookMs = monotonic() - askedAt
    if (tookMs > LONGEST_LOOK_MS || !rows[0]) return
    offset = Number(rows[0].ms) - (askedAt + tookMs / 2)
    const aheadMs = Date.now() - (monotonic() + offset)
    if (Math.abs(aheadMs) > NOTABLE_MS) onNotable(aheadMs)
  }

  return {
    now: () => Math.round(monotonic() + offset),
    async follow(db) {
      await look(db).catch(() => {})
      timer = setInterval(() => void look(db).catch(() => {}), LOOK_EVERY_MS).unref()
    },
    close: () => clearInterval(timer),
  }
}
