/**
 * Interprets the response of an RDAP server (RFC 7480, 9083). Pure: a response in, a finding out.
 *
 * 200 means registered only if the body is about exactly the queried domain. 404 means absent unless it is the error
 * page of a web server. 403, 422 and 429 all mean "too many requests", because registries use all three for it. Any
 * other response proves nothing.
 */
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import { findJson, isRecord } from '../../../platform/outbound/shallow-json.ts'

/**
 * `found`: a 200 whose body has not been read. `ending`: registered, and may be deleted soon. `broken`: the host
 * fails. `malformed`: a malformed response, which proves nothing. `unasked`: the lookup was never sent.
 */
export type RdapFinding = 'registered' | 'ending' | 'found' | 'absent' | 'limited' | 'broken' | 'malformed' | 'unasked'

// The deepest path of a real response (entities of entities with their cards) is about ten.
const MAX_DEPTH = 16
const LIMITED = new Set([403, 422, 429])
// RFC 8056: the states of a domain that is about to be deleted.
const ENDING = new Set(['pending delete', 'redemption period', 'pending restore'])
// After its expiry a domain is usually kept for up to 45 more days.
const ENDING_MS = 45 * 24 * 60 * 60 * 1000
// A registration lasts ten years at most (ICANN). An expiry more than a year ago does not belong to this
// registration.
const MAX_AHEAD_MS = 11 * 366 * 24 * 60 * 60 * 1000
const MAX_PAST_MS = 400 * 24 * 60 * 60 * 1000
// A real response has about five.
const MAX_EVENTS = 50

export function readHead(answer: OutboundAnswer): RdapFinding {
  return readStatus(answer) ?? 'found'
}

export function readBody(answer: OutboundAnswer, domain: string, at: number): RdapFinding {
  const finding = readStatus(answer)
  if (finding !== undefined || answer.kind === 'failed') return finding ?? 'broken'
  if (!/^application\/(?:rdap\+)?json\b/i.test(answer.headers['content-type'] ?? '')) return 'malformed'
  const body = findJson(answer.body, MAX_DEPTH)
  if (!isRecord(body) || body.objectClassName !== 'domain' || typeof body.ldhName !== 'string') return 'malformed'
  if (body.ldhName.replace(/\.$/, '').toLowerCase() !== domain) return 'malformed'
  return isEnding(body, at) ? 'ending' : 'registered'
}

/**
 * When the registration expires, according to a response that `readBody` has accepted; undefined without a plausible
 * date.
 */
export function findExpiryDate(answer: OutboundAnswer, at: number): number | undefined {
  const body = answer.kind === 'failed' ? undefined : findJson(answer.body, MAX_DEPTH)
  if (!isRecord(body) || !Array.isArray(body.events)) return undefined
  for (const event of body.events.slice(0, MAX_EVENTS) as unknown[]) {
    if (!isRecord(event) || event.eventAction !== 'expiration' || typeof event.eventDate !== 'string') continue
    // RFC 3339. `Date.parse` also accepts other texts ("1", "May"), which are not dates here.
    const expiry = /^\d{4}-\d\d-\d\dT/i.test(event.eventDate) ? Date.parse(event.eventDate) : Number.NaN
    if (expiry > at - MAX_PAST_MS && expiry < at + MAX_AHEAD_MS) return expiry
  }
  return undefined
}

/** Undefined for a 200: then the body decides. */
function readStatus(answer: OutboundAnswer): RdapFinding | undefined {
  // A host that sends too much data or compresses it is up, but its response cannot be read.
  if (answer.kind === 'failed')
    return answer.reason === 'too_large' || answer.reason === 'encoded' ? 'malformed' : 'broken'
  const { status, headers } = answer
  if (status === 200) return undefined
  if (LIMITED.has(status) || (status === 503 && answer.retryAfterMs !== undefined)) return 'limited'
  if (status >= 500) return 'broken'
  if (status !== 404) return 'malformed'
  // An empty body is valid. An HTML page comes from a proxy in front of the registry, which knows no domains.
  return /json|^$/i.test(headers['content-type'] ?? '') ? 'absent' : 'malformed'
}

function isEnding({ status, events }: Readonly<Record<string, unknown>>, at: number): boolean {
  if (Array.isArray(status) && status.some((state) => ENDING.has(String(state).toLowerCase()))) return true
  if (!Array.isArray(events)) return false
  return events.some(
    (event) =>
      isRecord(event) && event.eventAction === 'expiration' && Date.parse(String(event.eventDate)) - at < ENDING_MS,
  )
}
