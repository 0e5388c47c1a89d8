/**
 * Votes and comments on a share by people without an account.
 *
 * A vote is one round trip: its statements follow each other in one transaction. The first advances the version of the
 * share, which locks its row, so that the limits hold for all voters together and every vote is counted once. The later
 * ones write nothing if the share is closed or the vote is refused. An expired or deleted share counts as not found.
 */
import { sql } from '../../platform/db/db.ts'
import type { Db, Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../errors.ts'
import { makeId } from '../../model/id.ts'
import type { ShareRef } from './share-token.ts'

export interface Ballot {
  /** The hash of an id that the voter's browser generated. */
  readonly voter: Buffer
  /** Undefined: unchanged. */
  readonly name: string | undefined
  /** By item; null withdraws a vote. */
  readonly votes: ReadonlyMap<string, 'up' | 'down' | null>
}

export interface Remark {
  readonly author: string
  readonly text: string
  readonly itemId: string | undefined
}

export interface VoteCount {
  readonly id: string
  readonly up: number
  readonly down: number
}

export interface Voting {
  /**
   * Returns the votes on these items, this ballot included. Fails with not_found, share_full or, for an item that is
   * not in it, invalid_request.
   */
  vote(ref: ShareRef, ballot: Ballot): Promise<readonly VoteCount[]>
  /** Fails as `vote` does. */
  comment(ref: ShareRef, remark: Remark): Promise<void>
  /** Null: no name. Fails with insufficient_role for anybody but the host, and otherwise as `vote` does. */
  pick(ref: ShareRef, host: Buffer, itemId: string | null): Promise<void>
}

/** More voters than a company asks, and few enough to count each time. */
const MAX_VOTERS = 500
const MAX_COMMENTS = 500

export function createVoting({ db, now }: { db: Db; now: () => number }): Voting {
  return {
    async vote(ref, { voter, name, votes }) {
      const at = new Date(now())
      const given = (wanted: 'up' | 'down' | null) => [...votes].flatMap(([id, vote]) => (vote === wanted ? [id] : []))
      const [up, down, none] = [given('up'), given('down'), given(null)]
      const ids = [...votes.keys()]
      const [opened, known, , gave, , counted] = await db.as(ref.account, [
        advance(ref, at),
        knownItems(ref, ids),
        takeBack(ref, { voter, none, ids, at }),
        give(ref, { voter, up, all: [...up, ...down], ids, at }),
        rename(ref, { voter, name, at }),
        countVotes(ref, ids),
      ])
      if (opened.count === 0) throw new ApiError('not_found')
      if (known.count < ids.length) throw unknownItem('/votes')
      if (gave.count < up.length + down.length) throw new ApiError('share_full')
      const counts = new Map(counted.rows.map((row) => [row.id, row]))
      return ids.map((id) => counts.get(id) ?? { id, up: 0, down: 0 })
    },

    async comment(ref, { author, text, itemId }) {
      const at = new Date(now())
      const ids = itemId === undefined ? [] : [itemId]
      const [opened, known, added] = await db.as(ref.account, [
        advance(ref, at),
        knownItems(ref, ids),
        sql(
          'share_comment_add',
          `INSERT INTO share_comment (account_id, share_id, id, item_id, author, text, created_at)
           SELECT $1, $2, $3, $4, $5, $6, $7
           WHERE (SELECT count(*) FROM share_comment WHERE account_id = $1 AND share_id = $2) < $8
             AND EXISTS (SELECT FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $7)
             AND ($4::uuid IS NULL OR EXISTS (
               SELECT FROM share_item WHERE account_id = $1 AND share_id = $2 AND id = $4))`,
          [ref.account, ref.id, makeId(at.getTime()), itemId, author, text, at, MAX_COMMENTS],
        ),
      ])
      if (opened.count === 0) throw new ApiError('not_found')
      if (known.count < ids.length) throw unknownItem('/item_id')
      if (added.count === 0) throw new ApiError('share_full')
    },

    async pick(ref, host, itemId) {
      const at = new Date(now())
      const ids = itemId === null ? [] : [itemId]
      const [known, picked, found] = await db.as(ref.account, [
        knownItems(ref, ids),
        sql(
          'share_pick',
          `UPDATE share SET picked = $5, version = version + 1
           WHERE account_id = $1 AND id = $2 AND expires_at > $3 AND host = $4 AND ($5::uuid IS NULL OR EXISTS (
             SELECT FROM share_item WHERE account_id = $1 AND share_id = $2 AND id = $5))`,
          [ref.account, ref.id, at, host, itemId],
        ),
        sql('share_is_open', 'SELECT FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $3', [
          ref.account,
          ref.id,
          at,
        ]),
      ])
      if (picked.count > 0) return
      if (found.count === 0) throw new ApiError('not_found')
      if (known.count < ids.length) throw unknownItem('/item_id')
      throw new ApiError('insufficient_role', { params: { role: 'host' } })
    },
  }
}

function unknownItem(pointer: string): ApiError {
  return new ApiError('invalid_request', {
    fields: [{ pointer, code: 'bad_format', params: { expected: 'item id' } }],
  })
}

function advance({ account, id }: ShareRef, at: Date): Statement {
  const text = `UPDATE share SET version = version + 1 WHERE account_id = $1 AND id = $2 AND expires_at > $3`
  return sql('share_advance', text, [account, id, at])
}

function knownItems({ account, id }: ShareRef, ids: readonly string[]): Statement {
  const text = 'SELECT FROM share_item WHERE account_id = $1 AND share_id = $2 AND id = ANY ($3::uuid[])'
  return sql('share_items_known', text, [account, id, ids])
}

// The items as an array: the primary key then finds one voter's votes without reading those of the others.
const EVERY_ITEM = 'ANY (ARRAY(SELECT id FROM share_item WHERE account_id = $1 AND share_id = $2))'

export function votesOf({ account, id }: ShareRef, voter: Buffer): Statement<{ item_id: string; up: boolean }> {
  const text = `SELECT item_id, up FROM share_vote
    WHERE account_id = $1 AND share_id = $2 AND item_id = ${EVERY_ITEM} AND voter = $3`
  return sql('share_votes_of', text, [account, id, voter])
}

function takeBack(
  { account, id }: ShareRef,
  { voter, none, ids, at }: { voter: Buffer; none: readonly string[] } & Pick<GivenVotes, 'ids' | 'at'>,
): Statement {
  const text = `DELETE FROM share_vote
    WHERE account_id = $1 AND share_id = $2 AND voter = $3 AND item_id = ANY ($4::uuid[])
      AND EXISTS (SELECT FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $5)
      AND cardinality($6::uuid[]) = (
        SELECT count(*) FROM share_item WHERE account_id = $1 AND share_id = $2 AND id = ANY ($6::uuid[]))`
  return sql('share_vote_take_back', text, [account, id, voter, none, at, ids])
}

interface GivenVotes {
  readonly voter: Buffer
  readonly up: readonly string[]
  readonly all: readonly string[]
  /** Also those that are taken back: a ballot with an unknown item changes nothing. */
  readonly ids: readonly string[]
  readonly at: Date
}

function give({ account, id }: ShareRef, { voter, up, all, ids, at }: GivenVotes): Statement {
  return sql(
    'share_vote_give',
    `INSERT INTO share_vote (account_id, share_id, item_id, voter, up, name, created_at)
     SELECT $1, $2, item, $3, item = ANY ($4::uuid[]), coalesce((
       SELECT max(name) FROM share_vote
       WHERE account_id = $1 AND share_id = $2 AND item_id = ${EVERY_ITEM} AND voter = $3), ''), $6
     FROM unnest($5::uuid[]) item
     WHERE EXISTS (SELECT FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $6)
       AND cardinality($7::uuid[]) = (
         SELECT count(*) FROM share_item WHERE account_id = $1 AND share_id = $2 AND id = ANY ($7::uuid[]))
       AND CASE WHEN EXISTS (
           SELECT FROM share_vote
           WHERE account_id = $1 AND share_id = $2 AND item_id = ${EVERY_ITEM} AND voter = $3) THEN true
         ELSE $8 > (SELECT count(DISTINCT voter) FROM share_vote WHERE account_id = $1 AND share_id = $2) END
     ON CONFLICT (account_id, share_id, item_id, voter) DO UPDATE SET up = excluded.up`,
    [account, id, voter, up, all, at, ids, MAX_VOTERS],
  )
}

function rename(
  { account, id }: ShareRef,
  { voter, name, at }: { voter: Buffer; name: string | undefined; at: Date },
): Statement {
  const text = `UPDATE share_vote SET name = $4
    WHERE account_id = $1 AND share_id = $2 AND item_id = ${EVERY_ITEM} AND voter = $3 AND name <> $4
      AND EXISTS (SELECT FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $5)`
  return sql('share_voter_rename', text, [account, id, voter, name, at])
}

function countVotes({ account, id }: ShareRef, ids: readonly string[]): Statement<VoteCount> {
  const text = `SELECT item_id AS id, count(*) FILTER (WHERE up)::int AS up, count(*) FILTER (WHERE NOT up)::int AS down
    FROM share_vote WHERE account_id = $1 AND share_id = $2 AND item_id = ANY ($3::uuid[]) GROUP BY item_id`
  return sql('share_vote_count', text, [account, id, ids])
}
