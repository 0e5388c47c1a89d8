/**
 * The end of an account's ledger, and of what it was told about it.
 *
 * To be committed before its history is: a generation that is still running spends from a block in the commit of its
 * record, so once the blocks are gone it can record nothing either, and what it recorded before is there to be deleted.
 */
import { CacheDown } from '../cache/cache.ts'
import type { Cache } from '../cache/cache.ts'
import { sql } from '../db/db.ts'
import type { Statement } from '../db/db.ts'
import type { AccountId, KeyId } from '../model/caller.ts'
import { periodsOf } from './period.ts'
import { blockName, rateName } from './redis-names.ts'

const DAY_MS = 86_400_000
const DROP = `redis.call('DEL', unpack(KEYS)) return {}`

export function forgetting(account: AccountId): Statement[] {
  return [
    sql('quota_block_forget', 'DELETE FROM quota_block WHERE account_id = $1', [account]),
    sql('quota_period_forget', 'DELETE FROM quota_period WHERE account_id = $1', [account]),
    sql('event_forget', 'DELETE FROM event WHERE account_id = $1', [account]),
  ]
}

/** Without Redis nothing is done: what it holds of a key expires within minutes. */
export async function dropCounts(cache: Cache, keyIds: readonly KeyId[], at: number): Promise<void> {
  // Around midnight, and where clocks differ, there may be blocks of two days.
  const days = [at - DAY_MS, at, at + DAY_MS].map((moment) => periodsOf(moment).day)
  const drop = (keyId: KeyId) => cache.run(DROP, [rateName(keyId), ...days.map((day) => blockName(keyId, day))], [])
  await Promise.all(keyIds.map(drop)).catch((error: unknown) => {
    if (!(error instanceof CacheDown)) throw error
  })
}
