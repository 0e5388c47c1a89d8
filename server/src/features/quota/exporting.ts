/** Exports what an account's keys used, by day and month, and the quota events of the account. */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'

interface ExportedUse {
  readonly key_id: string
  readonly kind: string
  readonly starts_on: string
  readonly used: number
}

interface Event {
  readonly id: string
  readonly created_at: Date
  readonly type: string
  readonly once: string
  readonly subject: string | null
  /** JSON text. */
  readonly data: string
}

export function exporting(db: Db, acting: Acting): Exported {
  return { quota_use: everyUse(db, acting), stream_charges: everyCharge(db, acting), events: everyEvent(db, acting) }
}

interface Charge {
  readonly id: string
  readonly charged_at: Date
  readonly names: readonly string[]
}

function everyCharge(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT id, charged_at, names FROM stream_charge WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  return walk<Charge>(db, acting, (last, limit) =>
    sql('stream_charge_export', text, [accountOf(acting), last?.id ?? '', limit]),
  )
}

/** `usage.ts` explains how `used` is computed. */
function everyUse(db: Db, acting: Acting): AsyncIterable<object> {
  const first = { key_id: BEFORE_ALL, kind: '', starts_on: '-infinity' }
  const text = `SELECT key_id, kind, starts_on, (leased - coalesce((
      SELECT sum(granted - used) FROM quota_block block WHERE block.account_id = $1 AND block.key_id = period.key_id
        AND closed_at IS NULL AND day >= starts_on AND day < starts_on + ('1 ' || kind)::interval), 0))::bigint AS used
    FROM quota_period period WHERE account_id = $1 AND (key_id, kind, starts_on) > ($2, $3, $4)
    ORDER BY key_id, kind, starts_on LIMIT $5`
  return walk<ExportedUse>(db, acting, (last, limit) => {
    const { key_id: key, kind, starts_on: day } = last ?? first
    return sql('quota_export', text, [accountOf(acting), key, kind, day, limit])
  })
}

async function* everyEvent(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT id, created_at, type, once, subject, data FROM event WHERE account_id = $1 AND id > $2
                ORDER BY id LIMIT $3`
  const rows = walk<Event>(db, acting, (last, limit) =>
    sql('event_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
  for await (const row of rows) yield { ...row, data: JSON.parse(row.data) as unknown }
}
