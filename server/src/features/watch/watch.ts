/**
 * Which watched domains are due, which worker checks them, and which accounts get an event about a change.
 *
 * A check has three steps, and a worker may die between any two. `claim` leases some due domains; no other worker takes
 * them meanwhile, and they are due again when the lease expires. `notifying` compares the result with the favorites of
 * one account. `settle` writes the new facts, and only then is the domain done.
 *
 * **Invariant: once.** An event depends on the favorite's own old value, under its lock. The statement that changes the
 * value also writes the change and the event, so a second run finds nothing to change. It does so only while the claim
 * is still held: a worker that resumes after a long pause does not report outdated facts.
 */
import { randomUUID } from 'node:crypto'
import { sql, type Db, type Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Domain } from '../../model/domain.ts'
import { makeId } from '../../model/id.ts'
import { INSERT_CHANGE_EMAILS } from './change-emails.ts'
import { factsOf, recordOf, timeOf, type WatchedRow, type WatchFacts } from './facts.ts'
import type { Learned } from './learn.ts'
import { findPaused, pausing, puttingOff, resuming } from './suspension.ts'

export interface WatchClaim {
  readonly id: string
  /** The domains that have waited longest for budget first. */
  readonly domains: readonly WatchFacts[]
  /** By domain: lets `settle` detect that an account has joined meanwhile. */
  readonly joins: ReadonlyMap<Domain, string>
  /** How many due domains only suspended accounts watch. They are already postponed. */
  readonly paused: number
}

/** One account that watches one domain. */
export interface ChangeListener {
  readonly domain: Domain
  readonly account: AccountId
}

export interface FavoriteWatch {
  /** Suffixes with due domains, the longest due first. */
  listDue(): Promise<readonly string[]>
  /** Leases some domains of a suffix for `LEASE_MS`; deletes domains that nobody watches any more. */
  claim(suffix: string): Promise<WatchClaim>
  /** Extends the lease by `LEASE_MS`. */
  renew(claim: WatchClaim): Promise<void>
  /**
   * The accounts to notify: all that watch a changed domain, and for the others those not compared yet. Paged; `after`
   * is the last entry of the previous page.
   */
  listListeners(learned: readonly Learned[], after: ChangeListener | undefined): Promise<readonly ChangeListener[]>
  /** Compares the new facts with an account's favorites, and writes the changes. Returns one row per change. */
  notifying(
    account: AccountId,
    claim: WatchClaim,
    learned: readonly Learned[],
  ): readonly [Statement, Statement<{ id: string }>]
  settle(claim: WatchClaim, learned: readonly Learned[]): Promise<void>
  /** Commit with the suspension of an account, and with its end. */
  pausing(account: AccountId): Statement
  resuming(account: AccountId): readonly Statement[]
}

/** Longer than a check and the notification of one page; afterwards another worker may start over. */
export const LEASE_MS = 5 * 60_000
// Many for domains that DNS alone may decide, few for those that wait for a source's budget.
const MAX_FRESH = 200
const MAX_WAITING = 50
export const PAGE_OF_LISTENERS = 500

const COLUMNS = `failures, checked_at, changed_at, available, status, sources, price, priced_by, asked, priced_at,
  is_price_outdated, registered_until, lapsed_at, ends_asked_at`
const TYPES = `domain text, joins bigint, next_at timestamptz, waits boolean, failures integer, checked_at timestamptz,
  changed_at timestamptz, available boolean, status text, sources text[], price text, priced_by text, asked text,
  priced_at timestamptz, is_price_outdated boolean, registered_until timestamptz, lapsed_at timestamptz,
  ends_asked_at timestamptz`

