/**
 * Tells an account that a key's budget of a day or a month is half gone, nearly gone, gone: an event for each mark.
 *
 * Whether a mark is reached only the ledger knows, and asking it at every request would cost what leasing blocks saves.
 * But the answer that hands a request its units also says how much has been *handed out*, which is never less than
 * what is used. So the ledger is asked only when enough is out for a mark that this process has not yet seen reached;
 * and not by the request, but behind it. Whoever took the last unit below a mark may be done before those who took the
 * others, so it asks again until all of them must be.
 *
 * **Invariants.** At most once: `event_once` refuses the second of two equal events, whichever node wrote the first.
 * Never early: the statement that writes an event counts what is committed. Not lost with a node: what the one that
 * crossed a mark did not live to tell, the next request of the key finds on any node, as long as the period lasts.
 */
import { sql } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import type { Caller } from '../model/caller.ts'
import { makeId } from '../model/id.ts'
import type { Room } from './block.ts'
import type { Periods } from './period.ts'

export interface Warnings {
  /** A request is over and gives back that many, or was refused. Never waits and never fails. */
  notice(caller: Caller, periods: Periods, room: Room, givenBack?: number): void
}

const PERCENTS = [50, 80, 100] as const
const KINDS = ['day', 'month'] as const
type Kind = (typeof KINDS)[number]

// Between two questions about a key, and then twice as long each time: together a minute, by which every request that
// was under way is over. Units that a dead node or a lost Redis hides can look handed out for longer; then it is the
// next request that asks again.
const PAUSE_MS = 250
const LONGEST_PAUSE_MS = 32_000
const MOST_WATCHED = 10_000

/** A key on a day, with enough handed out for a mark. */
interface Watch {
  caller: Caller
  readonly periods: Periods
  /** The highest percentage that enough was handed out for, and the highest that the ledger has confirmed. */
  readonly expected: Record<Kind, number>
  readonly reached: Record<Kind, number>
  isAsking: boolean
  askedAt: number
  pauseMs: number
  timer?: NodeJS.Timeout
}

export function createWarnings(options: { db: Db; now: () => number; onFault?: (error: unknown) => void }): Warnings {
  const { db, now, onFault } = options
  const watched = new Map<string, Watch>()

  async function ask(watch: Watch): Promise<void> {
    const { caller, periods, expected, reached } = watch
    watch.isAsking = true
    try {
      const [found] = await db.as(caller.accountId, [telling(caller, periods, now())])
      for (const { kind, used } of found.rows) {
        reached[kind] = Math.max(reached[kind], markOf(used, limitOf(caller, kind)))
      }
    } catch (error) {
      // No request fails because its account could not be warned.
      onFault?.(error)
    }
    watch.isAsking = false
    watch.askedAt = now()
    if (KINDS.every((kind) => reached[kind] >= expected[kind]) || watch.pauseMs > LONGEST_PAUSE_MS) return
    askIn(watch, watch.pauseMs)
    watch.pauseMs *= 2
  }

  function askIn(watch: Watch, ms: number): void {
    clearTimeout(watch.timer)
    watch.timer = setTimeout(() => void ask(watch), ms).unref()
  }

  function watchOf(caller: Caller, periods: Periods): Watch {
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
    if (watched.size >= MOST_WATCHED) watched.delete(watched.keys().next().value ?? name)
    watched.set(name, watch)
    return watch
  }

  return {
    notice(caller, periods, room, givenBack = 0) {
      const handedOut = KINDS.map((kind) => {
        const [limit, left] = [limitOf(caller, kind), room[kind]]
        return { kind, mark: left === undefined ? 0 : markOf(limit - left - givenBack, limit) }
      })
      if (handedOut.every(({ mark }) => mark === 0)) return
      const watch = watchOf(caller, periods)
      if (handedOut.every(({ kind, mark }) => mark <= watch.reached[kind])) return
      for (const { kind, mark } of handedOut) watch.expected[kind] = Math.max(watch.expected[kind], mark)
      watch.caller = caller
      watch.pauseMs = PAUSE_MS
      if (!watch.isAsking) askIn(watch, Math.max(0, watch.askedAt + PAUSE_MS - now()))
    },
  }
}

/** Unlimited is as good as 0: of neither can a part be used. */
function limitOf({ quota }: Caller, kind: Kind): number {
  return (kind === 'day' ? quota.perDay : quota.perMonth) ?? 0
}

function markOf(units: number, limit: number): number {
  return limit === 0 ? 0 : (PERCENTS.findLast((percent) => units >= leastFor(percent, limit)) ?? 0)
}

function leastFor(percent: number, limit: number): number {
  return Math.ceil((limit * percent) / 100)
}

/** Writes what is due and was not yet told, and answers what is used; how that is counted is said in `usage.ts`. */
function telling(caller: Caller, { day, month }: Periods, at: number): Statement<{ kind: Kind; used: number }> {
  const { accountId, keyId } = caller
  const marks = KINDS.flatMap((kind) => {
    const limit = limitOf(caller, kind)
    return limit === 0 ? [] : PERCENTS.map((percent) => ({ kind, percent, limit, least: leastFor(percent, limit) }))
  })
  // Sorted, so that of several at once the lowest comes first.
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
