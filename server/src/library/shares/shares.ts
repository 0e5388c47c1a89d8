/**
 * Shares: a list of an account's favorites behind a link. People without an account can read it, vote and comment
 * (`voting.ts`) until it expires.
 *
 * A share copies the name, the domain and the note at that moment: later edits of a favorite are not shown. The link is
 * derived from the ids (`share-token.ts`) and works as long as the row exists.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import type { Exported } from '../../platform/db/walk.ts'
import { ApiError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { exporting } from './exporting.ts'
import { SHARE_COLUMNS, wholeOf } from './reading.ts'
import type { Share, ShareRow } from './reading.ts'
import { createShareTokens } from './share-token.ts'
import type { ShareRef } from './share-token.ts'
import { createVoting } from './voting.ts'
import type { Voting } from './voting.ts'

export { plainLine, plainText } from './plain-text.ts'
export type { Share } from './reading.ts'
export type { ShareRef } from './share-token.ts'

export interface ShareDraft {
  readonly title: string
  readonly favoriteIds: readonly string[]
  readonly days: number
  readonly showPrices: boolean
  readonly createdBy: UserId
}

export interface Shares extends Voting {
  /** Keeps the order of the ids. Fails with invalid_request when one is not a favorite of the account. */
  create(acting: Acting, draft: ShareDraft): Promise<Share>
  /** Newest first, including expired ones; one row more than `limit` when there is a next page. */
  list(acting: Acting, page: { limit: number; before?: string }): Promise<readonly Share[]>
  /** Reads only the share's own row. */
  find(acting: Acting, id: string): Promise<ShareRow | undefined>
  remove(acting: Acting, id: string): Promise<boolean>
  tokenOf(ref: ShareRef): string
  /** Fails with not_found when the token is not valid. */
  parseToken(token: string): ShareRef
  /** For a visitor with the link. Fails with not_found when the share is deleted or expired. */
  open(ref: ShareRef): Promise<Share>
  /** A voter's votes so far, by item. */
  votesOf(ref: ShareRef, voter: Buffer): Promise<ReadonlyMap<string, 'up' | 'down'>>
  /** At most `most` shares that expired more than a month ago. */
  expiring(account: AccountId, most: number): Statement
  /** For a person who is deleted: their shares stay, without their creator. */
  forgetMaker(account: AccountId, userId: UserId): Statement
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const DAY_MS = 86_400_000
// Long enough to read the results after the link has expired.
const KEEP_MS = 30 * 86_400_000

export function openShares({ db, now, secrets }: { db: Db; now: () => number; secrets: readonly string[] }): Shares {
  const tokens = createShareTokens(secrets)

  async function findRow(acting: Acting, id: string): Promise<ShareRow | undefined> {
    const text = `SELECT ${SHARE_COLUMNS} FROM share WHERE account_id = $1 AND id = $2`
    const [found] = await db.as(acting, [sql<ShareRow>('share_find', text, [accountOf(acting), id])])
    return found.rows[0]
  }

  async function whole(acting: Acting, row: ShareRow | undefined): Promise<Share> {
    const [share] = row ? await wholeOf(db, acting, [row]) : []
    if (!share) throw new ApiError('not_found')
    return share
  }

  return {
    ...createVoting({ db, now }),

    async create(acting, draft) {
      const [account, at] = [accountOf(acting), now()]
      const { title, createdBy, showPrices, favoriteIds } = draft
      const [id, expiresAt] = [makeId(at), new Date(at + draft.days * DAY_MS)]
      const row = await db.transaction(acting, async (tx) => {
        const inserted = await tx.run(
          sql<ShareRow>(
            'share_insert',
            `INSERT INTO share (account_id, ${SHARE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING ${SHARE_COLUMNS}`,
            [account, id, title, new Date(at), expiresAt, createdBy, showPrices],
          ),
        )
        const items = await tx.run(insertItems(account, id, favoriteIds))
        if (items.count < favoriteIds.length) throw unknownFavorite()
        return inserted.rows[0]
      })
      return whole(acting, row)
    },

    async list(acting, { limit, before }) {
      const text = `SELECT ${SHARE_COLUMNS} FROM share WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3`
      const [found] = await db.as(acting, [sql<ShareRow>('share_list', text, [accountOf(acting), before, limit + 1])])
      return wholeOf(db, acting, found.rows)
    },

    find: findRow,

    async remove(acting, id) {
      const text = 'DELETE FROM share WHERE account_id = $1 AND id = $2'
      const [removed] = await db.as(acting, [sql('share_remove', text, [accountOf(acting), id])])
      return removed.count > 0
    },

    tokenOf: (ref) => tokens.make(ref),

    parseToken(token) {
      const ref = tokens.find(token)
      if (!ref) throw new ApiError('not_found')
      return ref
    },

    async open({ account, id }) {
      const row = await findRow(account, id)
      return whole(account, row && row.expires_at.getTime() > now() ? row : undefined)
    },

    async votesOf({ account, id }, voter) {
      const text = 'SELECT item_id, up FROM share_vote WHERE account_id = $1 AND share_id = $2 AND voter = $3'
      const [found] = await db.as(account, [
        sql<{ item_id: string; up: boolean }>('share_votes_of', text, [account, id, voter]),
      ])
      return new Map(found.rows.map(({ item_id, up }) => [item_id, up ? 'up' : 'down']))
    },

    expiring: (account, most) =>
      sql(
        'share_expire',
        `DELETE FROM share WHERE account_id = $1 AND id IN (
           SELECT id FROM share WHERE account_id = $1 AND expires_at < $2 LIMIT $3)`,
        [account, new Date(now() - KEEP_MS), most],
      ),

    forgetMaker: (account, userId) =>
      sql('share_forget_maker', 'UPDATE share SET created_by = NULL WHERE account_id = $1 AND created_by = $2', [
        account,
        userId,
      ]),

    forgetting: (account) => [sql('share_forget', 'DELETE FROM share WHERE account_id = $1', [account])],

    exporting: (acting) => exporting(db, acting),
  }
}

function insertItems(account: AccountId, share: string, favoriteIds: readonly string[]): Statement {
  return sql(
    'share_item_insert',
    `INSERT INTO share_item (account_id, share_id, id, place, favorite_id, name, domain, note, seen)
     SELECT $1, $2, gen_random_uuid(), wanted.place, favorite.id, favorite.name, favorite.domain, favorite.note,
       current_of(favorite)
     FROM unnest($3::uuid[]) WITH ORDINALITY wanted (id, place)
     JOIN favorite ON favorite.id = wanted.id WHERE favorite.account_id = $1`,
    [account, share, favoriteIds],
  )
}

function unknownFavorite(): ApiError {
  const params = { expected: 'ids of favorites' }
  return new ApiError('invalid_request', { fields: [{ pointer: '/favorite_ids', code: 'bad_format', params }] })
}
