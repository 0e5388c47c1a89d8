/**
 * Votes and comments on a share by people without an account.
 *
 * The share's row is locked meanwhile: concurrent voters wait for a millisecond, and the limits hold for all of them
 * together. An expired or deleted share counts as not found.
 */
import { sql } from '../../platform/db/db.ts'
import type { Db, Statement, Transaction } from '../../platform/db/db.ts'
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

export interface Voting {
  /** Fails with not_found, share_full or, for an item that is not in it, invalid_request. */
  vote(ref: ShareRef, ballot: Ballot): Promise<void>
  /** Fails as `vote` does. */
  comment(ref: ShareRef, remark: Remark): Promise<void>
}

/** More voters than a company asks, and few enough to count each time. */
const MAX_VOTERS = 500
const MAX_COMMENTS = 500

export function createVoting({ db, now }: { db: Db; now: () => number }): Voting {
  async function within(ref: ShareRef, work: (tx: Transaction, at: Date) => Promise<void>): Promise<void> {
    const at = new Date(now())
    await db.transaction(ref.account, async (tx) => {
      const text = 'SELECT FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $3 FOR NO KEY UPDATE'
      const { count } = await tx.run(sql('share_lock', text, [ref.account, ref.id, at]))
      if (count === 0) throw new ApiError('not_found')
      await work(tx, at)
    })
  }

  return {
    vote: (ref, { voter, name, votes }) =>
      within(ref, async (tx, at) => {
        const given = (wanted: 'up' | 'down' | null) =>
          [...votes].flatMap(([id, vote]) => (vote === wanted ? [id] : []))
        const [up, down, none] = [given('up'), given('down'), given(null)]
        await requireItems(tx, ref, [...votes.keys()], '/votes')
        const { rows } = await tx.run(votersOf(ref, voter))
        const [{ others, is_known: isKnown } = { others: 0, is_known: false }] = rows
        if (!isKnown && others >= MAX_VOTERS && up.length + down.length > 0) throw new ApiError('share_full')
        await tx.run(takeBack(ref, voter, none))
        await tx.run(give(ref, voter, { up, all: [...up, ...down], at }))
        if (name !== undefined) await tx.run(rename(ref, voter, name))
      }),

    comment: (ref, { author, text, itemId }) =>
      within(ref, async (tx, at) => {
        await requireItems(tx, ref, itemId === undefined ? [] : [itemId], '/item_id')
        const { count } = await tx.run(
          sql(
            'share_comment_add',
            `INSERT INTO share_comment (account_id, share_id, id, item_id, author, text, created_at)
             SELECT $1, $2, $3, $4, $5, $6, $7
             WHERE (SELECT count(*) FROM share_comment WHERE account_id = $1 AND share_id = $2) < $8`,
            [ref.account, ref.id, makeId(at.getTime()), itemId, author, text, at, MAX_COMMENTS],
          ),
        )
        if (count === 0) throw new ApiError('share_full')
      }),
  }
}

async function requireItems(tx: Transaction, ref: ShareRef, ids: readonly string[], pointer: string): Promise<void> {
  const text = 'SELECT FROM share_item WHERE account_id = $1 AND share_id = $2 AND id = ANY ($3::uuid[])'
  const { count } = await tx.run(sql('share_items_known', text, [ref.account, ref.id, ids]))
  if (count < ids.length)
    throw new ApiError('invalid_request', {
      fields: [{ pointer, code: 'bad_format', params: { expected: 'item id' } }],
    })
}

function votersOf({ account, id }: ShareRef, voter: Buffer): Statement<{ others: number; is_known: boolean }> {
  return sql(
    'share_voter_count',
    `SELECT count(DISTINCT voter) FILTER (WHERE voter <> $3)::int AS others, coalesce(bool_or(voter = $3), false) AS is_known
     FROM share_vote WHERE account_id = $1 AND share_id = $2`,
    [account, id, voter],
  )
}

function takeBack({ account, id }: ShareRef, voter: Buffer, items: readonly string[]): Statement {
  const text = `DELETE FROM share_vote
    WHERE account_id = $1 AND share_id = $2 AND voter = $3 AND item_id = ANY ($4::uuid[])`
  return sql('share_vote_take_back', text, [account, id, voter, items])
}

function give(
  { account, id }: ShareRef,
  voter: Buffer,
  { up, all, at }: { up: readonly string[]; all: readonly string[]; at: Date },
): Statement {
  return sql(
    'share_vote_give',
    `INSERT INTO share_vote (account_id, share_id, item_id, voter, up, name, created_at)
     SELECT $1, $2, item, $3, item = ANY ($4::uuid[]), coalesce((
       SELECT max(name) FROM share_vote WHERE account_id = $1 AND share_id = $2 AND voter = $3), ''), $6
     FROM unnest($5::uuid[]) item
     ON CONFLICT (account_id, share_id, item_id, voter) DO UPDATE SET up = excluded.up`,
    [account, id, voter, up, all, at],
  )
}

function rename({ account, id }: ShareRef, voter: Buffer, name: string): Statement {
  const text = 'UPDATE share_vote SET name = $4 WHERE account_id = $1 AND share_id = $2 AND voter = $3'
  return sql('share_voter_rename', text, [account, id, voter, name])
}
