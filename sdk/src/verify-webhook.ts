/**
 * Verifies webhooks by the Standard Webhooks specification: HMAC-SHA256 over id, timestamp and the raw bytes of the body.
 * Depends on WebCrypto only, and never on the client, so that it can be bundled alone.
 */

import type { Seen, WebhookRequest } from './api-types.ts'

/**
 * Why the verification of a webhook failed.
 *
 * @example
 * ```ts
 * import type { WebhookFault } from '@namewright/client'
 *
 * export const isClockSkew = (fault: WebhookFault): boolean => fault === 'too_old' || fault === 'too_new'
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
 * The verification of a webhook failed. Respond with a 4xx status and ignore the webhook.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookError } from '@namewright/client'
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

/** Request headers: a `Headers` object, or an object with lower-case names. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Options of the time check.
 *
 * @example
 * ```ts
 * import type { VerifyOptions } from '@namewright/client'
 *
 * const strict: VerifyOptions = { toleranceSeconds: 60 }
 * ```
 */
export interface VerifyOptions {
  /** Maximum difference between the timestamp and now, in both directions. Default: 300. */
  readonly toleranceSeconds?: number
  /** Replaces Date.now. */
  readonly now?: () => number
}

/**
 * The data of each event type.
 *
 * @example
 * ```ts
 * import type { WebhookData } from '@namewright/client'
 *
 * export const shareOf = ({ used, limit }: WebhookData['quota.warning']): number => used / limit
 * ```
 */
export interface WebhookData extends Record<WebhookRequest['events'][number] | 'webhook.test', object> {
  readonly 'favorite.available': FavoriteUpdate
  readonly 'favorite.taken': FavoriteUpdate
  readonly 'favorite.price_changed': FavoriteUpdate
  readonly 'batch.completed': {
    readonly batch_id: string
    readonly total: number
    readonly succeeded: number
    /** Requests without a single name. Absent when the service does not count them separately. */
    readonly short?: number | undefined
    readonly failed: number
    /** The webhook that the batch names, if any. */
    readonly webhook_id?: string | undefined
  }
  readonly 'quota.warning': {
    readonly key_id: string
    readonly period: 'day' | 'month'
    readonly starts_on: string
    /** Percentage of the quota: 50, 80 or 100. */
    readonly percent: number
    readonly used: number
    readonly limit: number
  }
  readonly 'audit.entry': {
    readonly id: string
    readonly created_at: string
    readonly action: string
    /** The id of the person who did it. */
    readonly actor: string | null
    /** The kind of credential, such as `session` or `key`, its id, and the application that used it. */
    readonly credential: string | null
    readonly credential_id: string | null
    readonly client_id: string | null
    readonly ip: string | null
    readonly detail: Readonly<Record<string, string>>
  }
  readonly 'webhook.test': { readonly webhook_id: string }
}

interface FavoriteUpdate {
  readonly favorite_id: string
  readonly domain: string
  readonly name: string
  readonly before: Seen
  readonly after: Seen
}

/**
 * A verified event. Redeliveries have the same `id`: store it and ignore duplicates.
 *
 * @example
 * ```ts
 * import type { VerifiedWebhook } from '@namewright/client'
 *
 * export function lineOf(event: VerifiedWebhook): string {
 *   if (event.type === 'favorite.available') return `${event.data.domain} is available for ${event.data.after.price}`
 *   if (event.type === 'batch.completed') return `${event.data.succeeded} of ${event.data.total}`
 *   return event.type
 * }
 * ```
 */
export type VerifiedWebhook = {
  [Type in keyof WebhookData]: {
    readonly id: string
    readonly type: Type
    /** When the event happened (RFC 3339). */
    readonly timestamp: string
    readonly data: WebhookData[Type]
  }
}[keyof WebhookData]

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const VERSION = 'v1,'

/**
 * Verifies a webhook and returns its event; throws a `WebhookError` otherwise.
 *
 * `payload` must be the raw body, not parsed and serialized again. During a rotation both the old and the new secret
 * verify, because the service signs with both.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { text } from 'node:stream/consumers'
 * import { verifyWebhook } from '@namewright/client/verify-webhook'
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
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const id = await verifySignature(body, headers, secret, options)
  return contentOf(id, new TextDecoder().decode(body))
}

/**
 * Verifies the signature of a request and returns its id; throws a `WebhookError` otherwise.
 *
 * For a request of the service that is not an event, such as the question to an operator's own source. `payload` must
 * be the raw body.
 *
 * @example
 * ```ts
 * import { verifySignature } from '@namewright/client/verify-webhook'
 *
 * export async function domainsOf(request: Request, secret: string): Promise<string[]> {
 *   const body = await request.text()
 *   await verifySignature(body, request.headers, secret)
 *   return JSON.parse(body).domains
 * }
 * ```
 */
export async function verifySignature(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<string> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  checkTime(timestamp, Math.floor(now() / 1000), toleranceSeconds)

  const key = await keyOf(secret)
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  // One signature per secret during a rotation. `verify` compares in constant time.
  const matches = await Promise.all(
    signatures
      .split(' ')
      .filter((one) => one.startsWith(VERSION))
      .flatMap((one) => bytesOf(one.slice(VERSION.length)) ?? [])
      .map((one) => crypto.subtle.verify('HMAC', key, one, signed)),
  )
  if (!matches.includes(true)) throw new WebhookError('bad_signature', 'no signature matches the body and the secret')
  return id
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '')
    throw new WebhookError('missing_header', `the header ${name} is missing`)
  return value
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function'
}

function checkTime(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookError('bad_timestamp', 'webhook-timestamp is not a Unix timestamp')
  const ageSeconds = nowSeconds - Number(timestamp)
  if (ageSeconds > toleranceSeconds)
    throw new WebhookError('too_old', `the timestamp is ${ageSeconds} seconds in the past`)
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookError('too_new', `the timestamp is ${-ageSeconds} seconds in the future`)
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (bytes === undefined || bytes.length === 0) throw new WebhookError('bad_secret', 'the secret is not valid base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Decodes base64; undefined when the text is not base64. */
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

/** The signature proves that the service sent the body, so only its basic shape is checked. */
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
