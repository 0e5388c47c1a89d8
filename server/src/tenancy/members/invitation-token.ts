/**
 * The token in an invitation link: the account id, which scopes the lookup, and 32 random bytes that prove it. Only the
 * SHA-256 of the random half is stored.
 */
import { hash, randomBytes } from 'node:crypto'
import type { AccountId } from '../../model/caller.ts'

const ACCOUNT_BYTES = 16
const RANDOM_BYTES = 32

export interface InvitationClaim {
  readonly account: AccountId
  readonly hash: Buffer
}

export function makeToken(account: AccountId): { readonly token: string; readonly hash: Buffer } {
  const random = randomBytes(RANDOM_BYTES)
  const bytes = Buffer.concat([Buffer.from(account.replaceAll('-', ''), 'hex'), random])
  return { token: bytes.toString('base64url'), hash: hashOf(random) }
}

/** The account and hash that a token claims; undefined when the text is not such a token. */
export function findClaim(token: string): InvitationClaim | undefined {
  const bytes = Buffer.from(token, 'base64url')
  // Buffer accepts lenient base64url; a token has exactly one spelling.
  if (bytes.length !== ACCOUNT_BYTES + RANDOM_BYTES || bytes.toString('base64url') !== token) return undefined
  const hex = bytes.toString('hex', 0, ACCOUNT_BYTES)
  const account = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { account: account as AccountId, hash: hashOf(bytes.subarray(ACCOUNT_BYTES)) }
}

function hashOf(random: Buffer): Buffer {
  return hash('sha256', random, 'buffer')
}
