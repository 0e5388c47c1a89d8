/**
 * The history of an account's generate requests and their results, newest first.
 *
 * Ids sort by time, so a page is a backward scan of the primary key inside one partition, whatever the size of the
 * table. `options` and `suggestions` are stored and returned as JSON text: they are spliced into the response without
 * parsing.
 *
 * An account's retention hides old records at once. They are deleted as the account records new ones, and every night.
 * So are the oldest records beyond the bytes that its plan allows; a new record is never refused for what is stored.
 */
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import { accountOf, ofAccount, own, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Own, Statement, Value, Window } from '../../platform/db/db.ts'
import { createStoredBytes, rowsIn } from '../../platform/db/stored-bytes.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { firstIdOf, makeId } from '../../model/id.ts'

export interface HistoryEntry {
  readonly description: string
  readonly count: number
  readonly language: string
  /** JSON text. */
  readonly options: string
  readonly suggestions: string
}

export interface HistoryRow extends HistoryEntry {
  readonly id: string
  readonly created_at: Date
  readonly key_id: KeyId
}

export interface HistoryFilter {
  readonly q?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly key_id?: string | undefined
}

export interface History {
  /** Commit with the quota that pays for it; returns no statement when the account keeps no history. */
  recording(caller: Caller, entry: HistoryEntry): readonly Own[]
  /**
   * Call it when a record is committed: deletes the oldest ones beyond the plan's limit. Never fails; what it leaves, the
   * next record or the night deletes.
   */
  keepWithinPlan(caller: Caller, entry: HistoryEntry): Promise<void>
  listing(caller: Caller, filter: HistoryFilter, page: Window): Own<HistoryRow>
  finding(caller: Caller, id: string): Own<HistoryRow>
  forgetting(account: AccountId): Statement[]
  /** At most `most` rows that are older than the account's retention. */
  expiring(account: AccountId, historyDays: number, most: number): Statement
  /** At most `most` rows: the oldest, beyond this many bytes. */
  trimming(account: AccountId, bytes: number, most: number): Statement
  /** Includes rows that retention hides and has not yet deleted. */
  exporting(acting: Acting): Exported
}

const COLUMNS = 'id, created_at, key_id, description, count, language, options, suggestions'
const DAY_MS = 86_400_000
// Each record deletes more rows than it adds, so a shortened retention takes effect gradually.
const EXPIRE_AT_ONCE = 20
// The only list that can be so long that deleting it exceeds the normal statement timeout.
const FORGET_SECONDS = 120

// A row besides its texts, with its index.
const ROW_BYTES = 500
const SIZE = `${ROW_BYTES} + pg_column_size(description) + pg_column_size(options) + pg_column_size(suggestions)`
// Deleted down to a little less than the limit, so that a full history is not trimmed with every record.
const KEPT_SHARE = 31 / 32
const TRIM_AT_ONCE = 5_000

