/**
 * The token in the link to a share: the account id, which scopes the lookup, the share id, and a MAC over both under a
 * key derived from NAMEWRIGHT_SECRET. Nothing of it is stored. So a database dump opens no share, and members can see
 * the link again at any time.
 */
import type { AccountId } from '../../model/caller.ts'
import { uuidOf } from '../../model/id.ts'
import { createSigner, findBytes } from '../../platform/signer.ts'

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

export function createShareTokens(secrets: readonly string[]): ShareTokens {
  const signer = createSigner(secrets, { purpose: 'namewright share', macBytes: MAC_BYTES })
  return {
    make({ account, id }) {
      const ids = Buffer.from(`${account}${id}`.replaceAll('-', ''), 'hex')
      return Buffer.concat([ids, signer.sign(ids)]).toString('base64url')
    },
    find(token) {
      const bytes = findBytes(token)
      if (!bytes) return undefined
      const ids = bytes.subarray(0, 2 * ID_BYTES)
      if (!signer.isSigned(bytes.subarray(2 * ID_BYTES), ids)) return undefined
      return { account: uuidOf(ids.subarray(0, ID_BYTES)) as AccountId, id: uuidOf(ids.subarray(ID_BYTES)) }
    },
  }
}
