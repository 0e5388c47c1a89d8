/**
 * Writes an event when a key's daily or monthly budget is half used, nearly used up, or used up: one event per
 * threshold.
 *
 * Only the ledger knows whether a threshold is reached, and a query per request would cost what leasing blocks saves.
 * But each reservation also returns how much is *reserved*, which is never less than what is used. So the ledger is
 * queried only when what is reserved reaches a threshold that this process has not yet seen confirmed. The query runs in
 * the background, not in the request. The request that took the last unit below a threshold may finish before the
 * others, so the query repeats until all of them must have ended.
 *
 * **Invariants.** At most once: `event_once` refuses the second of two equal events, on whichever node. Never early:
 * the statement that writes an event counts committed units. Not lost with a node: when a node dies before it writes an
 * event, the next request of the key on any node writes it, as long as the period lasts.
 */
import { LRUCache } from 'lru-cache'
import { sql } from '../../platform/db/db.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import type { Caller } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { Remaining } from './block.ts'
import type { Periods } from './rate.ts'

export interface Warnings {
  /** Call when a request ends and returns units, or is refused. Never waits and never fails. */
  notice(caller: Caller, periods: Periods, remaining: Remaining, givenBack?: number): void
}

const PERCENTS = [50, 80, 100] as const
const KINDS = ['day', 'month'] as const
type WarningKind = (typeof KINDS)[number]

// The pause between two queries for a key, doubled each time: together a minute, after which every running request has
// ended. Units hidden by a dead node or a lost Redis can appear allocated for longer; then the next request queries
// again.
const PAUSE_MS = 250
const MAX_PAUSE_MS = 32_000
const MAX_WATCHED = 10_000

/** A key on a day, with enough units allocated to reach a threshold. */
interface WarningWatch {
  caller: Caller
  readonly periods: Periods
  /** The highest percentage that is allocated, and the highest that the ledger confirmed. */
  readonly expected: Record<WarningKind, number>
  readonly reached: Record<WarningKind, number>
  isAsking: boolean
  askedAt: number
  pauseMs: number
  timer?: NodeJS.Timeout
}

export function createWarnings(options: { db: Db; now: () => number; onFault?: (error: unknown) => void }): Warnings {
  const { db, now, onFault } = options
  const watched = new LRUCache<string, WarningWatch>({ max: MAX_WATCHED })

  async function ask(watch: WarningWatch): Promise<void> {
    const { caller, periods, expected, reached } = watch
    watch.isAsking = true
    try {
      const [found] = await db.as(caller.accountId, [notifying(caller, periods, now())])
      for (const { kind, used } of found.rows) {
        reached[kind] = Math.max(reached[kind], markOf(used, limitOf(caller, kind)))
      }
    } catch (error) {
      // A failed warning must not fail a request.
      onFault?.(error)
    }
    watch.isAsking = false
    watch.askedAt = now()
    if (KINDS.every((kind) => reached[kind] >= expected[kind]) || watch.pauseMs > MAX_PAUSE_MS) return
    askIn(watch, watch.pauseMs)
    watch.pauseMs *= 2
  }

  function askIn(watch: WarningWatch, ms: number): void {
    clearTimeout(watch.timer)
    watch.timer = setTimeout(() => void ask(watch), ms).unref()
  }

  function watchOf(caller: Caller, periods: Periods): WarningWatch {
    const name = `${caller.keyId} ${periods.day}`
    const known = watched.get(name)
    if (known) return known
    const watch = {
      caller,
      periods,
      expected: { day: 0, month: 0 },
      reached: { day: 0, month: 0 },
      isAsking: false,
      askedAt: 0,
      pauseMs: PAUSE_MS,
    }
    watched.set(name, watch)
    return watch
  }

  return {
    notice(caller, periods, remaining, givenBack = 0) {
      const allocated = KINDS.map((kind) => {
        const [limit, left] = [limitOf(caller, kind), remaining[kind]]
        return { kind, mark: left === undefined ? 0 : markOf(limit - left - givenBack, limit) }
      })
      if (allocated.every(({ mark }) => mark === 0)) return
      const watch = watchOf(caller, periods)
      if (allocated.every(({ kind, mark }) => mark <= watch.reached[kind])) return
      for (const { kind, mark } of allocated) watch.expected[kind] = Math.max(watch.expected[kind], mark)
      watch.caller = caller
      watch.pauseMs = PAUSE_MS
      if (!watch.isAsking) askIn(watch, Math.max(0, watch.askedAt + PAUSE_MS - now()))
    },
  }
}

/** Unlimited counts as 0: neither has a threshold. */
function limitOf({ quota }: Caller, kind: WarningKind): number {
  return (kind === 'day' ? quota.perDay : quota.perMonth) ?? 0
}

function markOf(units: number, limit: number): number {
  return limit === 0 ? 0 : (PERCENTS.findLast((percent) => units >= leastFor(percent, limit)) ?? 0)
}

function leastFor(percent: number, limit: number): number {
  return Math.ceil((limit * percent) / 100)
}

/** Writes the events that are due and returns the usage; `usage.ts` explains how it is computed. */
function notifying(
  caller: Caller,
  { day, month }: Periods,
  at: number,
): Statement<{ kind: WarningKind; used: number }> {
  const { accountId, keyId } = caller
  const marks = KINDS.flatMap((kind) => {
    const limit = limitOf(caller, kind)
    return limit === 0 ? [] : PERCENTS.map((percent) => ({ kind, percent, limit, least: leastFor(percent, limit) }))
  })
  // Sorted, so that the lowest of several thresholds comes first.
  const ids = marks.map(() => makeId(at)).toSorted()
  return sql(
    'quota_warning_tell',
    `WITH spent AS (
       SELECT kind, starts_on, (leased - coalesce((
           SELECT sum(granted - used) FROM quota_block WHERE account_id = $1 AND key_id = $2 AND closed_at IS NULL
             AND day >= starts_on AND day < starts_on + ('1 ' || kind)::interval), 0))::bigint AS used
       FROM quota_period WHERE account_id = $1 AND key_id = $2
         AND ((kind = 'day' AND starts_on = $3) OR (kind = 'month' AND starts_on = $4))
     ), told AS (
       INSERT INTO event (account_id, id, created_at, type, once, data)
       SELECT $1, id, $5::timestamptz, 'quota.warning', concat_ws(':', 'quota', $2::uuid, kind, starts_on, percent),
         jsonb_build_object('key_id', $2::uuid, 'period', kind, 'starts_on', starts_on, 'percent', percent,
           'used', used, 'limit', "limit")
       FROM spent JOIN jsonb_to_recordset($6::jsonb)
         AS mark (id uuid, kind text, percent integer, "limit" bigint, least bigint) USING (kind)
       WHERE used >= least
       ON CONFLICT DO NOTHING)
     SELECT kind, used FROM spent`,
    [accountId, keyId, day, month, new Date(at), JSON.stringify(marks.map((mark, i) => ({ id: ids[i], ...mark })))],
  )
}
