/**
 * The code in the short link to a share: 72 bits of a MAC over the share's id, under a key derived from
 * NAMEWRIGHT_SECRET. Only its hash is stored. So a database dump opens no share, and members can see the link again.
 */
import { createHmac, hash, hkdfSync } from 'node:crypto'

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
  const makers = secrets.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'namewright share code', 32))
    return (id: string) => createHmac('sha256', key).update(id).digest().subarray(0, CODE_BYTES).toString('base64url')
  })
  const [make] = makers
  if (!make) throw new Error('no secret is set for signing')
  return {
    make,
    find: (id, codeHash) => makers.map((one) => one(id)).find((code) => hashCode(code).equals(codeHash)),
  }
}
