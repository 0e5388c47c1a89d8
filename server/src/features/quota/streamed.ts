/**
 * The cost of a request that may be tried again: each name shown is charged once, however often the connection breaks.
 *
 * An interrupted stream is charged for the names it showed, and the same commit records those names. Repeating the
 * request with the same Idempotency-Key, as a stream or not, is charged only for other names. A name that was charged and
 * is withdrawn is given back by the commit of the stream that withdrew it. All statements count in the database, so they
 * need no prior read.
 */
import { sql } from '../../platform/db/db.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { Caller } from '../../model/caller.ts'

export interface ShownNames {
  /** The key under which charges of this request are recorded; without one it cannot be tried again. */
  readonly id: string | undefined
  readonly names: readonly string[]
  /** Names that were shown and taken back. */
  readonly withdrawn: readonly string[]
}

/**
 * Refused as `spendFrom` is. Never charges more than `most`, which is the reservation, and never gives back more than
 * was used of this block. For an interrupted stream the same statement records the names, and counts against the names
 * recorded before it. Returns the cost, which is negative when more is given back than charged.
 */
export function spendShown(
  { accountId, keyId }: Caller,
  block: string,
  { id, names, withdrawn }: ShownNames,
  { most, interruptedAt }: { most: number; interruptedAt: Date | undefined },
): Statement<{ units: number }> {
  const values = [accountId, keyId, block, id, names, withdrawn, most]
  if (interruptedAt === undefined) return sql('quota_block_spend_shown', `${SPEND} ${ANSWER}`, values)
  return sql('quota_block_spend_cut', `${SPEND}, ${NOTE} ${ANSWER}`, [...values, interruptedAt])
}

// The lock keeps `used` as it is until the update, so that exactly the units that are returned are counted.
const SPEND = `WITH charged AS (
    SELECT DISTINCT name FROM stream_charge, unnest(names) AS charged_names (name)
    WHERE account_id = $1 AND id = $4
  ), block AS (
    SELECT used FROM quota_block WHERE account_id = $1 AND key_id = $2 AND id = $3 FOR UPDATE
  ), due AS (
    SELECT greatest(-used, least($7::bigint,
        (SELECT count(*) FROM unnest($5::text[]) AS shown (name) WHERE name NOT IN (SELECT name FROM charged)))
      - (SELECT count(*) FROM charged WHERE name = ANY ($6::text[]))) AS units
    FROM block
  ), spent AS (
    UPDATE quota_block SET used = used + due.units FROM due WHERE account_id = $1 AND key_id = $2 AND id = $3
    RETURNING due.units)`

const NOTE = `noted AS (
    INSERT INTO stream_charge (account_id, id, charged_at, names)
    SELECT $1, $4, $8, $5::text[] WHERE $4::text IS NOT NULL
    ON CONFLICT (account_id, id) DO UPDATE SET charged_at = excluded.charged_at,
      names = ARRAY (SELECT DISTINCT name FROM unnest(stream_charge.names || excluded.names) AS both_names (name)
        WHERE name <> ALL ($6::text[])))`

// Fails by division when the block is gone.
const ANSWER = 'SELECT sum(units)::bigint / count(*) AS units FROM spent'
