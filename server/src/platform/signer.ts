/**
 * Signs bytes with keys that are derived from NAMEWRIGHT_SECRET. Each purpose has a key of its own, so that what was signed
 * for one is worth nothing for another. The first secret signs, any of them verifies.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /** The MAC of all parts together. */
  sign(...parts: readonly (Buffer | string)[]): Buffer
  /** The MAC under each secret, the first one first. */
  signWithAll(...parts: readonly (Buffer | string)[]): readonly Buffer[]
  isSigned(mac: Buffer, ...parts: readonly (Buffer | string)[]): boolean
}

export function createSigner(
  secrets: readonly string[],
  { purpose, macBytes }: { readonly purpose: string; readonly macBytes: number },
): Signer {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
  const [first] = keys
  if (!first) throw new Error('no secret is set for signing')

  function macOf(key: Buffer, parts: readonly (Buffer | string)[]): Buffer {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(part)
    return hmac.digest().subarray(0, macBytes)
  }

  return {
    sign: (...parts) => macOf(first, parts),
    signWithAll: (...parts) => keys.map((key) => macOf(key, parts)),
    isSigned: (mac, ...parts) => mac.length === macBytes && keys.some((key) => timingSafeEqual(mac, macOf(key, parts))),
  }
}

/** Undefined for text that `toString('base64url')` would spell differently: a signed text has exactly one spelling. */
export function findBytes(base64url: string): Buffer | undefined {
  const bytes = Buffer.from(base64url, 'base64url')
  return bytes.toString('base64url') === base64url ? bytes : undefined
}
