/**
 * The RDAP client for one server and one suffix: looks up a domain and returns the result only if the server is
 * trusted for it.
 *
 * The first lookup tests the server (`trust.ts`); all nodes share the outcome through the cache. An absence counts only
 * if this process has lately seen the server report a registered domain: within the hours that an outcome counts, the
 * server may have lost its data. When the outcome
 * gets old, the test is repeated in the background and the old outcome is used meanwhile. The test is also repeated
 * after several useless responses in a row (an outage, or an HTML page in place of the registry). A server that has
 * failed its test is tested again soon.
 */
import type { Shortage } from '../evidence.ts'
import type { LookupCache } from '../verdict-cache.ts'
import type { RdapFinding } from './answer.ts'
import type { RdapServer } from './bootstrap.ts'
import type { SuffixQueue, LookupTurn } from './lookup-queue.ts'
import type { SourceTrust } from '../trust.ts'
import { findRegistered, probe, readTrust, TRUST_PREFIX, writeTrust } from './trust.ts'
import type { RdapTrust } from './trust.ts'

/**
 * `ending`: registered, but may be deleted soon. `unasked`: no evidence, because the lookup was not sent, was rate
 * limited or failed. `malformed`: the response was malformed.
 */
export type RdapClaim = 'registered' | 'ending' | 'absent' | 'unasked' | 'malformed'

export interface RdapResult {
  readonly claim: RdapClaim
  readonly registeredUntil?: number
  /** Only with `unasked`: the host's budget was used up, or the host responded "too many requests". */
  readonly shortage?: Omit<Shortage, 'source'>
}

export interface RdapClient {
  /** Undefined if the server is not trusted for this claim. */
  ask(domain: string, signal: AbortSignal, turn: LookupTurn): Promise<RdapResult | undefined>
  /** The outcome of the last test. */
  read(): SourceTrust
}

export interface RdapClientOptions {
  readonly queue: SuffixQueue
  readonly server: RdapServer
  readonly cache: LookupCache
  readonly now: () => number
  readonly closing: AbortSignal
  /** Called after each test; `read` returns its outcome. */
  readonly onTested?: () => void
}

// How long a passed test counts. A test takes about three lookups: no load for the host, and a server that lost its
// data is detected the same day.
const TRUSTED_MS = 6 * 60 * 60 * 1000
// How long a registered domain that the server has reported vouches for an absence: as long as the absence counts.
const SEEN_MS = 10 * 60 * 1000
// How much longer its outcome is used while the test is repeated. After that the server counts as untested.
const OLD_MS = 60 * 60 * 1000
// Rate-limited or unreachable: no evidence about the domain.
const NO_CLAIM: ReadonlySet<RdapFinding> = new Set(['unasked', 'limited', 'broken'])
// The pause after an inconclusive test: the host limits lookups or fails, and more lookups would not help it.
const RETRY_MS = 10_000
// How long a failed test counts. Then the server is tested again.
const UNTRUSTED_MS = 20_000
// So many consecutive responses without evidence about a domain cause a new test.
const SILENT = 3
// How long a test waits for the host's budget. The first caller waits for the test, and a test that gives up costs
// RETRY_MS.
const PROBE_PATIENCE_MS = 10_000

