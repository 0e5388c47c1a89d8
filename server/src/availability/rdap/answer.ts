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
 * trouble. `odd`: it answers, and the answer proves nothing.
 */
export type Finding = 'registered' | 'ending' | 'found' | 'absent' | 'limited' | 'broken' | 'odd'

// The deepest path of a real answer (entities of entities with their cards) is about ten.
const MAX_DEPTH = 16
const LIMITED = new Set([403, 422, 429])
// RFC 8056: the states of a domain that is on its way back to the shelf.
const ENDING = new Set(['pending delete', 'redemption period', 'pending restore'])
// After its last day a domain is usually kept for up to 45 more before anything happens to it.
const ENDING_MS = 45 * 24 * 60 * 60 * 1000

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
