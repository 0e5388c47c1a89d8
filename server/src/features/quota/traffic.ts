/**
 * Traffic per key: requests and failures by day and endpoint. While a replaced secret still works, also which clients
 * still use it.
 *
 * A write per request would double the cost of a request. So a node counts in memory (`tally.ts`) and writes everything
 * every ten seconds, and when it closes, in one statement for all accounts. A node that dies loses up to ten seconds.
 * That is acceptable: these numbers are not billed; the ledger in `features/quota/` is separate. For the same reason a
 * write with an unknown outcome is not retried, so nothing is counted twice.
 *
 * Never: stores an address or a user agent, unless the secret it came with is about to expire.
 */
import { NotWritten } from '../../model/errors.ts'
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { createTally, dayText } from './tally.ts'
import type { UsageReport } from './tally.ts'

export interface EndpointUse {
  readonly key_id: KeyId
  /** `POST /v1/generate`. */
  readonly endpoint: string
  readonly day: string
  readonly requests: number
  readonly failed: number
}

export interface RetiringUse {
  /** The first characters of the secret. */
  readonly prefix: string
  readonly address: string
  readonly user_agent: string
  readonly requests: number
  readonly last_at: Date
}

export interface Traffic {
  /** Call after a request is answered. */
  count(caller: Caller, endpoint: string, isFailure: boolean): void
  /** Call when it used a secret that is being replaced. */
  countUse(caller: Caller, prefix: string, address: string, userAgent: string): void
  /** The last `days` days including today, by key and endpoint, newest day first. Days without use are left out. */
  byEndpoint(acting: Acting, days: number): Promise<readonly EndpointUse[]>
  /** The uses of a key's retiring secrets, most recent first. */
  listUses(acting: Acting, key: KeyId): Promise<readonly RetiringUse[]>
  /** At most `most` rows of each kind. */
  expiring(account: AccountId, most: number): Statement[]
  exporting(acting: Acting): Exported
  /** Writes the remaining counts. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 10_000
const DAY_MS = 86_400_000
const KEEP_MS = 400 * 86_400_000
// Per secret: enough to find every machine of a large company, too few to fill a disk.
const MAX_USES = 500
const SHOWN_USES = 100

export function openTraffic(options: {
  db: Db
  now: () => number
  /** Requests that were not counted or could not be written. */
  onLoss: (loss: { requests?: number; error?: unknown }) => void
}): Traffic {
  const { db, now, onLoss } = options
  const tally = createTally(now)
  const today = () => Math.floor(now() / DAY_MS)
  let unsent: readonly UsageReport[] = []
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (unsent.length === 0) {
      const { reported, lost } = tally.take()
      unsent = reported
      if (lost > 0) onLoss({ requests: lost })
    }
    if (unsent.length === 0) return
    try {
      await db.lookup(sql('traffic_note', 'SELECT note_traffic($1, $2)', [JSON.stringify(unsent), MAX_USES]))
      unsent = []
    } catch (error) {
      // While the database is down the same rows are retried, and new ones stay within the tally's bounds.
      if (!(error instanceof NotWritten)) unsent = []
      onLoss({ error })
    }
  }

  const timer = setInterval(() => {
    writing = writing.then(write)
  }, WRITE_EVERY_MS).unref()

  return {
    count: (caller, endpoint, isFailure) => tally.count(caller, endpoint, isFailure),
    countUse: (caller, prefix, address, userAgent) => tally.countUse(caller, prefix, address, userAgent),

    async byEndpoint(acting, days) {
      const text = `SELECT key_id, endpoint, day::text AS day, requests, failed FROM key_traffic
        WHERE account_id = $1 AND day >= $2::date ORDER BY key_id, endpoint, key_traffic.day DESC`
      const values = [accountOf(acting), dayText(today() - days + 1)]
      const [found] = await db.read(acting, [sql<EndpointUse>('traffic_by_endpoint', text, values)])
      return found.rows
    },

    async listUses(acting, key) {
      const text = `SELECT prefix, address, user_agent, requests, last_at FROM retiring_use
        WHERE account_id = $1 AND key_id = $2 ORDER BY last_at DESC LIMIT ${SHOWN_USES}`
      const [found] = await db.read(acting, [sql<RetiringUse>('retiring_uses', text, [accountOf(acting), key])])
      return found.rows
    },

    expiring: (account, most) => [
      sql(
        'traffic_expire',
        `DELETE FROM key_traffic WHERE account_id = $1 AND (key_id, day, endpoint) IN (
           SELECT key_id, day, endpoint FROM key_traffic WHERE account_id = $1 AND day < $2::date LIMIT $3)`,
        [account, dayText(Math.floor((now() - KEEP_MS) / DAY_MS)), most],
      ),
      sql(
        'retiring_use_expire',
        `DELETE FROM retiring_use WHERE account_id = $1 AND (key_id, prefix, address, user_agent) IN (
           SELECT key_id, prefix, address, user_agent FROM retiring_use WHERE account_id = $1 AND NOT EXISTS (
             SELECT FROM key_secret secret WHERE secret.account_id = retiring_use.account_id
               AND secret.key_id = retiring_use.key_id AND secret.prefix = retiring_use.prefix AND secret.expires_at > $2)
           LIMIT $3)`,
        [account, new Date(now()), most],
      ),
    ],

    exporting: (acting) => ({
      key_traffic: walk<EndpointUse>(db, acting, (last, limit) =>
        sql(
          'traffic_export',
          `SELECT key_id, day::text AS day, endpoint, requests, failed FROM key_traffic
           WHERE account_id = $1 AND (key_id, day, endpoint) > ($2, $3::date, $4)
           ORDER BY key_id, key_traffic.day, endpoint LIMIT $5`,
          [accountOf(acting), last?.key_id ?? BEFORE_ALL, last?.day ?? '-infinity', last?.endpoint ?? '', limit],
        ),
      ),
      retiring_uses: walk<RetiringUse & { readonly key_id: KeyId }>(db, acting, (last, limit) =>
        sql(
          'retiring_use_export',
          `SELECT key_id, prefix, address, user_agent, requests, last_at FROM retiring_use
           WHERE account_id = $1 AND (key_id, prefix, address, user_agent) > ($2, $3, $4, $5)
           ORDER BY key_id, prefix, address, user_agent LIMIT $6`,
          [
            accountOf(acting),
            last?.key_id ?? BEFORE_ALL,
            last?.prefix ?? '',
            last?.address ?? '',
            last?.user_agent ?? '',
            limit,
          ],
        ),
      ),
    }),

    async close() {
      clearInterval(timer)
      writing = writing.then(write)
      await writing
      // The earlier rows are written now; write those counted since.
      if (unsent.length === 0) await write()
    },
  }
}
