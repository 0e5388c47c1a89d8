/**
 * Whether a webhook came from the service, by the Standard Webhooks specification: HMAC-SHA256 over id, time and the very
 * bytes of the body. Stands alone: it needs no client, and only WebCrypto of the runtime.
 */

import type { Seen, WebhookRequest } from './api-types.ts'

/**
 * Why a webhook is not to be believed.
 *
 * @example
 * ```ts
 * import type { WebhookFault } from 'namewright'
 *
 * export const isClockTrouble = (fault: WebhookFault): boolean => fault === 'too_old' || fault === 'too_new'
 * ```
 */
export type WebhookFault =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'bad_secret'
  | 'bad_signature'
  | 'bad_payload'

/**
 * The webhook is not what it claims to be. Answer it with a 4xx, and do nothing else.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookError } from 'namewright'
 *
 * export async function receive(request: Request): Promise<Response> {
 *   try {
 *     const { type } = await verifyWebhook(await request.text(), request.headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
 *     console.log(type)
 *     return new Response(null, { status: 204 })
 *   } catch (error) {
 *     if (error instanceof WebhookError) return new Response(error.fault, { status: 400 })
 *     throw error
 *   }
 * }
 * ```
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Headers as any server has them: a `Headers`, or an object by name in lower case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * How strict to be about time.
 *
 * @example
 * ```ts
 * import type { VerifyOptions } from 'namewright'
 *
 * const strict: VerifyOptions = { toleranceSeconds: 60 }
 * ```
 */
export interface VerifyOptions {
  /** How far the time of sending may be from now, either way. Default 300. */
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970, as Date.now, which it is by default. */
  readonly now?: () => number
}

/**
 * What each type of event says.
 *
 * @example
 * ```ts
 * import type { WebhookData } from 'namewright'
 *
 * export const shareOf = ({ used, limit }: WebhookData['quota.warning']): number => used / limit
 * ```
 */
export interface WebhookData extends Record<WebhookRequest['events'][number] | 'webhook.test', object> {
  readonly 'favorite.available': FavoriteNews
  readonly 'favorite.taken': FavoriteNews
  readonly 'favorite.price_changed': FavoriteNews
  readonly 'batch.completed': {
    readonly batch_id: string
    readonly total: number
    readonly succeeded: number
    readonly failed: number
    /** Where the batch named one. */
    readonly webhook_id?: string | undefined
  }
  readonly 'quota.warning': {
    readonly key_id: string
    readonly period: 'day' | 'month'
    readonly starts_on: string
    /** Of the budget: 50, 80 or 100. */
    readonly percent: number
    readonly used: number
    readonly limit: number
  }
  readonly 'webhook.test': { readonly webhook_id: string }
}

interface FavoriteNews {
  readonly favorite_id: string
  readonly domain: string
  readonly name: string
  readonly before: Seen
  readonly after: Seen
}

/**
 * What was sent. `id` is the same however often it is sent: remember it, and do nothing the second time.
 *
 * @example
 * ```ts
 * import type { VerifiedWebhook } from 'namewright'
 *
 * export function lineOf(event: VerifiedWebhook): string {
 *   if (event.type === 'favorite.available') return `${event.data.domain} is free, for ${event.data.after.price}`
 *   if (event.type === 'batch.completed') return `${event.data.succeeded} of ${event.data.total}`
 *   return event.type
 * }
 * ```
 */
export type VerifiedWebhook = {
  [Type in keyof WebhookData]: {
    readonly id: string
    readonly type: Type
    /** When it happened (RFC 3339). */
    readonly timestamp: string
    readonly data: WebhookData[Type]
  }
}[keyof WebhookData]

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const VERSION = 'v1,'

/**
 * Checks a webhook and returns what it says; throws a `WebhookError` otherwise.
 *
 * `payload` must be the body as it came, not parsed and written again. While a secret is being rotated, both old and new
 * verify, since the service signs with both.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { text } from 'node:stream/consumers'
 * import { verifyWebhook } from 'namewright/verify-webhook'
 *
 * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
 * const server = createServer(async (request, response) => {
 *   const event = await verifyWebhook(await text(request), request.headers, secret).catch(() => undefined)
 *   console.log(event?.id, event?.type, event?.data)
 *   response.writeHead(event === undefined ? 400 : 204).end()
 * })
 * server.listen(0, () => server.close())
 * ```
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  checkTime(timestamp, Math.floor(now() / 1000), toleranceSeconds)

  const key = await keyOf(secret)
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  // One per secret while one is being rotated. `verify` compares in constant time.
  const matches = await Promise.all(
    signatures
      .split(' ')
      .filter((one) => one.startsWith(VERSION))
      .flatMap((one) => bytesOf(one.slice(VERSION.length)) ?? [])
      .map((one) => crypto.subtle.verify('HMAC', key, one, signed)),
  )
  if (!matches.includes(true)) throw new WebhookError('bad_signature', 'no signature fits the body and the secret')
  return contentOf(id, new TextDecoder().decode(body))
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookError('missing_header', `there is no header ${name}`)
  return value
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function'
}

function checkTime(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookError('bad_timestamp', 'webhook-timestamp is not a time')
  const ageSeconds = nowSeconds - Number(timestamp)
  if (ageSeconds > toleranceSeconds) throw new WebhookError('too_old', `it was sent ${ageSeconds} seconds ago`)
  if (ageSeconds < -toleranceSeconds) throw new WebhookError('too_new', `it was sent in ${-ageSeconds} seconds`)
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookError('bad_secret', 'the secret is not as it was shown')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** From base64, or undefined when it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

/** What is signed is of the service, so its form is only looked at, not examined. */
function contentOf(id: string, text: string): VerifiedWebhook {
  const { type, timestamp, data } = parsed(text)
  if (typeof type !== 'string' || typeof timestamp !== 'string' || typeof data !== 'object' || data === null)
    throw new WebhookError('bad_payload', 'the body is not an event')
  return { id, type, timestamp, data } as VerifiedWebhook
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>
  } catch {
    throw new WebhookError('bad_payload', 'the body is not JSON')
  }
}
