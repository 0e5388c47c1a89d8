/**
 * What the link to a share carries: the account, in which alone it can be looked for, the share, and a MAC over both
 * under a key that is derived from NAMEWRIGHT_SECRET. Nothing of it is stored, so a dump of the database opens no share,
 * and members can be shown the link again whenever they ask.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../model/caller.ts'

export interface ShareRef {
  readonly account: AccountId
  readonly id: string
}

export interface ShareTokens {
  make(ref: ShareRef): string
  /** Undefined when it is none of ours. */
  find(token: string): ShareRef | undefined
}

const ID_BYTES = 16
const MAC_BYTES = 16

export function createShareTokens(secret: string): ShareTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'namewright share', 32))
  const macOf = (ids: Buffer) => createHmac('sha256', key).update(ids).digest().subarray(0, MAC_BYTES)

  return {
    make({ account, id }) {
      const ids = Buffer.from(`${account}${id}`.replaceAll('-', ''), 'hex')
      return Buffer.concat([ids, macOf(ids)]).toString('base64url')
    },
    find(token) {
      const bytes = Buffer.from(token, 'base64url')
      const ids = bytes.subarray(0, 2 * ID_BYTES)
      // Buffer reads base64url generously; a token has one spelling.
      const isOurs =
        bytes.length === 2 * ID_BYTES + MAC_BYTES &&
        bytes.toString('base64url') === token &&
        timingSafeEqual(bytes.subarray(2 * ID_BYTES), macOf(ids))
      return isOurs ? { account: uuidAt(ids, 0) as AccountId, id: uuidAt(ids, ID_BYTES) } : undefined
    },
  }
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + ID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
