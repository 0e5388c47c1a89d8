/**
 * Whether DNS blocklists list a domain (RFC 5782): a query of type A for `<domain>.<zone>`. Only zones that the operator
 * has named are asked, because the lists have rules for who may query them, and how often.
 *
 * An entry counts only if all its addresses are in 127.0.0.0/8. Addresses in 127.255.255.0/24 are the error codes of a
 * list that refuses the query, and 127.0.0.1 is no entry. Two control names are asked first: one that the list must
 * have, and `invalid`, which it must not have. A resolver that answers for names that do not exist, and a list that is
 * gone, fail there: then everything about the zone is `unknown`. A failure never becomes "not listed".
 *
 * The queries go through a DNS client of their own, since lists are often slow for those whom they do not want.
 */
import type { Domain } from '../model/domain.ts'
import type { DnsClient } from './dns-client.ts'
import type { DnsAnswer } from './dns-message.ts'

export interface Blocklist {
  readonly zone: string
  /** A name that the list always contains. */
  readonly testName: string
}

export const BLOCKLIST_RULES = [
  'listed',
  'not_listed',
  /** No response in time, or a failed one. */
  'no_answer',
  /** The list responded with an error code: it does not serve this resolver. */
  'refused',
  /** An address that no list uses. */
  'malformed_answer',
  /** The control names of the zone had wrong results. */
  'untrusted',
  /** The request has more domains than are looked up for one request. */
  'not_asked',
  /** The operator has switched blocklists off. */
  'switched_off',
] as const
export type BlocklistRule = (typeof BLOCKLIST_RULES)[number]

export interface BlocklistFinding {
  readonly zone: string
  readonly rule: BlocklistRule
  /** The addresses of the entry, which say why it is listed. */
  readonly codes: readonly string[]
}

export interface Blocklists {
  readonly zones: number
  /** For each domain its findings, in the order of the settings. What has no response when `signal` aborts is unknown. */
  check(domains: readonly Domain[], signal: AbortSignal): Promise<ReadonlyMap<Domain, readonly BlocklistFinding[]>>
}

/** For one request: with four zones that is 400 queries. */
export const MAX_BLOCKLIST_DOMAINS = 100
// RFC 5782 §5: no list may contain it.
const INVALID = 'invalid'
const NAME_MAX = 253
const CONTROL_MS = { trusted: 300_000, other: 30_000 }
const REFUSALS = '127.255.255.'

type Reading = Pick<BlocklistFinding, 'rule' | 'codes'>

export function createBlocklists({
  client,
  lists,
  now,
  isOff,
}: {
  readonly client: Pick<DnsClient, 'ask'>
  readonly lists: readonly Blocklist[]
  readonly now: () => number
  readonly isOff: () => boolean
}): Blocklists {
  const controls = new Map<string, { readonly until: number; readonly rule: BlocklistRule | undefined }>()

  async function lookUp(name: string, zone: string, signal: AbortSignal): Promise<Reading> {
    const full = `${name}.${zone}`
    if (full.length > NAME_MAX || signal.aborted) return { rule: 'no_answer', codes: [] }
    const { promise, resolve } = Promise.withResolvers<Reading>()
    const withdraw = client.ask(full, 'A', (answer) => resolve(readingOf(answer)))
    const stop = () => {
      withdraw()
      resolve({ rule: 'no_answer', codes: [] })
    }
    signal.addEventListener('abort', stop)
    const reading = await promise
    signal.removeEventListener('abort', stop)
    return reading
  }

  /** Why nothing about the zone counts now; undefined if it does. */
  async function findFault({ zone, testName }: Blocklist, signal: AbortSignal): Promise<BlocklistRule | undefined> {
    if (isOff()) return 'switched_off'
    const known = controls.get(zone)
    if (known && known.until > now()) return known.rule
    const [present, absent] = await Promise.all([lookUp(testName, zone, signal), lookUp(INVALID, zone, signal)])
    const rule = faultOf(present.rule, absent.rule)
    // A caller who has gone proves nothing about the zone.
    if (!signal.aborted)
      controls.set(zone, { rule, until: now() + (rule === undefined ? CONTROL_MS.trusted : CONTROL_MS.other) })
    return rule
  }

  return {
    zones: lists.length,
    async check(domains, signal) {
      const different = [...new Set(domains)]
      const found = new Map<Domain, BlocklistFinding[]>(different.map((domain) => [domain, []]))
      const readings = await Promise.all(
        lists.map(async (list) => {
          const fault = await findFault(list, signal)
          return Promise.all(
            different.map(async (domain, index): Promise<Reading> => {
              if (index >= MAX_BLOCKLIST_DOMAINS) return { rule: 'not_asked', codes: [] }
              return fault === undefined ? lookUp(domain, list.zone, signal) : { rule: fault, codes: [] }
            }),
          )
        }),
      )
      for (const [at, ofList] of readings.entries()) {
        for (const [index, reading] of ofList.entries()) {
          const domain = different[index]
          if (domain) found.get(domain)?.push({ zone: lists[at]?.zone ?? '', ...reading })
        }
      }
      return found
    },
  }
}

function faultOf(present: BlocklistRule, absent: BlocklistRule): BlocklistRule | undefined {
  if (present === 'listed' && absent === 'not_listed') return undefined
  const isOf = (rule: BlocklistRule) => present === rule || absent === rule
  return isOf('refused') ? 'refused' : isOf('no_answer') ? 'no_answer' : 'untrusted'
}

function readingOf(answer: DnsAnswer): Reading {
  if (answer.kind === 'absent') return { rule: 'not_listed', codes: [] }
  if (answer.kind !== 'exists') return { rule: 'no_answer', codes: [] }
  const { addresses = [] } = answer
  if (addresses.some((address) => address.startsWith(REFUSALS))) return { rule: 'refused', codes: [] }
  const isEntry = (address: string) => address.startsWith('127.') && address !== '127.0.0.1'
  if (addresses.length === 0 || !addresses.every(isEntry)) return { rule: 'malformed_answer', codes: [] }
  return { rule: 'listed', codes: addresses.toSorted() }
}
