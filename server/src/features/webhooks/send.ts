/**
 * One delivery attempt: an event in the format of Standard Webhooks 1.0, signed and posted, and its outcome.
 *
 * The body and `webhook-id` are the same at every attempt; the timestamp, and with it the signature, belong to the
 * attempt. Only a status from 200 to 299 is a success. Redirects are not followed, because their target is not
 * validated.
 */
import { isIP } from 'node:net'
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { placeOf } from '../../platform/outbound/place.ts'
import { isPrivateAddress } from '../../platform/outbound/private-address.ts'
import { signedHeaders } from '../../platform/webhook-signature.ts'

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
      ...signedHeaders(receiver.secrets, { id, timestamp, body }),
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

/** 8443 is by convention the second port of https. Any other port is more likely to be an internal service. */
const PORTS = new Set(['', '443', '8443'])
// RFC 6761, 6762, 7686, 8375 and 9476, and ICANN's name for private use: no public server has such a name.
const LOCAL = /(?:^|\.)(?:localhost|localdomain|local|internal|alt|onion|invalid|home\.arpa)$/
const STRANGE = /[\p{Cc}\p{Cf}\p{Z}\\]/u
export const URL_MAX = 2_000

/**
 * The URL as it is stored and called; undefined when it is not allowed.
 *
 * This service sends requests, from inside the operator's network, to a URL that a user chose. So the URL must be https
 * at a usual port, without user and password. It must not name this machine, its network or its cloud, in any spelling:
 * the URL parser first normalizes every number, dot and digit of every script. What a host name resolves to is checked at
 * each connection (`platform/outbound/public-lookup.ts`). The operator may exempt hosts from these rules.
 */
export function findTarget(text: string, allowed: ReadonlySet<string>): URL | undefined {
  if (text.length > URL_MAX || STRANGE.test(text)) return undefined
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.href.length > URL_MAX) return undefined
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (allowed.has(placeOf(url))) return url
  return url.protocol === 'https:' && PORTS.has(url.port) && isPublicHost(url.hostname) ? url : undefined
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isPrivateAddress(host)
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !LOCAL.test(name)
}
