/**
 * How the suspension of an account affects the domains that it watches.
 *
 * A domain that only suspended accounts watch is not checked: it is postponed repeatedly. A domain that others watch as
 * well is checked for them, and the suspended account gets no event (`NOTIFY` in `watch.ts`). No change is lost: an
 * event depends on the last value of the account's own favorite, so the first check after it is resumed reports the
 * change.
 */
import { sql, type Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Domain } from '../../model/domain.ts'

/** How long such a domain is postponed. Resuming an account makes its domains due at once. */
const PUT_OFF_MS = 3_600_000

/** Those of the given domains that only suspended accounts watch. */
export function findPaused(domains: readonly Domain[]): Statement<{ domain: Domain }> {
  return sql(
    'watch_paused',
    `WITH listener AS (SELECT domain, account_id FROM watcher WHERE domain = ANY ($1)),
       plan AS (SELECT * FROM account_plans(ARRAY(SELECT DISTINCT account_id FROM listener)))
     SELECT domain FROM listener LEFT JOIN plan USING (account_id)
     GROUP BY domain HAVING bool_and(suspended_at IS NOT NULL)`,
    [domains],
  )
}

/**
 * Ends the claim and postpones these domains. A domain that somebody joined or resumed since it was claimed stays due.
 */
export function puttingOff(
  claim: string,
  paused: readonly { readonly domain: Domain; readonly joins: string }[],
  now: number,
): Statement {
  const text = `WITH mine AS (SELECT domain FROM watched_domain WHERE domain = ANY ($2) AND claim = $1 ORDER BY domain FOR UPDATE)
    UPDATE watched_domain w SET claim = NULL, claimed_until = NULL,
      next_at = CASE WHEN w.joins = paused.joins THEN $4::timestamptz ELSE w.next_at END
    FROM jsonb_to_recordset($3::jsonb) AS paused (domain text, joins bigint) JOIN mine USING (domain)
    WHERE w.domain = paused.domain`
  const records = paused.map(({ domain, joins }) => ({ domain, joins }))
  const domains = paused.map(({ domain }) => domain)
  return sql('watch_put_off', text, [claim, domains, JSON.stringify(records), new Date(now + PUT_OFF_MS)])
}

/**
 * Commit with the suspension: freezes the account's favorites at their last compared values, whoever else watches the
 * domains.
 */
export function pausing(account: AccountId): Statement {
  return sql(
    'watch_pause',
    `UPDATE watcher v SET is_compared = false FROM favorite f
     WHERE f.account_id = $1 AND f.watch AND v.account_id = $1 AND v.domain = f.domain AND v.is_compared`,
    [account],
  )
}

/** Commit with its end: everything that the account watches is due, as if it had just begun to watch it. */
export function resuming(account: AccountId, now: number): readonly Statement[] {
  const text = `WITH mine AS (
      SELECT w.domain FROM watched_domain w JOIN favorite f ON f.domain = w.domain
      WHERE f.account_id = $1 AND f.watch ORDER BY w.domain FOR UPDATE OF w)
    UPDATE watched_domain w SET joins = w.joins + 1, next_at = least(w.next_at, $2) FROM mine WHERE w.domain = mine.domain`
  // Domains before watchers, in the same lock order as `notifying`.
  return [sql('watch_resume', text, [account, new Date(now)]), pausing(account)]
}
