/**
 * Finds the RDAP server of a suffix (RFC 9224).
 *
 * The package ships a copy of the data (`data/rdap.json`): IANA's list, servers of registries that are not in it, and
 * for some suffixes a domain known to be registered, to test a server with. IANA's list is fetched again once a day,
 * in the background, by the first lookup after the day is over. A fetched list is used only if it is plausible as the
 * next edition of the last good one; otherwise that one stays, and the next try is an hour later.
 *
 * Only https is allowed: an attacker who can change a response in transit could make a registered name look
 * available.
 */
import { readData } from '../../../data.ts'
import { isSuffix } from '../../../model/domain.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { createRegisteredNames } from '../control-names.ts'
import { readIanaList } from './iana-list.ts'

export interface RdapServer {
  /** The entry that matched: "uk" also for a domain in "co.uk". */
  readonly suffix: string
  /** An https URL that ends with a slash. */
  readonly base: string
  /** Domains that should be registered there, the most certain first, all under the same parent. */
  readonly known: readonly [string, ...string[]]
}

export interface Bootstrap {
  findServer(suffix: string): RdapServer | undefined
  /** Runs the daily fetch now. Never rejects. */
  refresh(): Promise<Refresh>
  close(): void
}

export type Refresh = 'fresh' | 'unchanged' | 'refused' | 'unreachable'

/** As in `data/rdap.json`: base → suffixes, and domains; lists are separated by spaces. */
export interface RdapFacts {
  readonly servers: Readonly<Record<string, string>>
  readonly unlisted?: { readonly servers: Readonly<Record<string, string>> }
  readonly registered?: { readonly domains: string }
}

export interface BootstrapOptions {
  readonly outbound: Outbound
  readonly now: () => number
  /** Replaces the shipped data. */
  readonly facts?: RdapFacts
  /** URL of the current list; without it the shipped data is used. */
  readonly url?: string
  readonly onRefresh?: (outcome: Refresh) => void
}

export const IANA_URL = 'https://data.iana.org/rdap/dns.json'

// The max-age of IANA's file.
const DAY_MS = 24 * 60 * 60 * 1000
const RETRY_MS = 60 * 60 * 1000
// The list is about 70 KB.
const MAX_BYTES = 1024 * 1024
const TIMEOUT_MS = 20_000
// A few dozen suffixes are added per year. A list that lost or gained a tenth is not the next edition of this one.
const MAX_CHANGE = 0.1

export function openBootstrap(options: BootstrapOptions): Bootstrap {
  const { outbound, now, url, onRefresh, facts = JSON.parse(readData('rdap.json')) as RdapFacts } = options
  const closing = new AbortController()
  const unlisted = readServers(facts.unlisted?.servers ?? {})
  const registeredIn = createRegisteredNames(facts.registered?.domains ?? '')
  let listed = readServers(facts.servers)
  let etag: string | undefined
  let nextAt = 0
  let running: Promise<Refresh> | undefined

  async function refresh(from: string): Promise<Refresh> {
    const answer = await outbound.send({
      url: from,
      method: 'GET',
      headers: { accept: 'application/json', ...(etag === undefined ? {} : { 'if-none-match': etag }) },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: closing.signal,
    })
    if (answer.kind === 'failed') return answer.reason === 'too_large' ? 'refused' : 'unreachable'
    if (answer.status === 304) return 'unchanged'
    if (answer.status !== 200) return 'unreachable'
    const fresh = readIanaList(answer.body)
    if (fresh === undefined || Math.abs(fresh.size - listed.size) > listed.size * MAX_CHANGE) return 'refused'
    listed = fresh
    etag = answer.headers.etag
    return 'fresh'
  }

  function start(from: string): Promise<Refresh> {
    running ??= refresh(from).then((outcome) => {
      nextAt = now() + (outcome === 'fresh' || outcome === 'unchanged' ? DAY_MS : RETRY_MS)
      running = undefined
      onRefresh?.(outcome)
      return outcome
    })
    return running
  }

  return {
    findServer(suffix) {
      if (url !== undefined && now() >= nextAt && !closing.signal.aborted) void start(url)
      // RFC 9224 §4: the longest match, label by label from the right.
      for (let rest = suffix; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
        const base = listed.get(rest) ?? unlisted.get(rest)
        if (base !== undefined) return { suffix: rest, base, known: registeredIn(rest) }
        if (!rest.includes('.')) return undefined
      }
      return undefined
    },
    refresh: () => (url === undefined ? Promise.resolve('unchanged') : start(url)),
    close: () => closing.abort(),
  }
}

function readServers(servers: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const bases = new Map<string, string>()
  for (const [base, suffixes] of Object.entries(servers)) {
    if (!base.startsWith('https://') || !base.endsWith('/'))
      throw new Error(`data/rdap.json: ${base} is not an https base URL`)
    for (const suffix of suffixes.split(' ')) {
      if (!isSuffix(suffix)) throw new Error(`data/rdap.json: ${suffix} is not a suffix`)
      bases.set(suffix, base)
    }
  }
  return bases
}
