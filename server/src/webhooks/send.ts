/**
 * One attempt: an event as Standard Webhooks writes it, signed and posted, and what came of it.
 *
 * The body and `webhook-id` are the same at every attempt; the timestamp, and with it the signature, are those of the
 * attempt. Any status from 200 to 299 is thanks, and nothing else is: a redirect would lead where nobody has looked.
 */
import type { OutboundAnswer, OutboundRequest } from '../outbound.ts'
import { signatureOf } from './signature.ts'
import { findTarget } from './target.ts'

export interface EventToTell {
  readonly id: string
  readonly type: string
  readonly created_at: Date
  /** JSON text. */
  readonly data: string
}

export interface Receiver {
  readonly url: string
  /** The newest first; none when they cannot be read any more. */
  readonly secrets: readonly string[]
}

/** `status` and `answer` where there was an answer; `error` is the reason in one word. */
export interface Outcome {
  readonly ok: boolean
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  readonly retryAfterMs?: number
}

export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>

export interface SendOptions {
  readonly send: Send
  readonly allowed: ReadonlySet<string>
  readonly now: () => number
}

// Standard Webhooks: "15 to 30 seconds"; who needs longer should answer first and work then.
const TIMEOUT_MS = 15_000
// Read, so that the connection can be used again; of it this much is shown to who looks for what went wrong.
const MOST_BYTES = 64 * 1024
const KEPT_BYTES = 1024

/** Undefined when it was stopped half-way: nobody knows what came of it, so it counts as not tried. */
export async function tell(
  { send, allowed, now }: SendOptions,
  receiver: Receiver,
  event: EventToTell,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
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
    maxBytes: MOST_BYTES,
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

/** `data` is JSON already, and PostgreSQL writes the same value the same way each time. */
export function bodyOf({ type, created_at, data }: EventToTell): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${created_at.toISOString()}","data":${data}}`
}

/** Whatever a receiver sent, as text that PostgreSQL can keep. */
function shownText(body: Buffer): string {
  return body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}')
}

function failed(error: string): Outcome {
  return { ok: false, status: null, error, answer: null }
}
