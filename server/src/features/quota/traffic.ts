/**
 * Traffic per key: requests and failures by day and endpoint. While a replaced secret still works, also which clients
 * still use it. And of this node: how many minutes of the last hour were down.
 *
 * A write per request would double the cost of a request. So a node counts in memory and writes everything
 * every ten seconds, and when it closes, in one statement for all accounts. A node that dies loses up to ten seconds.
 * That is acceptable: these numbers are not billed; the ledger in `features/quota/` is separate. For the same reason a
 * write with an unknown outcome is not retried, so nothing is counted twice.
 *
 * Never: stores an address or a user agent, unless the secret it came with is about to expire.
 */
import { NotWritten } from '../../model/errors.ts'
import { accountOf, sql, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'

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
  /** Call after any request is answered. */
  noteMinute(isFailure: boolean): void
  /** For the last hour of this node: the number of minutes with requests, and how many of those were down. */
  lastHour(): { readonly counted: number; readonly down: number }
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
  const minutes = createMinutes(now)
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
    noteMinute: (isFailure) => minutes.note(isFailure),
    lastHour: () => minutes.read(),

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

/** The format that the database function `note_traffic` reads. */
interface UsageReport {
  readonly account: AccountId
  readonly counts: { key: KeyId; day: string; endpoint: string; requests: number; failed: number }[]
  readonly uses: {
    key: KeyId
    prefix: string
    address: string
    user_agent: string
    requests: number
    last_at: string
  }[]
}

interface TrafficTally {
  count(caller: Caller, endpoint: string, isFailure: boolean): void
  /** Counts a request made with a secret that is being replaced. */
  countUse(caller: Caller, prefix: string, address: string, userAgent: string): void
  /** Returns all counts by account and resets them. */
  take(): { readonly reported: readonly UsageReport[]; readonly lost: number }
}

interface Count {
  readonly caller: Caller
  readonly day: string
  readonly endpoint: string
  requests: number
  failed: number
}

interface KeyUse {
  readonly caller: Caller
  readonly prefix: string
  readonly address: string
  readonly userAgent: string
  requests: number
  lastAt: number
}

// About 150 bytes each; ten seconds of a node that serves thousands of keys.
const MAX_COUNTS = 20_000
// About 500 bytes each; callers choose their content.
const MAX_UNWRITTEN_USES = 2_000
const MAX_USER_AGENT_LENGTH = 200

/**
 * Counts that are not yet written. Counting a request with an existing entry takes two lookups and an addition, without an
 * allocation.
 *
 * **Invariant:** it never grows past its bounds, whatever callers send. Requests beyond the bounds are not counted;
 * `lost` says how many.
 */
export function createTally(now: () => number): TrafficTally {
  let day = Number.NaN
  let today = new Map<KeyId, Map<string, Count>>()
  let counts: Count[] = []
  let uses = new Map<string, KeyUse>()
  let lost = 0

  function addCount(caller: Caller, endpoint: string): Count | undefined {
    if (counts.length >= MAX_COUNTS) {
      lost += 1
      return undefined
    }
    let ofKey = today.get(caller.keyId)
    if (!ofKey) today.set(caller.keyId, (ofKey = new Map()))
    const count = { caller, day: dayText(day), endpoint, requests: 0, failed: 0 }
    ofKey.set(endpoint, count)
    counts.push(count)
    return count
  }

  return {
    count(caller, endpoint, isFailure) {
      const at = Math.floor(now() / DAY_MS)
      if (at !== day) {
        // Yesterday's counts stay in `counts` with their day.
        day = at
        today = new Map()
      }
      const count = today.get(caller.keyId)?.get(endpoint) ?? addCount(caller, endpoint)
      if (!count) return
      count.requests += 1
      if (isFailure) count.failed += 1
    },

    countUse(caller, prefix, address, fullUserAgent) {
      const userAgent = fullUserAgent.slice(0, MAX_USER_AGENT_LENGTH)
      const id = `${caller.keyId} ${prefix} ${address} ${userAgent}`
      let use = uses.get(id)
      if (!use) {
        if (uses.size >= MAX_UNWRITTEN_USES) {
          lost += 1
          return
        }
        uses.set(id, (use = { caller, prefix, address, userAgent, requests: 0, lastAt: 0 }))
      }
      use.requests += 1
      use.lastAt = now()
    },

    take() {
      const reported = new Map<AccountId, UsageReport>()
      const of = ({ accountId: account }: Caller) => {
        let one = reported.get(account)
        if (!one) reported.set(account, (one = { account, counts: [], uses: [] }))
        return one
      }
      for (const { caller, ...count } of counts) of(caller).counts.push({ key: caller.keyId, ...count })
      for (const { caller, userAgent, lastAt, ...use } of uses.values()) {
        const last_at = new Date(lastAt).toISOString()
        of(caller).uses.push({ key: caller.keyId, ...use, user_agent: userAgent, last_at })
      }
      const taken = { reported: [...reported.values()], lost }
      today = new Map()
      counts = []
      uses = new Map()
      lost = 0
      return taken
    },
  }
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

const HOUR = 60
const MINUTE_MS = 60_000
const DOWN_ABOVE = 0.05

/**
 * Availability minute by minute, by GitHub's definition: a minute is down when more than one in twenty of its responses
 * failed. Minutes without requests do not count.
 */
export function createMinutes(now: () => number) {
  const ring = Array.from({ length: HOUR }, () => ({ minute: -1, calls: 0, failed: 0 }))

  return {
    note(failed: boolean) {
      const minute = Math.floor(now() / MINUTE_MS)
      const slot = ring[minute % HOUR]
      if (!slot) return
      if (slot.minute !== minute) Object.assign(slot, { minute, calls: 0, failed: 0 })
      slot.calls++
      if (failed) slot.failed++
    },
    read() {
      const oldest = Math.floor(now() / MINUTE_MS) - HOUR
      const counted = ring.filter(({ minute }) => minute > oldest)
      return { counted: counted.length, down: counted.filter(isDown).length }
    },
  }
}

function isDown({ calls, failed }: { calls: number; failed: number }): boolean {
  return failed > calls * DOWN_ABOVE
}
