/**
 * The token in an invitation link: the account id, which scopes the lookup, and 32 random bytes that prove it. Only the
 * SHA-256 of the random half is stored.
 */
import { hash, randomBytes } from 'node:crypto'
import type { AccountId } from '../../model/caller.ts'
import { uuidOf } from '../../model/id.ts'
import { findBytes } from '../../platform/signer.ts'

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
  const bytes = findBytes(token)
  if (bytes?.length !== ACCOUNT_BYTES + RANDOM_BYTES) return undefined
  const account = uuidOf(bytes.subarray(0, ACCOUNT_BYTES))
  return { account: account as AccountId, hash: hashOf(bytes.subarray(ACCOUNT_BYTES)) }
}

function hashOf(random: Buffer): Buffer {
  return hash('sha256', random, 'buffer')
}
