/**
 * Counts of this node that are not yet written. Counting a request with an existing entry takes two lookups and an
 * addition, without an allocation.
 *
 * **Invariant:** it never grows past its bounds, whatever callers send. Requests beyond the bounds are not counted;
 * `lost` says how many.
 */
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'

/** The format that the database function `note_traffic` reads. */
export interface UsageReport {
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

export interface TrafficTally {
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
const MAX_USES = 2_000
const MAX_USER_AGENT_LENGTH = 200
const DAY_MS = 86_400_000

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
        if (uses.size >= MAX_USES) {
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

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
