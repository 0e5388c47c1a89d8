/**
 * Encrypts webhook secrets in the database: AES-256-GCM under a key derived from NAMEWRIGHT_SECRET, so that a database
 * dump cannot sign. Signing needs the secret in plain text, which is why it is not hashed.
 *
 * Each ciphertext is bound to its place: moved to another row or account, it does not decrypt.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/db.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'

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

/**
 * After a rotation of NAMEWRIGHT_SECRET: returns how many webhooks were not under the first secret. Locks the rows, so that a concurrent rotation of a
 * webhook's own secret is not overwritten.
 */
export function reencryptWebhooks(db: Db, account: AccountId, secrets: readonly string[]): Promise<number> {
  const seal = createSeal(secrets)
  return db.transaction(account, async (tx) => {
    const text = 'SELECT id, secret, old_secret FROM webhook WHERE account_id = $1 FOR NO KEY UPDATE'
    const { rows } = await tx.run(
      sql<{ id: string; secret: Buffer; old_secret: Buffer | null }>('webhook_sealed', text, [account]),
    )
    let changed = 0
    for (const { id, secret, old_secret } of rows) {
      const place = `${account} ${id}`
      const renewed = seal.renew(secret, place)
      const renewedOld = old_secret && seal.renew(old_secret, place)
      if (!renewed && !renewedOld) continue
      const change = 'UPDATE webhook SET secret = $3, old_secret = $4 WHERE account_id = $1 AND id = $2'
      await tx.run(sql('webhook_reseal', change, [account, id, renewed ?? secret, renewedOld ?? old_secret]))
      changed++
    }
    return changed
  })
}
