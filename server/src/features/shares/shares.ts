/**
 * Shared lists: names behind a link. People without an account can read one and vote on its names (`voting.ts`) until it
 * expires, as long as its account is not suspended.
 *
 * A share copies the name, the domain and the note of a favorite at that moment: later edits are not shown. Its short
 * link has a code (`links.ts`), found through `share_link`; links of earlier versions contain the ids.
 * Both work as long as the row exists.
 */
import { accountOf, sql, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import type { Exported } from '../../platform/db/walk.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { createShareCodes, createShareTokens, hashCode, isShareCode, type ShareRef } from './links.ts'
import {
  exportShares,
  insertItems,
  insertNames,
  IS_OPEN,
  itemsOf,
  SHARE_COLUMNS,
  voterNamesOf,
  withItems,
  type Share,
  type SharedName,
  type ShareRow,
} from './rows.ts'
import { createVoting, type Voting } from './voting.ts'

export interface ShareDraft {
  readonly title: string
  readonly message: string | null
  readonly favoriteIds: readonly string[]
  /** After the favorites. */
  readonly names: readonly SharedName[]
  readonly days: number
  readonly showPrices: boolean
  /** Null: a visitor. */
  readonly createdBy: UserId | null
}

/** For members of its account. */
export interface OwnShare extends Share {
  /** The names that voters gave. */
  readonly voterNames: readonly string[]
}

export interface Shares extends Voting {
  /** Keeps the order of the ids. Fails with invalid_request when one is not a favorite of the account. */
  create(acting: Acting, draft: ShareDraft): Promise<OwnShare>
  /** Newest first, including expired ones; one row more than `limit` when there is a next page. */
  list(acting: Acting, page: { limit: number; before?: string }): Promise<readonly OwnShare[]>
  /** Reads only the share's own row. */
  find(acting: Acting, id: string): Promise<ShareRow | undefined>
  remove(acting: Acting, id: string): Promise<boolean>
  /** The path of its page. Undefined when the secret that made its code is no longer configured. */
  pathOf(account: AccountId, share: ShareRow): string | undefined
  /** The token of a link of earlier versions. */
  tokenOf(ref: ShareRef): string
  /** Of a short or a long link. Fails with not_found when the token is not valid. */
  parseToken(token: string): Promise<ShareRef>
  /**
   * For a visitor with the link, with their own votes. Fails with not_found when the share is deleted or expired, or its
   * account is suspended.
   */
  open(ref: ShareRef, voter: Buffer | undefined): Promise<Share>
  /** The title; undefined where `open` fails. */
  findTitle(ref: ShareRef): Promise<string | undefined>
  /** At most `most` shares that expired more than a month ago, and the links of deleted shares. */
  expiring(account: AccountId, most: number): Statement[]
  /** For a person who is deleted: their shares stay, without their creator. */
  forgetMaker(account: AccountId, userId: UserId): Statement
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const DAY_MS = 86_400_000
// Long enough to read the results after the link has expired.
const KEEP_MS = 30 * 86_400_000

export function openShares({ db, now, secrets }: { db: Db; now: () => number; secrets: readonly string[] }): Shares {
  const [tokens, codes] = [createShareTokens(secrets), createShareCodes(secrets)]

  async function findLink(code: string): Promise<ShareRef | undefined> {
    const text = 'SELECT account_id, share_id FROM share_link WHERE hash = $1'
    const { rows } = await db.find(
      sql<{ account_id: AccountId; share_id: string }>('share_link_find', text, [hashCode(code)]),
    )
    const [link] = rows
    return link && { account: link.account_id, id: link.share_id }
  }

  return {
    ...createVoting({ db, now }),

    async create(acting, draft) {
      const [account, at] = [accountOf(acting), now()]
      const { title, message, createdBy, showPrices, favoriteIds, names } = draft
      const [id, expiresAt] = [makeId(at), new Date(at + draft.days * DAY_MS)]
      const codeHash = hashCode(codes.make(id))
      const rows = await db.transaction(acting, async (tx) => {
        const inserted = await tx.run(
          sql<ShareRow>(
            'share_insert',
            `INSERT INTO share (account_id, id, title, message, created_at, expires_at, created_by, show_prices, code_hash)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${SHARE_COLUMNS}`,
            [account, id, title, message, new Date(at), expiresAt, createdBy, showPrices, codeHash],
          ),
        )
        const link = 'INSERT INTO share_link (hash, account_id, share_id) VALUES ($1, $2, $3)'
        await tx.run(sql('share_link_insert', link, [codeHash, account, id]))
        const items = await tx.run(insertItems(account, id, favoriteIds))
        if (items.count < favoriteIds.length) throw unknownFavorite()
        if (names.length > 0) await tx.run(insertNames(account, id, names, favoriteIds.length))
        return inserted.rows
      })
      const [share] = await withItems(db, acting, rows)
      if (!share) throw new ApiError('not_found')
      return { ...share, voterNames: [] }
    },

    async list(acting, { limit, before }) {
      const text = `SELECT ${SHARE_COLUMNS} FROM share WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3`
      const [found] = await db.as(acting, [sql<ShareRow>('share_list', text, [accountOf(acting), before, limit + 1])])
      if (found.rows.length === 0) return []
      const [named] = await db.as(acting, [voterNamesOf(acting, found.rows)])
      const names = new Map(named.rows.map((row) => [row.share_id, row.names]))
      const shares = await withItems(db, acting, found.rows)
      return shares.map((share) => ({ ...share, voterNames: names.get(share.id) ?? [] }))
    },

    async find(acting, id) {
      const text = `SELECT ${SHARE_COLUMNS} FROM share WHERE account_id = $1 AND id = $2`
      const [found] = await db.as(acting, [sql<ShareRow>('share_find', text, [accountOf(acting), id])])
      return found.rows[0]
    },

    async remove(acting, id) {
      const text = 'DELETE FROM share WHERE account_id = $1 AND id = $2'
      const [removed] = await db.as(acting, [sql('share_remove', text, [accountOf(acting), id])])
      return removed.count > 0
    },

    pathOf(account, { id, code_hash: codeHash }) {
      if (codeHash === null) return `/s/${tokens.make({ account, id })}`
      const code = codes.find(id, codeHash)
      return code === undefined ? undefined : `/r/${code}`
    },

    tokenOf: (ref) => tokens.make(ref),

    async parseToken(token) {
      const ref = isShareCode(token) ? await findLink(token) : tokens.find(token)
      if (!ref) throw new ApiError('not_found')
      return ref
    },

    async open({ account, id }, voter) {
      const text = `SELECT ${SHARE_COLUMNS} FROM share WHERE ${IS_OPEN}`
      const [found, items] = await db.read(account, [
        sql<ShareRow>('share_open', text, [account, id, new Date(now())]),
        itemsOf(account, [id], voter),
      ])
      const [row] = found.rows
      if (!row) throw new ApiError('not_found')
      return { ...row, items: items.rows }
    },

    async findTitle({ account, id }) {
      const text = `SELECT title FROM share WHERE ${IS_OPEN}`
      const [found] = await db.read(account, [
        sql<{ title: string }>('share_title', text, [account, id, new Date(now())]),
      ])
      return found.rows[0]?.title
    },

    expiring: (account, most) => [
      sql(
        'share_expire',
        `DELETE FROM share WHERE account_id = $1 AND id IN (
           SELECT id FROM share WHERE account_id = $1 AND expires_at < $2 LIMIT $3)`,
        [account, new Date(now() - KEEP_MS), most],
      ),
      sql(
        'share_link_expire',
        `DELETE FROM share_link WHERE account_id = $1 AND hash IN (
           SELECT link.hash FROM share_link link WHERE link.account_id = $1 AND NOT EXISTS (
             SELECT FROM share WHERE share.account_id = $1 AND share.id = link.share_id) LIMIT $2)`,
        [account, most],
      ),
    ],

    forgetMaker: (account, userId) =>
      sql('share_forget_maker', 'UPDATE share SET created_by = NULL WHERE account_id = $1 AND created_by = $2', [
        account,
        userId,
      ]),

    forgetting: (account) => [
      sql('share_forget', 'DELETE FROM share WHERE account_id = $1', [account]),
      sql('share_link_forget', 'DELETE FROM share_link WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => exportShares(db, acting),
  }
}

function unknownFavorite(): ApiError {
  const params = { expected: 'ids of favorites' }
  return new ApiError('invalid_request', { fields: [{ pointer: '/favorite_ids', code: 'bad_format', params }] })
}
