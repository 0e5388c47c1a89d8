/**
 * Whether another try can help, and when it should be made.
 *
 * The only limit is the time budget: not a number of tries, because what is worth riding out (a restart, a database
 * that changes places) is measured in seconds. Waits are drawn at random from the whole range (“full jitter”), so that
 * a thousand callers who failed at once do not come back at once.
 */
import { NamewrightError, NetworkError } from './errors.ts'

// The first wait is a moment: most faults are a single lost connection.
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 3_000
// Of what is left of the budget: towards its end tries come closer together, so that an outage that ends just before it
// is still noticed in time.
const LONGEST_SHARE = 0.5
// Less than a connection and an answer take: no use in beginning.
const LEAST_MS = 50

// 408 and 425 ask for it; 429 and 5xx are about now, not about the request.
const PASSING = new Set([408, 425, 429])
// What the service, or a proxy before it, will never be able to do.
const FOR_GOOD = new Set([501, 505, 506, 508, 510, 511])

/** Certificates do not get better by asking again. The codes are OpenSSL's, as Node, Deno and Bun give them. */
const DISTRUST = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|ERR_TLS|ERR_SSL|WRONG_VERSION_NUMBER/

export function canHelp(failure: NamewrightError | NetworkError): boolean {
  if (failure instanceof NetworkError) return !DISTRUST.test(codeOf(failure.cause))
  const { status, code } = failure
  if (status === 409) return code === 'idempotency_in_progress'
  return PASSING.has(status) || (status >= 500 && !FOR_GOOD.has(status))
}

/**
 * How long to wait, or undefined when there is no time for another try. The service's own wish is a floor; what is
 * drawn comes on top, since everybody was told the same.
 */
export function findWait(
  tries: number,
  { retryAfterMs = 0, leftMs }: { retryAfterMs?: number | undefined; leftMs: number },
  random: () => number,
): number | undefined {
  const spareMs = leftMs - retryAfterMs
  if (spareMs < LEAST_MS) return undefined
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1), spareMs * LONGEST_SHARE)
  return retryAfterMs + random() * most
}

/**
 * RFC 9110 §10.2.3: seconds, or a date. A date is held against the `Date` of the same answer where that can be read,
 * so that a clock that is wrong here does no harm.
 */
export function retryAfterMsOf(headers: { get(name: string): string | null }): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const until = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(until)) return undefined
  const sentAt = Date.parse(headers.get('date') ?? '')
  return Math.max(0, until - (Number.isNaN(sentAt) ? Date.now() : sentAt))
}

/** The innermost code: runtimes wrap the reason of a failed fetch once or twice. */
function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return ''
  const inner = 'cause' in cause ? codeOf(cause.cause) : ''
  return inner === '' && 'code' in cause ? String(cause.code) : inner
}
