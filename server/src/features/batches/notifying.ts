/** The webhook event of a completed batch, written in the transaction that completes it. */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'

export function notifying(account: AccountId, id: string, at: number): Statement {
  return sql(
    'batch_tell',
    `INSERT INTO event (account_id, id, created_at, type, once, data)
     SELECT $1, $3, $4, 'batch.completed', 'batch.completed ' || batch.id, jsonb_strip_nulls(
       jsonb_build_object('batch_id', batch.id, 'total', total, 'succeeded', sum(done - short), 'short', sum(short),
         'failed', sum(failed), 'webhook_id', webhook_id))
     FROM batch JOIN batch_chunk chunk ON chunk.account_id = batch.account_id AND chunk.batch_id = batch.id
     WHERE batch.account_id = $1 AND batch.id = $2 GROUP BY batch.account_id, batch.id
     ON CONFLICT ON CONSTRAINT event_once DO NOTHING`,
    [account, id, makeId(at), new Date(at)],
  )
}
