/**
 * The database's time: expiries and resets must happen at the same moment on every node, and a machine's own clock may
 * be off by hours or jump.
 *
 * A response only proves that the database's time lay between request and response. A clock within that interval stays;
 * any other clock moves by the smallest step that makes it agree. So a slow response never moves a correct clock.
 * Between two readings the process's monotonic clock counts, which never jumps. Until the first reading, and while the
 * database is unreachable at the start, the machine's clock is used.
 */
import type { Db } from './db.ts'
import { sql } from './db.ts'

export interface Clock {
  readonly now: () => number
  /** Reads the database's time at once, and then every half minute. */
  follow(db: Pick<Db, 'find'>): Promise<void>
  close(): void
}

const READ_EVERY_MS = 30_000
// Worth a log entry: certificates and other machines' clocks will be off by as much.
const NOTABLE_MS = 5_000

export function createClock(onNotable: (aheadMs: number) => void): Clock {
  const monotonic = () => performance.timeOrigin + performance.now()
  let offset = Date.now() - monotonic()
  let timer: NodeJS.Timeout | undefined

  async function readClock(db: Pick<Db, 'find'>): Promise<void> {
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
      await readClock(db).catch(() => {})
      timer = setInterval(() => void readClock(db).catch(() => {}), READ_EVERY_MS).unref()
    },
    close: () => clearInterval(timer),
  }
}