export function openHistory({ db, now }: { db: Db; now: () => number }): History {
  // A point in time as an id, because the primary key is sorted by it: an age is then a range scan.
  const oldestOf = (days: number) => firstIdOf(now() - days * DAY_MS)
  const oldest = (caller: Caller) => (caller.historyDays === null ? null : oldestOf(caller.historyDays))

  const bytes = createStoredBytes({ what: 'history_bytes', measure, now })

  async function measure(account: AccountId, limit: number): Promise<number> {
    const [found] = await db.as(account, [
      sql<{ bytes: number }>(
        'history_measure',
        `SELECT coalesce(sum(size), 0)::bigint AS bytes FROM (
           SELECT ${SIZE} AS size FROM history WHERE account_id = $1 LIMIT $2) record`,
        [account, rowsIn(limit, ROW_BYTES)],
      ),
    ])
    return found.rows[0]?.bytes ?? 0
  }

  return {
    async keepWithinPlan({ accountId, plan, historyDays }, { description, options, suggestions }) {
      const limit = plan?.historyBytes ?? null
      if (limit === null || historyDays === 0) return
      bytes.add(accountId, ROW_BYTES + Buffer.byteLength(description + options + suggestions))
      try {
        if ((await bytes.sum(accountId, limit)) <= limit) return
        await db.as(accountId, [trim(accountId, limit, TRIM_AT_ONCE)])
        bytes.forget(accountId)
      } catch {
        // The response is paid for and recorded.
      }
    },

    recording(caller, { description, count, language, options, suggestions }) {
      const { keyId, historyDays } = caller
      if (historyDays === 0) return []
      const at = now()
      const insert = own(
        'history_insert',
        `INSERT INTO history (account_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [makeId(at), new Date(at), keyId, description, count, language, options, suggestions],
      )
      return historyDays === null ? [insert] : [expire(oldestOf(historyDays), EXPIRE_AT_ONCE), insert]
    },

    listing(caller, filter, { limit, before }) {
      const values: Value[] = []
      const where = ['account_id = $1']
      let name = 'history_list'
      const add = (filterName: string, condition: (place: string) => string, value: Value) => {
        if (value === undefined || value === null) return
        values.push(value)
        where.push(condition(`$${values.length + 1}`))
        // The text depends on the active filters, and a prepared statement's name must stand for one text.
        name += `_${filterName}`
      }
      add('before', (p) => `id < ${p}::uuid`, before)
      add('kept', (p) => `id >= ${p}::uuid`, oldest(caller))
      add('since', (p) => `id >= ${p}::uuid`, idAt(filter.since))
      add('until', (p) => `id < ${p}::uuid`, idAt(filter.until))
      add('key', (p) => `key_id = ${p}::uuid`, filter.key_id)
      add('q', (p) => `strpos(lower(description), lower(${p})) > 0`, filter.q)
      values.push(limit + 1)
      const text = `SELECT ${COLUMNS} FROM history WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT $${values.length + 1}`
      return own(name, text, values)
    },

    finding: (caller, id) =>
      own(
        'history_find',
        `SELECT ${COLUMNS} FROM history WHERE account_id = $1 AND id = $2 AND ($3::uuid IS NULL OR id >= $3)`,
        [id, oldest(caller)],
      ),

    forgetting: (account) => [
      sql('history_forget_time', `SELECT set_config('statement_timeout', '${FORGET_SECONDS}s', true)`, []),
      {
        ...sql('history_forget', 'DELETE FROM history WHERE account_id = $1', [account]),
        mostMs: FORGET_SECONDS * 1000,
      },
    ],

    expiring: (account, historyDays, most) => ofAccount(account, expire(oldestOf(historyDays), most)),

    trimming: trim,

    exporting: (acting) => ({ history: everyEntry(db, acting) }),
  }
}

export const removeRecord = (id: string) =>
  own<{ id: string }>('history_remove', 'DELETE FROM history WHERE account_id = $1 AND id = $2 RETURNING id', [id])

export const removeHistory = () =>
  own<{ deleted: number }>(
    'history_remove_all',
    `WITH deleted AS (DELETE FROM history WHERE account_id = $1 RETURNING 1)
     SELECT count(*)::int AS deleted FROM deleted`,
    [],
  )

async function* everyEntry(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT ${COLUMNS} FROM history WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  const rows = walk<HistoryRow>(db, acting, (last, limit) =>
    sql('history_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
  for await (const { options, suggestions, ...row } of rows) {
    yield {
      ...row,
      options: JSON.parse(options) as unknown,
      suggestions: JSON.parse(correctStoredSuggestions(suggestions)) as unknown,
    }
  }
}

function idAt(moment: string | undefined): string | undefined {
  return moment === undefined ? undefined : firstIdOf(Date.parse(moment))
}

function expire(oldest: string, most: number): Own {
  return own(
    'history_expire',
    `DELETE FROM history WHERE account_id = $1 AND id IN (
       SELECT id FROM history WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3)`,
    [oldest, most],
  )
}

function trim(account: AccountId, bytes: number, most: number): Statement {
  return sql(
    'history_trim',
    `DELETE FROM history WHERE account_id = $1 AND id IN (
       SELECT id FROM history WHERE account_id = $1 AND id <= (
         SELECT id FROM (
           SELECT id, sum(size) OVER (ORDER BY id DESC) AS total FROM (
             SELECT id, ${SIZE} AS size FROM history WHERE account_id = $1 ORDER BY id DESC LIMIT $3) newest) summed
         WHERE total > $2 ORDER BY id DESC LIMIT 1)
       ORDER BY id LIMIT $4)`,
    [account, Math.floor(bytes * KEPT_SHARE), rowsIn(bytes, ROW_BYTES), most],
  )
}