export function openWatch({ db, now }: { db: Db; now: () => number }): FavoriteWatch {
  return {
    async listDue() {
      // Walks the index from suffix to suffix, without scanning every domain.
      const oldest = (waits: boolean) => `(SELECT next_at FROM watched_domain
        WHERE suffix = known.suffix AND waits = ${waits} AND next_at <= $1 ORDER BY next_at LIMIT 1)`
      const text = `WITH RECURSIVE known AS (
          SELECT min(suffix) AS suffix FROM watched_domain
          UNION ALL
          SELECT (SELECT min(suffix) FROM watched_domain WHERE suffix > known.suffix) FROM known WHERE suffix IS NOT NULL)
        SELECT suffix FROM (
          SELECT suffix, least(${oldest(false)}, ${oldest(true)}) AS oldest FROM known WHERE suffix IS NOT NULL) due
        WHERE oldest IS NOT NULL ORDER BY oldest`
      const { rows } = await db.lookup(sql<{ suffix: string }>('watch_due', text, [new Date(now())]))
      return rows.map(({ suffix }) => suffix)
    },

    async claim(suffix) {
      const at = now()
      const id = randomUUID()
      const due = (waits: boolean, most: number) => `SELECT domain FROM watched_domain
        WHERE suffix = $1 AND waits = ${waits} AND next_at <= $2 AND (claimed_until IS NULL OR claimed_until <= $2)
        ORDER BY next_at, domain LIMIT ${most} FOR UPDATE SKIP LOCKED`
      const text = `WITH waiting AS (${due(true, MAX_WAITING)}), fresh AS (${due(false, MAX_FRESH)})
        UPDATE watched_domain w SET claim = $3, claimed_until = $4
        WHERE domain IN (SELECT domain FROM waiting UNION ALL SELECT domain FROM fresh)
        RETURNING domain, since, waits, next_at, joins, ${COLUMNS},
          EXISTS (SELECT FROM watcher v WHERE v.domain = w.domain) AS is_watched`
      const values = [suffix, new Date(at), id, new Date(at + LEASE_MS)]
      const { rows } = await db.lookup(sql<WatchedRow>('watch_claim', text, values))
      const gone = rows.flatMap(({ domain, is_watched: isWatched }) => (isWatched ? [] : [domain]))
      if (gone.length > 0) await db.lookup(sql('watch_forget', 'SELECT forget_unwatched($1)', [gone]))
      const watched = rows.filter(({ is_watched: isWatched }) => isWatched).toSorted(byTurn)
      const paused = await listPaused(watched)
      if (paused.length > 0) await db.lookup(puttingOff(id, paused, at))
      const observed = watched.filter((row) => !paused.includes(row))
      return {
        id,
        domains: observed.map(factsOf),
        joins: new Map(observed.map(({ domain, joins }) => [domain, joins])),
        paused: paused.length,
      }
    },

    async renew({ id, domains }) {
      const text = 'UPDATE watched_domain SET claimed_until = $3 WHERE domain = ANY ($1) AND claim = $2'
      const values = [domains.map(({ domain }) => domain), id, new Date(now() + LEASE_MS)]
      await db.lookup(sql('watch_renew', text, values))
    },

    async listListeners(learned, after) {
      const domainsWith = (wanted: Learned['changes']) =>
        learned.flatMap(({ facts, changes }) => (changes === wanted ? [facts.domain] : []))
      const [changed, same] = [domainsWith('changed'), domainsWith('same')]
      if (changed.length + same.length === 0) return []
      const text = `SELECT domain, account_id AS account FROM watcher
        WHERE (domain = ANY ($1) OR (domain = ANY ($2) AND NOT is_compared))
          AND ($3::uuid IS NULL OR (account_id, domain) > ($3, $4))
        ORDER BY account_id, domain LIMIT ${PAGE_OF_LISTENERS}`
      const values = [changed, same, after?.account, after?.domain]
      return (await db.lookup(sql<ChangeListener>('watch_listeners', text, values))).rows
    },

    notifying(account, { id: claim }, learned) {
      const at = now()
      const observations = learned.map(({ facts: { domain, available, status, price, checkedAt }, isPriceNews }) => ({
        domain,
        available,
        status,
        price,
        checked_at: timeOf(checkedAt),
        is_price_news: isPriceNews,
        change_id: makeId(at),
        event_id: makeId(at),
      }))
      const domains = learned.map(({ facts }) => facts.domain)
      // Favorites before domains, in the same lock order as a change of a favorite.
      const lock = `SELECT FROM favorite WHERE account_id = $1 AND domain = ANY ($2) ORDER BY id FOR UPDATE`
      return [
        sql('watch_lock', lock, [account, domains]),
        sql('watch_tell', NOTIFY, [account, JSON.stringify(observations), claim, new Date(at), domains]),
      ]
    },

    async settle({ id, joins }, learned) {
      const records = learned.map(({ facts, nextAt }) => ({
        ...recordOf(facts),
        joins: joins.get(facts.domain),
        next_at: timeOf(nextAt),
        waits: nextAt === undefined,
      }))
      const text = `WITH learned AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS l (${TYPES})),
          mine AS (SELECT domain FROM watched_domain WHERE domain = ANY ($3) AND claim = $1 ORDER BY domain FOR UPDATE)
        UPDATE watched_domain w SET claim = NULL, claimed_until = NULL, waits = l.waits,
          next_at = CASE WHEN w.joins = l.joins THEN coalesce(l.next_at, w.next_at) ELSE w.next_at END,
          (${COLUMNS}) = (SELECT ${COLUMNS.replaceAll(/\b[a-z]/g, 'l.$&')})
        FROM learned l JOIN mine USING (domain) WHERE w.domain = l.domain`
      const domains = learned.map(({ facts }) => facts.domain)
      await db.lookup(sql('watch_settle', text, [id, JSON.stringify(records), domains]))
    },

    pausing,
    resuming: (account) => resuming(account, now()),
  }

  async function listPaused(watched: readonly WatchedRow[]): Promise<readonly WatchedRow[]> {
    if (watched.length === 0) return []
    const { rows } = await db.lookup(findPaused(watched.map(({ domain }) => domain)))
    const paused = new Set(rows.map(({ domain }) => domain))
    return watched.filter(({ domain }) => paused.has(domain))
  }
}

