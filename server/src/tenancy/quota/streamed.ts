/**
 * The cost of a stream: each name sent is charged once, however often the connection breaks.
 *
 * An interrupted stream is charged for the names it sent, and the same commit records those names. Resuming it, or
 * repeating the request with the same Idempotency-Key, is charged only for other names. Both statements count in the
 * database, so they need no prior read.
 */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { Caller } from '../../model/caller.ts'

/** `ids`: the keys under which charges of this stream are recorded. */
export interface StreamedNames {
  readonly ids: readonly string[]
  readonly names: readonly string[]
}

/**
 * Refused as `spendFrom` is. Never charges more than `most`, which is the reservation. For an interrupted stream the
 * same statement records the names, and counts against the names recorded before it.
 */
export function spendStreamed(
  { accountId, keyId }: Caller,
  block: string,
  { ids, names }: StreamedNames,
  { most, interruptedAt }: { most: number; interruptedAt: Date | undefined },
): Statement<{ units: number }> {
  const values = [accountId, keyId, block, ids, names, most]
  if (interruptedAt === undefined) return sql('quota_block_spend_streamed', `${SPEND} ${ANSWER}`, values)
  return sql('quota_block_spend_cut', `${SPEND}, ${NOTE} ${ANSWER}`, [...values, interruptedAt])
}

const SPEND = `WITH due AS (
    SELECT least(count(*), $6::bigint) AS units FROM unnest($5::text[]) AS sent (name) WHERE NOT EXISTS (
      SELECT FROM stream_charge charged WHERE charged.account_id = $1 AND charged.id = ANY ($4::text[])
        AND sent.name = ANY (charged.names))
  ), spent AS (
    UPDATE quota_block SET used = used + (SELECT units FROM due) WHERE account_id = $1 AND key_id = $2 AND id = $3
    RETURNING 1)`

const NOTE = `noted AS (
    INSERT INTO stream_charge (account_id, id, charged_at, names)
    SELECT $1, id, $7, $5::text[] FROM unnest($4::text[]) AS stream (id)
    ON CONFLICT (account_id, id) DO UPDATE SET charged_at = excluded.charged_at,
      names = ARRAY (SELECT DISTINCT name FROM unnest(stream_charge.names || excluded.names) AS both_names (name)))`

const ANSWER = 'SELECT units / (SELECT count(*) FROM spent) AS units FROM due'
