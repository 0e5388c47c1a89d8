/** The Redis keys of an account and its API keys; the braces keep all of them on one node of a cluster. */
import type { AccountId, Caller } from '../../model/caller.ts'

type CountedCredential = Pick<Caller, 'accountId' | 'keyId'>

export function rateName({ accountId, keyId }: CountedCredential): string {
  return `r:{${accountId}}:${keyId}`
}

export function accountRateName(account: AccountId): string {
  return `r:{${account}}`
}

/** The prefix of every block, and of no other key. */
export const BLOCK_NAMES = 'q:{'

export function blockName({ accountId, keyId }: CountedCredential, day: string): string {
  return `${BLOCK_NAMES}${accountId}}:${keyId}:${day}`
}

/** Of each commit with an unknown outcome: the key, the block that it spends from, and the name of that block. */
export function lostCommitsName(account: AccountId): string {
  return `l:{${account}}`
}

/** The domains that the account has checked on that day. */
export function checksName(account: AccountId, day: string): string {
  return `c:{${account}}:${day}`
}

/** The units that the account had left to lease on that day, as of its last lease. */
export function accountRemainingName(account: AccountId, day: string): string {
  return `a:{${account}}:${day}`
}
