/**
 * What an RDAP server's answer is worth (RFC 7480, 9083). Pure: an answer in, a finding out.
 *
 * 200 means registered only with a body that says so of the very domain asked; 404 means absent unless a web server's
 * error page says it; 403, 422 and 429 all mean "too much", because registries use all three for it. Whatever else comes
 * is worth nothing.
 */
import type { OutboundAnswer } from '../../outbound.ts'
import { findJson, isRecord } from '../../outbound/shallow-json.ts'

/**
 * `found`: a 200 whose body nobody has seen. `ending`: registered, and may soon not be. `broken`: the host is in
 * trouble. `odd`: it answers, and the answer proves nothing. `unasked`: the question was never sent.
 */
export type Finding = 'registered' | 'ending' | 'found' | 'absent' | 'limited' | 'broken' | 'odd' | 'unasked'

// The deepest path of a real answer (entities of entities with their cards) is about ten.
const MAX_DEPTH = 16
const LIMITED = new Set([403, 422, 429])
// RFC 8056: the states of a domain that is on its way back to the shelf.
const ENDING = new Set(['pending delete', 'redemption period', 'pending restore'])
// After its last day a domain is usually kept for up to 45 more before anything happens to it.
const ENDING_MS = 45 * 24 * 60 * 60 * 1000
// Nobody can register for more than ten years (ICANN), and what ended more than a year ago is no date of this registration.
const LONGEST_AHEAD_MS = 11 * 366 * 24 * 60 * 60 * 1000
const LONGEST_PAST_MS = 400 * 24 * 60 * 60 * 1000
// A real answer has about five.
const MOST_EVENTS = 50

export function readHead(answer: OutboundAnswer): Finding {
  return readStatus(answer) ?? 'found'
}

export function readBody(answer: OutboundAnswer, domain: string, at: number): Finding {
  const finding = readStatus(answer)
  if (finding !== undefined || answer.kind === 'failed') return finding ?? 'broken'
  if (!/^application\/(?:rdap\+)?json\b/i.test(answer.headers['content-type'] ?? '')) return 'odd'
  const body = findJson(answer.body, MAX_DEPTH)
  if (!isRecord(body) || body.objectClassName !== 'domain' || typeof body.ldhName !== 'string') return 'odd'
  if (body.ldhName.replace(/\.$/, '').toLowerCase() !== domain) return 'odd'
  return isEnding(body, at) ? 'ending' : 'registered'
}

/** When the registration ends, by an answer that `readBody` has believed; undefined where it says nothing sane of it. */
export function findEnd(answer: OutboundAnswer, at: number): number | undefined {
  const body = answer.kind === 'failed' ? undefined : findJson(answer.body, MAX_DEPTH)
  if (!isRecord(body) || !Array.isArray(body.events)) return undefined
  for (const event of body.events.slice(0, MOST_EVENTS) as unknown[]) {
    if (!isRecord(event) || event.eventAction !== 'expiration' || typeof event.eventDate !== 'string') continue
    // RFC 3339. What else `Date.parse` takes for a date ("1", "May") is none.
    const end = /^\d{4}-\d\d-\d\dT/i.test(event.eventDate) ? Date.parse(event.eventDate) : Number.NaN
    if (end > at - LONGEST_PAST_MS && end < at + LONGEST_AHEAD_MS) return end
  }
  return undefined
}

/** Undefined for a 200, which is only the beginning. */
function readStatus(answer: OutboundAnswer): Finding | undefined {
  // A host that sends too much or packs it is up; it only says nothing that we read.
  if (answer.kind === 'failed') return answer.reason === 'too_large' || answer.reason === 'encoded' ? 'odd' : 'broken'
  const { status, headers } = answer
  if (status === 200) return undefined
  if (LIMITED.has(status) || (status === 503 && answer.retryAfterMs !== undefined)) return 'limited'
  if (status >= 500) return 'broken'
  if (status !== 404) return 'odd'
  // No body is right; a page for people comes from something in front of the registry, which knows no domains.
  return /json|^$/i.test(headers['content-type'] ?? '') ? 'absent' : 'odd'
}

function isEnding({ status, events }: Readonly<Record<string, unknown>>, at: number): boolean {
  if (Array.isArray(status) && status.some((state) => ENDING.has(String(state).toLowerCase()))) return true
  if (!Array.isArray(events)) return false
  return events.some(
    (event) =>
      isRecord(event) && event.eventAction === 'expiration' && Date.parse(String(event.eventDate)) - at < ENDING_MS,
  )
}
