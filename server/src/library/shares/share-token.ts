/**
 * The token in the link to a share: the account id, which scopes the lookup, the share id, and a MAC over both under a
 * key derived from NAMEWRIGHT_SECRET. Nothing of it is stored. So a database dump opens no share, and members can see
 * the link again at any time.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../model/caller.ts'

export interface ShareRef {
  readonly account: AccountId
  readonly id: string
}

export interface ShareTokens {
  make(ref: ShareRef): string
  /** Undefined when the token is not valid. */
  find(token: string): ShareRef | undefined
}

const ID_BYTES = 16
const MAC_BYTES = 16

/** The first secret signs, any of them verifies. */
export function createShareTokens(secrets: readonly string[]): ShareTokens {
  const macs = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'namewright share', 32))
    return (ids: Buffer) => createHmac('sha256', key).update(ids).digest().subarray(0, MAC_BYTES)
  })
  const [macOf] = macs
  if (!macOf) throw new Error('no secret is set for signing')

  return {
    make({ account, id }) {
      const ids = Buffer.from(`${account}${id}`.replaceAll('-', ''), 'hex')
      return Buffer.concat([ids, macOf(ids)]).toString('base64url')
    },
    find(token) {
      const bytes = Buffer.from(token, 'base64url')
      const ids = bytes.subarray(0, 2 * ID_BYTES)
      // Buffer accepts lenient base64url; a token has exactly one spelling.
      const isOurs =
        bytes.length === 2 * ID_BYTES + MAC_BYTES &&
        bytes.toString('base64url') === token &&
        macs.some((one) => timingSafeEqual(bytes.subarray(2 * ID_BYTES), one(ids)))
      return isOurs ? { account: uuidAt(ids, 0) as AccountId, id: uuidAt(ids, ID_BYTES) } : undefined
    },
  }
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + ID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
