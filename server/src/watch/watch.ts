/**
 * Which watched domains are due, who looks at them, and who is to be told what has changed.
 *
 * A look is three steps, and between them anything may die. `claim` takes some domains that are due for a while; nobody
 * else takes them meanwhile, and when whoever did is not heard of again they are due as before. `telling` compares a
 * look with the favorites of one account. `settle` writes what was learned, and only then is the domain done.
 *
 * **Invariant: once.** What is told hangs on the favorite's own old value, under its lock: the statement that changes it
 * also writes the change and the event, and a second one finds nothing to change. And it does so only for who still has
 * the claim: a worker that comes back from a long sleep does not tell what was so an hour ago.
 */
import { randomUUID } from 'node:crypto'
import { sql } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import type { AccountId } from '../model/caller.ts'
import type { Domain } from '../model/domain.ts'
import { makeId } from '../model/id.ts'
import type { Facts } from './facts.ts'
import type { Learned } from './learn.ts'
import { factsOf, recordOf, timeOf } from './rows.ts'
import type { WatchedRow } from './rows.ts'

export interface Claim {
  readonly id: string
  /** Those that have waited longest for room first. */
  readonly domains: readonly Facts[]
  /** By domain: what `settle` needs to know whether somebody has joined meanwhile. */
  readonly joins: ReadonlyMap<Domain, string>
}

/** One account that watches one domain. */
export interface Listener {
  readonly domain: Domain
  readonly account: AccountId
}

export interface Watch {
  /** Suffixes that have domains which are due, the longest due first. */
  listDue(): Promise<readonly string[]>
  /** Some domains of a suffix, for as long as `LEASE_MS`; whatever nobody watches any more goes instead. */
  claim(suffix: string): Promise<Claim>
  /** Goes on having them for as long again. */
  renew(claim: Claim): Promise<void>
  /**
   * Who is to hear of it: everybody for those that have changed, and of the others who has not been compared yet. In
   * pages; `after` is the last of the page before.
   */
  listListeners(learned: readonly Learned[], after: Listener | undefined): Promise<readonly Listener[]>
  /** Compares what was learned with an account's favorites, and writes what has changed. Answers one row per change. */
  telling(
    account: AccountId,
    claim: Claim,
    learned: readonly Learned[],
  ): readonly [Statement, Statement<{ id: string }>]
  settle(claim: Claim, learned: readonly Learned[]): Promise<void>
}

/** Longer than a look and the telling of one page; after it another worker may begin from the start. */
export const LEASE_MS = 5 * 60_000
// Many for those that DNS alone may answer for, few for those that wait for somebody's budget.
const MOST_FRESH = 200
const MOST_WAITING = 50
export const PAGE_OF_LISTENERS = 500

const COLUMNS = `failures, checked_at, changed_at, available, sources, price, priced_by, asked, priced_at,
  registered_until, lapsed_at, ends_asked_at`
const TYPES = `domain text, joins bigint, next_at timestamptz, waits boolean, failures integer, checked_at timestamptz,
  changed_at timestamptz, available boolean, sources text[], price text, priced_by text, asked text,
  priced_at timestamptz, registered_until timestamptz, lapsed_at timestamptz, ends_asked_at timestamptz`