function byTurn(a: WatchedRow, b: WatchedRow): number {
  return Number(b.waits) - Number(a.waits) || a.next_at.getTime() - b.next_at.getTime()
}

// $1 account, $2 observations, $3 claim, $4 now, $5 domains. An unknown price keeps the favorite's own. A suspended
// account gets no event. A favorite from before there was a status has none; another status alone is no event, and nor is
// the price that replaces an outdated one.
const NOTIFY = `WITH look AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS l (domain text, available boolean, status text, price text,
      checked_at timestamptz, is_price_news boolean, change_id uuid, event_id uuid)
  ), mine AS (
    SELECT domain FROM watched_domain WHERE domain = ANY ($5) AND claim = $3
      AND NOT EXISTS (SELECT FROM account_plan p WHERE p.account_id = $1 AND p.suspended_at IS NOT NULL)
    ORDER BY domain FOR SHARE
  ), was AS (
    SELECT f.id, f.domain, f.name, f.current AS stored, l.change_id, l.event_id, l.checked_at, l.is_price_news,
      jsonb_build_object('status', CASE WHEN (f.current ->> 'available')::boolean THEN 'available' ELSE 'unknown' END)
        || f.current AS before,
      jsonb_build_object('available', l.available, 'status', l.status, 'price', coalesce(l.price, f.current ->> 'price'),
        'checked_at', to_char(l.checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS after
    FROM favorite f JOIN look l ON l.domain = f.domain JOIN mine ON mine.domain = f.domain
    WHERE f.account_id = $1 AND f.watch AND l.checked_at > (f.current ->> 'checked_at')::timestamptz
  ), moved AS (
    UPDATE favorite f SET current = was.after FROM was
    WHERE f.account_id = $1 AND f.id = was.id AND f.current = was.stored
      AND was.before - 'checked_at' <> was.after - 'checked_at'
    RETURNING was.*, CASE WHEN was.before -> 'available' = was.after -> 'available' THEN 'price_changed'
      WHEN (was.after ->> 'available')::boolean THEN 'available' ELSE 'taken' END AS kind
  ), changed AS (
    SELECT * FROM moved
    WHERE (before ->> 'available', before ->> 'price') IS DISTINCT FROM (after ->> 'available', after ->> 'price')
      AND (is_price_news OR kind <> 'price_changed')
  ), noted AS (
    INSERT INTO favorite_change (account_id, favorite_id, id, created_at, kind, before, after)
    SELECT $1, id, change_id, $4::timestamptz, kind, before, after FROM changed
  ), told AS (
    INSERT INTO event (account_id, id, created_at, type, once, data, subject)
    SELECT $1, event_id, $4::timestamptz, 'favorite.' || kind, concat_ws(':', 'favorite', id, kind, after ->> 'checked_at'),
      jsonb_build_object('favorite_id', id, 'domain', domain, 'name', name, 'before', before, 'after', after), id::text
    FROM changed
  ), emailed AS (
    ${INSERT_CHANGE_EMAILS}
  ), compared AS (
    UPDATE watcher v SET is_compared = true FROM mine
    WHERE v.account_id = $1 AND v.domain = mine.domain AND NOT v.is_compared
  )
  SELECT id FROM changed`
