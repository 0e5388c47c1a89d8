/**
 * One delivery attempt: an event in the Standard Webhooks format, signed and posted, and its outcome.
 *
 * The body and `webhook-id` are the same at every attempt; the timestamp, and with it the signature, belong to the
 * attempt. Only a status from 200 to 299 is a success. Redirects are not followed, because their target is not
 * validated.
 */
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { signatureOf } from './signature.ts'
import { findTarget } from './target.ts'

export interface EventToDeliver {
  readonly id: string
  readonly type: string
  readonly created_at: Date
  /** JSON text. */
  readonly data: string
}

export interface Receiver {
  readonly url: string
  /** The newest first; empty when they cannot be decrypted any more. */
  readonly secrets: readonly string[]
}

/** `status` and `answer` when there was a response; `error` is the reason as a code. */
export interface DeliveryOutcome {
  readonly ok: boolean
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  readonly retryAfterMs?: number
}

export type SendDelivery = (request: OutboundRequest) => Promise<OutboundAnswer>

export interface SendOptions {
  readonly send: SendDelivery
  readonly allowed: ReadonlySet<string>
  readonly now: () => number
}

// Standard Webhooks: "15 to 30 seconds"; a slower receiver should respond first and then do its work.
const TIMEOUT_MS = 15_000
// The body is read so that the connection can be reused; this much of it is shown for debugging.
const MAX_BYTES = 64 * 1024
const KEPT_BYTES = 1024

/** Undefined when it was aborted: the outcome is unknown, so it does not count as an attempt. */
export async function deliver(
  { send, allowed, now }: SendOptions,
  receiver: Receiver,
  event: EventToDeliver,
  signal: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const target = findTarget(receiver.url, allowed)
  if (!target) return failed('url_not_allowed')
  if (receiver.secrets.length === 0) return failed('secret_unreadable')
  const { id } = event
  const body = bodyOf(event)
  const timestamp = Math.floor(now() / 1000)
  const answer = await send({
    url: target.href,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(receiver.secrets, { id, timestamp, body }),
    },
    body,
    maxBytes: MAX_BYTES,
    statusDecides: true,
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  if (answer.kind === 'failed') return answer.reason === 'aborted' ? undefined : failed(answer.reason)
  const ok = answer.status >= 200 && answer.status < 300
  return {
    ok,
    status: answer.status,
    error: ok ? null : 'status',
    answer: shownText(answer.body),
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
  }
}

/** `data` is already JSON, and PostgreSQL prints the same value the same way each time. */
export function bodyOf({ type, created_at, data }: EventToDeliver): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${created_at.toISOString()}","data":${data}}`
}

/** The receiver's body as text that PostgreSQL can store. */
function shownText(body: Buffer): string {
  return body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}')
}

function failed(error: string): DeliveryOutcome {
  return { ok: false, status: null, error, answer: null }
}
