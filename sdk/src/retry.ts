/**
 * Which failures are retryable, and the back-off before the next try.
 *
 * The only limit is the time budget, not a number of tries, because the outages that a client should survive (a restart,
 * a database failover) are measured in seconds. Waits use full jitter: they are drawn from the whole range, so that a
 * thousand callers that failed at once do not retry at once.
 */
import { NamewrightError, NetworkError } from './errors.ts'

// Short, because most failures are a single lost connection.
const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 3_000
// Share of the remaining budget: tries come closer together towards its end, so that the end of a long outage is still
// noticed in time.
const MAX_SHARE = 0.5
// Less than a connection and a response take, so another try is pointless.
const LEAST_MS = 50

// 408 and 425 ask for a retry; 429 and 5xx describe the state of the service, not the request.
const RETRYABLE = new Set([408, 425, 429])
// 5xx codes that a retry cannot change.
const PERMANENT = new Set([501, 505, 506, 508, 510, 511])

/** A retry cannot fix a certificate. The codes are OpenSSL's, as reported by Node, Deno and Bun. */
const TLS_FAILURE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|ERR_TLS|ERR_SSL|WRONG_VERSION_NUMBER/

export function isRetryable(failure: NamewrightError | NetworkError): boolean {
  if (failure instanceof NetworkError) return !TLS_FAILURE.test(codeOf(failure.cause)) && !isBadPort(failure.cause)
  const { status, code } = failure
  if (status === 409) return code === 'idempotency_in_progress'
  return RETRYABLE.has(status) || (status >= 500 && !PERMANENT.has(status))
}

/**
 * The back-off in milliseconds, or undefined when there is no time for another try. `Retry-After` is the minimum; jitter
 * comes on top, because all callers received the same value.
 */
export function findWait(
  tries: number,
  { retryAfterMs = 0, leftMs }: { retryAfterMs?: number | undefined; leftMs: number },
  random: () => number,
): number | undefined {
  const spareMs = leftMs - retryAfterMs
  if (spareMs < LEAST_MS) return undefined
  const most = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1), spareMs * MAX_SHARE)
  return retryAfterMs + random() * most
}

/**
 * RFC 9110 §10.2.3: seconds, or a date. A date is compared with the `Date` of the same response where that can be
 * read, so that a wrong local clock does no harm.
 */
export function retryAfterMsOf(headers: { get(name: string): string | null }): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const until = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(until)) return undefined
  const sentAt = Date.parse(headers.get('date') ?? '')
  return Math.max(0, until - (Number.isNaN(sentAt) ? Date.now() : sentAt))
}

/**
 * Whether the connection was refused or the host does not exist: either the URL is wrong, or the service restarts. The
 * codes are those of the operating system, as reported by Node, Deno and Bun.
 */
export function isRefused(failure: unknown): boolean {
  return failure instanceof NetworkError && /^(?:ECONNREFUSED|ENOTFOUND|ConnectionRefused)$/.test(codeOf(failure.cause))
}

/** `fetch` refuses some ports, such as 6000, and will do so again. It gives a message and no code. */
function isBadPort(cause: unknown): boolean {
  return cause instanceof Error && (cause.message === 'bad port' || isBadPort(cause.cause))
}

/** The innermost code: runtimes wrap the cause of a failed fetch once or twice. */
function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return ''
  const inner = 'cause' in cause ? codeOf(cause.cause) : ''
  return inner === '' && 'code' in cause ? String(cause.code) : inner
}
