/**
 * The code in the short link to a share: 72 bits of a MAC over the share's id, under a key derived from
 * NAMEWRIGHT_SECRET. Only its hash is stored. So a database dump opens no share, and members can see the link again.
 */
import { hash } from 'node:crypto'
import { createSigner } from '../../platform/signer.ts'

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