export function createRdapClient({ queue, server, cache, now, closing, onTested }: RdapClientOptions): RdapClient {
  const key = `${TRUST_PREFIX}${server.base}${server.suffix}`
  let lastTest: { readonly trust: RdapTrust; readonly at: number } | undefined
  let testing: Promise<RdapTrust | undefined> | undefined
  let retryAt = 0
  /** Since when tests have been inconclusive. */
  let lostAt: number | undefined
  let silent = 0
  /** When the server last reported one of the known domains as registered. */
  let seenAt = -Infinity
  let seeing: Promise<RdapFinding> | undefined

  /** `isAnew`: runs the test even if the cache has an outcome. */
  async function testServer(isAnew: boolean): Promise<RdapTrust | undefined> {
    const [text] = isAnew ? [] : await cache.getMany([key])
    const shared = readTrust(text ?? '')
    if (shared !== undefined && now() - shared.at < maxDurationMs(shared.trust)) {
      lastTest = shared
      lostAt = undefined
      return shared.trust
    }
    const trust = await probe(queue, server.known, closing, probeTurn())
    silent = 0
    if (trust === undefined) {
      retryAt = now() + RETRY_MS
      lostAt ??= now()
      if (isAnew) lastTest = undefined
      return undefined
    }
    lostAt = undefined
    lastTest = { trust, at: now() }
    if (trust.absent) seenAt = now()
    void cache.setMany([{ key, value: writeTrust(trust, lastTest.at), ttlMs: maxDurationMs(trust) }])
    return trust
  }

  /** With its own fairness key, because every caller needs it. */
  function probeTurn(): LookupTurn {
    const giveUpAt = now() + PROBE_PATIENCE_MS
    return { fairnessKeys: new Set([`probe ${server.suffix}`]), giveUpAt, isStarved: () => false }
  }

  /** What the server says of the known domains: `registered` if it still has its data. */
  async function seeRegistered(): Promise<RdapFinding> {
    if (now() - seenAt < SEEN_MS) return 'registered'
    seeing ??= findRegistered(queue, server.known, closing, probeTurn()).then((found) => {
      seeing = undefined
      if (found === 'registered') seenAt = now()
      else if (found === 'absent') start(true)
      else note(found)
      return found
    })
    return seeing
  }

  function start(isAnew: boolean): void {
    testing ??= testServer(isAnew).finally(() => {
      testing = undefined
      onTested?.()
    })
  }

  function trustNow(): Promise<RdapTrust | undefined> | RdapTrust | undefined {
    const age = lastTest === undefined ? Infinity : now() - lastTest.at
    if (lastTest !== undefined && age < maxDurationMs(lastTest.trust)) return lastTest.trust
    if (now() >= retryAt) start(false)
    return lastTest !== undefined && isBelieved(lastTest.trust) && age < TRUSTED_MS + OLD_MS ? lastTest.trust : testing
  }

  function note(finding: RdapFinding): void {
    if (finding === 'broken' || finding === 'malformed') silent += 1
    else if (!NO_CLAIM.has(finding)) silent = 0
    // The circuit breaker also counts the failed lookups of callers that stopped waiting.
    if ((silent >= SILENT || queue.isCircuitOpen()) && now() >= retryAt) start(true)
  }

  function read(): SourceTrust {
    if (lastTest === undefined) {
      if (lostAt === undefined) return { state: 'proving', since: now(), why: undefined }
      return { state: 'unreachable', since: lostAt, why: `does not respond for .${server.suffix}` }
    }
    const { trust, at } = lastTest
    if (!trust.absent)
      return { state: 'untrusted', since: at, why: `reports ${server.known.join(' and ')} as unregistered` }
    if (!trust.registered)
      return {
        state: 'untrusted',
        since: at,
        why: `reports unregistered domains under .${server.suffix} as registered`,
      }
    return { state: 'trusted', since: at, why: undefined }
  }

  return {
    read,
    async ask(domain, signal, turn) {
      const trust = await trustNow()
      if (trust === undefined) return { claim: 'unasked' }
      // Before the lookup: where budget is scarce, no absence is worth anything without it.
      const seen = trust.absent ? await seeRegistered() : 'registered'
      if (seen === 'absent') return undefined
      if (seen !== 'registered') return { claim: NO_CLAIM.has(seen) ? 'unasked' : 'malformed' }
      const first = await queue.lookUp(domain, trust.method, signal, turn)
      if (first.finding !== 'found') note(first.finding)
      if (first.finding === 'absent') return trust.absent ? { claim: 'absent' } : undefined
      // HEAD returned 200. Only the body of a GET shows whether it is about this domain.
      const lookup = first.finding === 'found' ? await queue.lookUp(domain, 'GET', signal, turn) : first
      const { finding, retryMs, ...more } = lookup
      if (first.finding === 'found') note(finding)
      if (finding === 'registered' || finding === 'ending')
        return trust.registered ? { claim: finding, ...more } : undefined
      if (retryMs !== undefined) return { claim: 'unasked', shortage: { retryMs, wasAsked: finding === 'limited' } }
      return { claim: NO_CLAIM.has(finding) ? 'unasked' : 'malformed' }
    },
  }
}

function isBelieved({ absent, registered }: RdapTrust): boolean {
  return absent && registered
}

function maxDurationMs(trust: RdapTrust): number {
  return isBelieved(trust) ? TRUSTED_MS : UNTRUSTED_MS
}
