/** The symmetric secret and signature of Standard Webhooks 1.0. */
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

/** One signature per secret, so that a receiver may use either during a rotation. */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ')
}
