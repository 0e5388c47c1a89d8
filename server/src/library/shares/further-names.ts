/**
 * Further names for a share, steered by its votes: what has to be generated, one search at a time, and how its names are
 * added. `http/share-names.ts` generates them; the commit that adds them also spends the quota.
 *
 * A search holds a claim for half a minute, so that two people who press at once start one search, and a node that dies
 * delays the next one by no more than that. The number of searches per share is limited, whoever presses.
 */
import { sql } from '../../platform/db/db.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../errors.ts'
import type { UserId } from '../../model/member.ts'
import type { ShareRef } from './share-token.ts'

export interface SharedName {
  readonly name: string
  readonly domain: string
  /** JSON text: what is known of the domain. */
  readonly seen: string
}

export interface FurtherSearch {
  /** 1 for the first. */
  readonly batch: number
  readonly description: string
  /** JSON text. */
  readonly options: string
  readonly createdBy: UserId | null
  /** All names so far, in the order of the share. */
  readonly names: readonly { readonly name: string; readonly up: number; readonly down: number }[]
}

export interface FurtherNames {
  /**
   * Claims the next search. Undefined when one is running. Fails with not_found, with share_full when all searches are
   * used up, and with invalid_request when the share has no description or this voter has not voted.
   */
  claimSearch(ref: ShareRef, voter: Buffer): Promise<FurtherSearch | undefined>
  /** Adds the names and ends the search. Their transaction fails if this search has lost its claim to a later one. */
  adding(ref: ShareRef, batch: number, names: readonly SharedName[]): Statement[]
  /** Ends a search that found nothing. It does not count. */
  endSearch(ref: ShareRef, batch: number): Promise<void>
}

/** Of twelve names each (`http/share-names.ts`): as many as a group has the patience for, and a bound for who pays. */
export const MAX_BATCHES = 10
// Longer than a search with a language model takes.
const CLAIM_MS = 30_000

interface Claimed {
  readonly batches: number
  readonly description: string
  readonly options: string | null
  readonly created_by: UserId | null
}

export function createFurtherNames({ db, now }: { db: Db; now: () => number }): FurtherNames {
  return {
    async claimSearch({ account, id }, voter) {
      const at = new Date(now())
      const [found, voted, claimed, names] = await db.as(account, [
        sql<{ description: string | null; batches: number }>(
          'share_search_find',
          'SELECT description, batches FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $3',
          [account, id, at],
        ),
        sql('share_has_voted', `SELECT FROM share_vote WHERE ${OF_VOTER} LIMIT 1`, [account, id, voter]),
        sql<Claimed>(
          'share_search_claim',
          `UPDATE share SET searching_until = $5, version = version + 1
           WHERE account_id = $1 AND id = $2 AND expires_at > $4 AND description IS NOT NULL AND batches < $6
             AND (searching_until IS NULL OR searching_until <= $4)
             AND EXISTS (SELECT FROM share_vote WHERE ${OF_VOTER})
           RETURNING batches, description, options, created_by`,
          [account, id, voter, at, new Date(at.getTime() + CLAIM_MS), MAX_BATCHES],
        ),
        sql<FurtherSearch['names'][number]>(
          'share_search_names',
          `SELECT name, (SELECT count(*) FILTER (WHERE up) FROM share_vote vote
               WHERE vote.account_id = $1 AND vote.share_id = $2 AND vote.item_id = item.id)::int AS up,
             (SELECT count(*) FILTER (WHERE NOT up) FROM share_vote vote
               WHERE vote.account_id = $1 AND vote.share_id = $2 AND vote.item_id = item.id)::int AS down
           FROM share_item item WHERE item.account_id = $1 AND item.share_id = $2 ORDER BY place`,
          [account, id],
        ),
      ])
      const [[share], [claim]] = [found.rows, claimed.rows]
      if (!share) throw new ApiError('not_found')
      if (share.description === null) throw wrong('/description', 'required')
      if (share.batches >= MAX_BATCHES) throw new ApiError('share_full')
      if (voted.count === 0) throw wrong('/votes', 'too_few')
      return (
        claim && {
          batch: claim.batches + 1,
          description: claim.description,
          options: claim.options ?? '{}',
          createdBy: claim.created_by,
          names: names.rows,
        }
      )
    },

    adding: (ref, batch, names) => [
      // A division by zero refuses the transaction when another search has taken over.
      sql(
        'share_search_end',
        `WITH ended AS (
           UPDATE share SET batches = batches + 1, searching_until = NULL, version = version + 1
           WHERE account_id = $1 AND id = $2 AND batches = $3 - 1 RETURNING 1)
         SELECT 1 / count(*) FROM ended`,
        [ref.account, ref.id, batch],
      ),
      insertNames(ref, names, { batch }),
    ],

    async endSearch({ account, id }, batch) {
      const text = `UPDATE share SET searching_until = NULL, version = version + 1
        WHERE account_id = $1 AND id = $2 AND batches = $3 - 1`
      await db.as(account, [sql('share_search_stop', text, [account, id, batch])])
    },
  }
}

const OF_VOTER = `account_id = $1 AND share_id = $2 AND voter = $3
  AND item_id = ANY (ARRAY(SELECT id FROM share_item WHERE account_id = $1 AND share_id = $2))`

// Favorites have random ids, so this is none.
const NO_FAVORITE = '00000000-0000-0000-0000-000000000000'

/** Leaves out domains that the share already has. `after`: the last place; by default of the share's own items. */
export function insertNames(
  { account, id }: ShareRef,
  names: readonly SharedName[],
  { batch, after }: { batch: number; after?: number },
): Statement {
  const column = (field: keyof SharedName) => names.map((one) => one[field])
  return sql(
    'share_name_insert',
    `INSERT INTO share_item (account_id, share_id, id, favorite_id, place, batch, name, domain, seen)
     SELECT $1, $2, gen_random_uuid(), $8, wanted.place + coalesce($7, (
         SELECT max(place) FROM share_item WHERE account_id = $1 AND share_id = $2), 0), $3,
       wanted.name, wanted.domain, wanted.seen
     FROM unnest($4::text[], $5::text[], $6::jsonb[]) WITH ORDINALITY wanted (name, domain, seen, place)
     WHERE NOT EXISTS (
       SELECT FROM share_item item WHERE item.account_id = $1 AND item.share_id = $2 AND item.domain = wanted.domain)`,
    [account, id, batch, column('name'), column('domain'), column('seen'), after, NO_FAVORITE],
  )
}

function wrong(pointer: string, code: 'required' | 'too_few'): ApiError {
  return new ApiError('invalid_request', { fields: [{ pointer, code, params: { limit: 1 } }] })
}
