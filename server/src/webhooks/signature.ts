/** The secret and the signature of Standard Webhooks 1.0, in its symmetric form. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
// The specification wants 24 to 64 bytes; SHA-256 gains nothing from more than 32.
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

/** One signature for each secret, so that a receiver may have either while one is replaced by the other. */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
}
