/**
 * Votes on a shared list by people without an account.
 *
 * A ballot is one transaction that first locks the row of the list: the limit of voters holds for all of them together,
 * and the stored counters (`share_item.up`, `share_item.down`, `share.voters`) always agree with the votes.
 */
import { sql, type Db, type Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { ShareRef } from './links.ts'
import { IS_OPEN } from './rows.ts'

export interface Ballot {
  /** The hash of an id that the voter's browser generated. */
  readonly voter: Buffer
  /** Undefined: unchanged. */
  readonly name: string | undefined
  /** By item; null withdraws a vote. */
  readonly votes: ReadonlyMap<string, 'up' | 'down' | null>
}

export interface VoteCount {
  readonly id: string
  readonly up: number
  readonly down: number
}

export interface Voting {
  /**
   * Returns the votes on these items, this ballot included. Fails with not_found, share_full or, for an item that is
   * not in the list, invalid_request.
   */
  vote(ref: ShareRef, ballot: Ballot): Promise<readonly VoteCount[]>
  /** Whether this ballot would make somebody a voter of the list who is none yet. */
  isFirstVote(ref: ShareRef, ballot: Ballot): Promise<boolean>
}

/** More voters than a company asks. */
const MAX_VOTERS = 500

interface OwnVote {
  readonly id: string
  /** Null: none on this item. */
  readonly up: boolean | null
  readonly name: string | null
}

export function createVoting({ db, now }: { db: Db; now: () => number }): Voting {
  return {
    async isFirstVote(ref, { voter, votes }) {
      const [{ rows }] = await db.as(ref.account, [ownVotes(ref, voter)])
      const items = new Set(rows.map(({ id }) => id))
      const isVoter = rows.some(({ up }) => up !== null)
      return !isVoter && [...votes].every(([id]) => items.has(id)) && [...votes].some(([, vote]) => vote !== null)
    },

    vote: (ref, { voter, name, votes }) =>
      db.transaction(ref.account, async (tx) => {
        const at = new Date(now())
        const text = `SELECT voters FROM share WHERE ${IS_OPEN} FOR UPDATE`
        const [share] = (await tx.run(sql<{ voters: number }>('share_lock', text, [ref.account, ref.id, at]))).rows
        if (!share) throw new ApiError('not_found')

        const before = (await tx.run(ownVotes(ref, voter))).rows
        const known = new Map(before.map(({ id, up }) => [id, up]))
        if ([...votes.keys()].some((id) => !known.has(id))) throw unknownItem()
        const after = new Map(known)
        for (const [id, vote] of votes) after.set(id, vote === null ? null : vote === 'up')
        const changes = [...after].flatMap(([id, is]) => {
          const was = known.get(id) ?? null
          return was === is ? [] : [{ id, was, is }]
        })

        const hasVotes = (all: ReadonlyMap<string, boolean | null>) =>
          Number([...all.values()].some((up) => up !== null))
        const joins = hasVotes(after) - hasVotes(known)
        if (joins > 0 && share.voters >= MAX_VOTERS) throw new ApiError('share_full')
        const shownName = name ?? before.find((one) => one.name !== null)?.name ?? ''
        if (changes.length > 0) {
          const taken = changes.filter(({ is }) => is === null).map(({ id }) => id)
          const given = changes.filter(({ is }) => is !== null)
          if (taken.length > 0) await tx.run(remove(ref, voter, taken))
          if (given.length > 0) await tx.run(give(ref, voter, given, { name: shownName, at }))
          await tx.run(count(ref, changes))
        }
        if (joins !== 0) await tx.run(countVoter(ref, joins))
        if (name !== undefined) await tx.run(rename(ref, voter, name))
        const counted = await tx.run(countsOf(ref, [...votes.keys()]))
        return counted.rows
      }),
  }
}

function unknownItem(): ApiError {
  return new ApiError('invalid_request', {
    fields: [{ pointer: '/votes', code: 'bad_format', params: { expected: 'item id' } }],
  })
}

/** A row for each item of the list. */
function ownVotes({ account, id }: ShareRef, voter: Buffer): Statement<OwnVote> {
  return sql(
    'share_votes_of',
    `SELECT item.id, vote.up, vote.name FROM share_item item
     LEFT JOIN share_vote vote ON vote.account_id = item.account_id AND vote.share_id = item.share_id
       AND vote.item_id = item.id AND vote.voter = $3
     WHERE item.account_id = $1 AND item.share_id = $2`,
    [account, id, voter],
  )
}

function remove({ account, id }: ShareRef, voter: Buffer, items: readonly string[]): Statement {
  const text = `DELETE FROM share_vote
    WHERE account_id = $1 AND share_id = $2 AND voter = $3 AND item_id = ANY ($4::uuid[])`
  return sql('share_vote_remove', text, [account, id, voter, items])
}

interface Change {
  readonly id: string
  readonly was: boolean | null
  readonly is: boolean | null
}

function give(
  { account, id }: ShareRef,
  voter: Buffer,
  given: readonly Change[],
  { name, at }: { name: string; at: Date },
): Statement {
  return sql(
    'share_vote_give',
    `INSERT INTO share_vote (account_id, share_id, item_id, voter, up, name, created_at)
     SELECT $1, $2, given.item, $3, given.up, $6, $7 FROM unnest($4::uuid[], $5::boolean[]) given (item, up)
     ON CONFLICT (account_id, share_id, item_id, voter) DO UPDATE SET up = excluded.up`,
    [account, id, voter, given.map((one) => one.id), given.map(({ is }) => String(is)), name, at],
  )
}

function count({ account, id }: ShareRef, changes: readonly Change[]): Statement {
  const difference = (way: boolean) => changes.map(({ was, is }) => String(Number(is === way) - Number(was === way)))
  return sql(
    'share_item_count',
    `UPDATE share_item item SET up = item.up + changed.up, down = item.down + changed.down
     FROM unnest($3::uuid[], $4::integer[], $5::integer[]) changed (id, up, down)
     WHERE item.account_id = $1 AND item.share_id = $2 AND item.id = changed.id`,
    [account, id, changes.map((one) => one.id), difference(true), difference(false)],
  )
}

function countVoter({ account, id }: ShareRef, joins: number): Statement {
  const text = 'UPDATE share SET voters = voters + $3 WHERE account_id = $1 AND id = $2'
  return sql('share_voter_count', text, [account, id, joins])
}

function rename({ account, id }: ShareRef, voter: Buffer, name: string): Statement {
  const text = `UPDATE share_vote SET name = $4
    WHERE account_id = $1 AND share_id = $2 AND voter = $3 AND name <> $4
      AND item_id = ANY (ARRAY(SELECT id FROM share_item WHERE account_id = $1 AND share_id = $2))`
  return sql('share_voter_rename', text, [account, id, voter, name])
}

function countsOf({ account, id }: ShareRef, items: readonly string[]): Statement<VoteCount> {
  const text = `SELECT item.id, item.up, item.down FROM unnest($3::uuid[]) WITH ORDINALITY asked (id, place)
    JOIN share_item item ON item.id = asked.id
    WHERE item.account_id = $1 AND item.share_id = $2 ORDER BY asked.place`
  return sql('share_vote_counts', text, [account, id, items])
}
