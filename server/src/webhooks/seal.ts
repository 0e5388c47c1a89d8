/**
 * The secrets of webhooks as they lie in the database: AES-256-GCM under a key that is derived from NAMEWRIGHT_SECRET,
 * so that a dump signs nothing. A secret must come back in clear to sign with, which is why it is no hash.
 *
 * Each is bound to its place: moved to another row, or to another account, it does not open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface Seal {
  close(text: string, place: string): Buffer
  /** Undefined when it was altered, moved, or closed under another NAMEWRIGHT_SECRET. */
  open(sealed: Buffer, place: string): string | undefined
}

const CIPHER = 'aes-256-gcm'
// NIST SP 800-38D §5.2.1.1 and §5.2.1.2: the lengths it recommends.
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'namewright webhook secret', 32))
  return {
    close(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place))
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    open(sealed, place) {
      try {
        const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const hidden = sealed.subarray(NONCE_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
