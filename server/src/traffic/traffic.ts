/**
 * What goes through each key: requests and failures by day and endpoint; and, while a secret has been replaced and still
 * works, who still comes with it.
 *
 * A write for each request would double what a request costs. So a node counts in memory (`tally.ts`) and writes what it
 * has every ten seconds, and when it closes, in one statement for all accounts. A node that dies takes up to ten seconds
 * with it. That is accepted: nothing is paid by these numbers, the ledger in `quota/` is another. For the same reason a
 * write of which nobody knows whether it happened is not tried again; nothing is ever counted twice.
 *
 * Never: an address or the name of a program, unless the secret it came with is about to end.
 */
import { accountOf, NotWritten, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { BEFORE_ALL, walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import type { AccountId, Caller, KeyId } from '../model/caller.ts'
import { createTally, dayText } from './tally.ts'
import type { Told } from './tally.ts'

export interface EndpointUse {
  readonly key_id: KeyId
  /** `POST /v1/generate`. */
  readonly endpoint: string
  readonly day: string
  readonly requests: number
  readonly failed: number
}

export interface RetiringUse {
  /** Of the secret: its first characters. */
  readonly prefix: string
  readonly address: string
  readonly user_agent: string
  readonly requests: number
  readonly last_at: Date
}

export interface Traffic {
  /** A request has been answered. */
  count(caller: Caller, endpoint: string, isFailure: boolean): void
  /** It came with a secret that is being replaced. */
  countUse(caller: Caller, prefix: string, address: string, userAgent: string): void
  /** Of the last so many days, with today; by key and endpoint, the newest day first. Days without use are not there. */
  byEndpoint(acting: Acting, days: number): Promise<readonly EndpointUse[]>
  /** Of the secrets of a key, who was here last first. */
  listUses(acting: Acting, key: KeyId): Promise<readonly RetiringUse[]>
  /** At most so many rows of each kind. */
  expiring(account: AccountId, most: number): Statement[]
  exporting(acting: Acting): Exported
  /** Writes what there is. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 10_000
const DAY_MS = 86_400_000
const KEEP_MS = 400 * 86_400_000
// Of one secret: enough to find every machine of a large house, too little to fill a disk with.
const MOST_USES = 500
const SHOWN_USES = 100

export function openTraffic(options: {
  db: Db
  now: () => number
  /** What was not counted, or could not be written. */
  onLoss: (loss: { requests?: number; error?: unknown }) => void
}): Traffic {
  const { db, now, onLoss } = options
  const tally = createTally(now)
  const today = () => Math.floor(now() / DAY_MS)
  let unsent: readonly Told[] = []
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (unsent.length === 0) {
      const { told, lost } = tally.take()
      unsent = told
      if (lost > 0) onLoss({ requests: lost })
    }
    if (unsent.length === 0) return
    try {
      await db.lookup(sql('traffic_note', 'SELECT note_traffic($1, $2)', [JSON.stringify(unsent), MOST_USES]))
      unsent = []
    } catch (error) {
      // While the database is away the same is tried again, and what comes meanwhile stays in the tally's bounds.
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
      // What could not be sent before is gone now, and with it what came since.
      if (unsent.length === 0) await write()
    },
  }
}
