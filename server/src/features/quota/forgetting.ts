/**
 * Deletes an account's ledger and its events.
 *
 * Commit this before the history is deleted. A running generation spends from a block in the commit of its record. Once
 * the blocks are gone it can record nothing more, and earlier records are there to be deleted.
 */
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId, KeyId } from '../../model/caller.ts'
import { periodsOf } from './rate.ts'
import { accountRateName, accountRemainingName, blockName, checksName, lostCommitsName, rateName } from './rate.ts'

const DAY_MS = 86_400_000
const DROP = `redis.call('DEL', unpack(KEYS)) return {}`

export function forgetting(account: AccountId): Statement[] {
  return [
    sql('quota_block_forget', 'DELETE FROM quota_block WHERE account_id = $1', [account]),
    sql('stream_charge_forget', 'DELETE FROM stream_charge WHERE account_id = $1', [account]),
    sql('quota_period_forget', 'DELETE FROM quota_period WHERE account_id = $1', [account]),
    sql('event_forget', 'DELETE FROM event WHERE account_id = $1', [account]),
  ]
}

/** Does nothing without Redis: its data about an account expires within a day. */
export async function dropCounts(
  cache: Cache,
  accountId: AccountId,
  keyIds: readonly KeyId[],
  at: number,
): Promise<void> {
  // Around midnight, and when clocks differ, blocks of two days may exist.
  const days = [at - DAY_MS, at, at + DAY_MS].map((moment) => periodsOf(moment).day)
  const ofDay = (day: string) => [accountRemainingName(accountId, day), checksName(accountId, day)]
  const ofAccount = [accountRateName(accountId), lostCommitsName(accountId), ...days.flatMap(ofDay)]
  const ofKey = (keyId: KeyId) => [
    rateName({ accountId, keyId }),
    ...days.map((day) => blockName({ accountId, keyId }, day)),
  ]
  const drops = [ofAccount, ...keyIds.map(ofKey)].map((names) => cache.run(DROP, names, []))
  await Promise.all(drops).catch((error: unknown) => {
    if (!(error instanceof CacheDown)) throw error
  })
}
