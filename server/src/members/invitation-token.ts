/**
 * What the link of an invitation carries: the account, in which alone it can be looked for, and 32 random bytes that
 * prove it. Only the SHA-256 of the random half is stored.
 */
import { hash, randomBytes } from 'node:crypto'
import type { AccountId } from '../model/caller.ts'

const ACCOUNT_BYTES = 16
const RANDOM_BYTES = 32

export interface Claim {
  readonly account: AccountId
  readonly hash: Buffer
}

export function makeToken(account: AccountId): { readonly token: string; readonly hash: Buffer } {
  const random = randomBytes(RANDOM_BYTES)
  const bytes = Buffer.concat([Buffer.from(account.replaceAll('-', ''), 'hex'), random])
  return { token: bytes.toString('base64url'), hash: hashOf(random) }
}

/** What such a text claims; undefined when it is none of ours. */
export function findClaim(token: string): Claim | undefined {
  const bytes = Buffer.from(token, 'base64url')
  // Buffer reads base64url generously; a token has one spelling.
  if (bytes.length !== ACCOUNT_BYTES + RANDOM_BYTES || bytes.toString('base64url') !== token) return undefined
  const hex = bytes.toString('hex', 0, ACCOUNT_BYTES)
  const account = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { account: account as AccountId, hash: hashOf(bytes.subarray(ACCOUNT_BYTES)) }
}

function hashOf(random: Buffer): Buffer {
  return hash('sha256', random, 'buffer')
}
