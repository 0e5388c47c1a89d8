/**
 * What the links to a share contain, under keys derived from NAMEWRIGHT_SECRET. So a database dump opens no share, and
 * members can see the link again at any time.
 *
 * A short link has a code: 72 bits of a MAC over the share's id, of which only the hash is stored. Links of earlier
 * versions have a token: the account id, which scopes the lookup, the share id, and a MAC over both. Nothing of it is
 * stored.
 */
import { hash } from 'node:crypto'
import type { AccountId } from '../../model/caller.ts'
import { uuidOf } from '../../model/id.ts'
import { createSigner, findBytes } from '../../platform/signer.ts'

export interface ShareCodes {
  make(shareId: string): string
  /** The code that was made for this share; undefined when its secret is no longer configured. */
  find(shareId: string, codeHash: Buffer): string | undefined
}

const CODE_BYTES = 9
const CODE = /^[\w-]{12}$/

export const isShareCode = (text: string): boolean => CODE.test(text)

export const hashCode = (code: string): Buffer => hash('sha256', code, 'buffer')

/** The first secret makes new codes. */
export function createShareCodes(secrets: readonly string[]): ShareCodes {
  const signer = createSigner(secrets, { purpose: 'namewright share code', macBytes: CODE_BYTES })
  return {
    make: (id) => signer.sign(id).toString('base64url'),
    find: (id, codeHash) =>
      signer
        .signWithAll(id)
        .map((mac) => mac.toString('base64url'))
        .find((code) => hashCode(code).equals(codeHash)),
  }
}

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
