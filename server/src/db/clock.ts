/**
 * The time, as the database has it: what ends, begins anew or expires must do so at the same moment on every node, and a
 * machine's own clock may be wrong by hours or jump.
 *
 * An answer of the database tells that its time lay between asking and answering, and no more: a clock that agrees with
 * that is left alone, another is moved as little as makes it agree. So a slow answer moves nothing for nothing. Between two
 * looks time goes on by the process's own monotonic clock, which never jumps. Until the first look, and where the database
 * cannot be reached at the start, it is the machine's.
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
    const answeredAt = monotonic()
    if (!rows[0]) return
    const ms = Number(rows[0].ms)
    offset = Math.max(ms - answeredAt, Math.min(ms - askedAt, offset))
    const aheadMs = Date.now() - (monotonic() + offset)
    if (Math.abs(aheadMs) > NOTABLE_MS) onNotable(aheadMs)
  }

  return {
    now: () => Math.floor(monotonic() + offset),
    async follow(db) {
      await look(db).catch(() => {})
      timer = setInterval(() => void look(db).catch(() => {}), LOOK_EVERY_MS).unref()
    },
    close: () => clearInterval(timer),
  }
}
