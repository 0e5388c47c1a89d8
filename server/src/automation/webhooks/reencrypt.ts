/** Re-encrypts the secrets of an account's webhooks after a rotation of NAMEWRIGHT_SECRET. */
import { sql } from '../../platform/db/db.ts'
import type { Db } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import { createSeal } from './seal.ts'

interface Stored {
  readonly id: string
  readonly secret: Buffer
  readonly old_secret: Buffer | null
}

/**
 * Returns how many webhooks were not under the first secret. Locks the rows, so that a concurrent rotation of a
 * webhook's own secret is not overwritten.
 */
export function reencryptWebhooks(db: Db, account: AccountId, secrets: readonly string[]): Promise<number> {
  const seal = createSeal(secrets)
  return db.transaction(account, async (tx) => {
    const text = 'SELECT id, secret, old_secret FROM webhook WHERE account_id = $1 FOR NO KEY UPDATE'
    const { rows } = await tx.run(sql<Stored>('webhook_sealed', text, [account]))
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
