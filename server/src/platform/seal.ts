/**
 * Encrypts secrets that are needed in plain text later, such as those that sign webhooks: AES-256-GCM under a key derived
 * from NAMEWRIGHT_SECRET, so that a database dump is of no use.
 *
 * Each ciphertext is bound to its place: moved to another row or account, it does not decrypt.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface Seal {
  close(text: string, place: string): Buffer
  /** Undefined when it was altered, moved, or encrypted under a secret that is no longer accepted. */
  open(sealed: Buffer, place: string): string | undefined
  /** Re-encrypts under the first secret; undefined when it already is. */
  renew(sealed: Buffer, place: string): Buffer | undefined
}

const CIPHER = 'aes-256-gcm'
// NIST SP 800-38D §5.2.1.1 and §5.2.1.2: the recommended lengths.
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The first secret encrypts, any of them decrypts. */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'namewright webhook secret', 32)))
  const [current] = keys
  if (!current) throw new Error('no secret is set for encryption')
  const close = (text: string, place: string) => encrypt(current, text, place)
  return {
    close,
    open(sealed, place) {
      for (const key of keys) {
        const text = decrypt(key, sealed, place)
        if (text !== undefined) return text
      }
      return undefined
    },
    renew(sealed, place) {
      if (decrypt(current, sealed, place) !== undefined) return undefined
      const text = this.open(sealed, place)
      return text === undefined ? undefined : close(text, place)
    },
  }
}

function encrypt(key: Buffer, text: string, place: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place))
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
}

function decrypt(key: Buffer, sealed: Buffer, place: string): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const hidden = sealed.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
