/** Signatures of outgoing requests by Standard Webhooks 1.0: HMAC-SHA256 over id, timestamp and body. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
// The specification requires 24 to 64 bytes; SHA-256 gains nothing from more than 32.
const SECRET_BYTES = 32

export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** A secret that somebody else has made, in any length that the specification allows. */
export function isWebhookSecret(text: string): boolean {
  const base64 = text.slice(PREFIX.length)
  const bytes = Buffer.from(base64, 'base64')
  return text.startsWith(PREFIX) && bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
}

/** One signature per secret, so that a receiver may use either during a rotation. */
export function signedHeaders(secrets: readonly string[], signed: Signed): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': signatureOf(secrets, signed),
  }
}

function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
}