export function openWatch({ db, now }: { db: Db; now: () => number }): Watch {
  return {
    async listDue() {
      // From suffix to suffix along the index, and not over every domain.
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
      const text = `WITH waiting AS (${due(true, MOST_WAITING)}), fresh AS (${due(false, MOST_FRESH)})
        UPDATE watched_domain w SET claim = $3, claimed_until = $4
        WHERE domain IN (SELECT domain FROM waiting UNION ALL SELECT domain FROM fresh)
        RETURNING domain, since, waits, next_at, joins, ${COLUMNS},
          EXISTS (SELECT FROM watcher v WHERE v.domain = w.domain) AS is_watched`
      const values = [suffix, new Date(at), id, new Date(at + LEASE_MS)]
      const { rows } = await db.lookup(sql<WatchedRow>('watch_claim', text, values))
      const gone = rows.flatMap(({ domain, is_watched: isWatched }) => (isWatched ? [] : [domain]))
      if (gone.length > 0) await db.lookup(sql('watch_forget', 'SELECT forget_unwatched($1)', [gone]))
      const watched = rows.filter(({ is_watched: isWatched }) => isWatched).toSorted(byTurn)
      return {
        id,
        domains: watched.map(factsOf),
        joins: new Map(watched.map(({ domain, joins }) => [domain, joins])),
      }
    },

    async renew({ id, domains }) {
      const text = 'UPDATE watched_domain SET claimed_until = $3 WHERE domain = ANY ($1) AND claim = $2'
      const values = [domains.map(({ domain }) => domain), id, new Date(now() + LEASE_MS)]
      await db.lookup(sql('watch_renew', text, values))
    },

    async listListeners(learned, after) {
      const domainsWith = (wanted: Learned['news']) =>
        learned.flatMap(({ facts, news }) => (news === wanted ? [facts.domain] : []))
      const [changed, same] = [domainsWith('changed'), domainsWith('same')]
      if (changed.length + same.length === 0) return []
      const text = `SELECT domain, account_id AS account FROM watcher
        WHERE (domain = ANY ($1) OR (domain = ANY ($2) AND NOT is_compared))
          AND ($3::uuid IS NULL OR (account_id, domain) > ($3, $4))
        ORDER BY account_id, domain LIMIT ${PAGE_OF_LISTENERS}`
      const values = [changed, same, after?.account, after?.domain]
      return (await db.lookup(sql<Listener>('watch_listeners', text, values))).rows
    },

    telling(account, { id: claim }, learned) {
      const at = now()
      const looks = learned.map(({ facts: { domain, available, price, checkedAt } }) => ({
        domain,
        available,
        price,
        checked_at: timeOf(checkedAt),
        change_id: makeId(at),
        event_id: makeId(at),
      }))
      const domains = learned.map(({ facts }) => facts.domain)
      // Before the domains, as whoever changes a favorite does.
      const lock = `SELECT FROM favorite WHERE account_id = $1 AND domain = ANY ($2) ORDER BY id FOR UPDATE`
      return [
        sql('watch_lock', lock, [account, domains]),
        sql('watch_tell', TELL, [account, JSON.stringify(looks), claim, new Date(at), domains]),
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
  }
}

function byTurn(a: WatchedRow, b: WatchedRow): number {
  return Number(b.waits) - Number(a.waits) || a.next_at.getTime() - b.next_at.getTime()
}

// $1 account, $2 looks, $3 claim, $4 now, $5 domains. A price that is not known leaves the favorite's own.
const TELL = `WITH look AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb)
      AS l (domain text, available boolean, price text, checked_at timestamptz, change_id uuid, event_id uuid)
  ), mine AS (
    SELECT domain FROM watched_domain WHERE domain = ANY ($5) AND claim = $3 ORDER BY domain FOR SHARE
  ), was AS (
    SELECT f.id, f.domain, f.name, f.current AS before, l.change_id, l.event_id, l.checked_at,
      jsonb_build_object('available', l.available, 'price', coalesce(l.price, f.current ->> 'price'), 'checked_at',
        to_char(l.checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS after
    FROM favorite f JOIN look l ON l.domain = f.domain JOIN mine ON mine.domain = f.domain
    WHERE f.account_id = $1 AND f.watch AND l.checked_at > (f.current ->> 'checked_at')::timestamptz
  ), changed AS (
    UPDATE favorite f SET current = was.after FROM was
    WHERE f.account_id = $1 AND f.id = was.id AND f.current = was.before
      AND (was.before ->> 'available', was.before ->> 'price') IS DISTINCT FROM (was.after ->> 'available', was.after ->> 'price')
    RETURNING was.*, CASE WHEN was.before -> 'available' = was.after -> 'available' THEN 'price_changed'
      WHEN (was.after ->> 'available')::boolean THEN 'available' ELSE 'taken' END AS kind
  ), noted AS (
    INSERT INTO favorite_change (account_id, favorite_id, id, created_at, kind, before, after)
    SELECT $1, id, change_id, $4::timestamptz, kind, before, after FROM changed
  ), told AS (
    INSERT INTO event (account_id, id, created_at, type, once, data, subject)
    SELECT $1, event_id, $4::timestamptz, 'favorite.' || kind, concat_ws(':', 'favorite', id, kind, after ->> 'checked_at'),
      jsonb_build_object('favorite_id', id, 'domain', domain, 'name', name, 'before', before, 'after', after), id::text
    FROM changed
  ), compared AS (
    UPDATE watcher v SET is_compared = true FROM mine
    WHERE v.account_id = $1 AND v.domain = mine.domain AND NOT v.is_compared
  )
  SELECT id FROM changed`
