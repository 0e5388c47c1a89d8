/**
 * Shares: names behind a link, shown as a naming room. People without an account can read it, vote and comment
 * (`voting.ts`) until it expires, and their votes steer further names (`further-names.ts`).
 *
 * A share copies the name, the domain and the note of a favorite at that moment: later edits are not shown. Its short
 * link has a code (`share-code.ts`), found through `share_link`; links of earlier versions contain the ids
 * (`share-token.ts`). Both work as long as the row exists.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import type { Exported } from '../../platform/db/walk.ts'
import { ApiError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { exporting } from './exporting.ts'
import { createFurtherNames, insertNames } from './further-names.ts'
import type { FurtherNames, SharedName } from './further-names.ts'
import { SHARE_COLUMNS, wholeOf } from './reading.ts'
import type { Share, ShareRow } from './reading.ts'
import { createShareCodes, hashCode, isShareCode } from './share-code.ts'
import { createShareTokens } from './share-token.ts'
import type { ShareRef } from './share-token.ts'
import { createVoting, votesOf } from './voting.ts'
import type { Voting } from './voting.ts'

export { plainLine, plainText } from './plain-text.ts'
export type { Share } from './reading.ts'
export type { ShareRef } from './share-token.ts'
export { MAX_BATCHES } from './further-names.ts'
export type { FurtherSearch, SharedName } from './further-names.ts'

export interface ShareDraft {
  readonly title: string
  readonly favoriteIds: readonly string[]
  /** After the favorites. */
  readonly names: readonly SharedName[]
  /** Of the project, for further names; null: there are none. */
  readonly description: string | null
  /** JSON text: the other options of that generate request. */
  readonly options: string
  /** The hash of the voter who may pick a name. */
  readonly host: Buffer | null
  readonly days: number
  readonly showPrices: boolean
  /** Null: a visitor. */
  readonly createdBy: UserId | null
}

export interface Shares extends Voting, FurtherNames {
  /** Keeps the order of the ids. Fails with invalid_request when one is not a favorite of the account. */
  create(acting: Acting, draft: ShareDraft): Promise<Share>
  /** Newest first, including expired ones; one row more than `limit` when there is a next page. */
  list(acting: Acting, page: { limit: number; before?: string }): Promise<readonly Share[]>
  /** Reads only the share's own row. */
  find(acting: Acting, id: string): Promise<ShareRow | undefined>
  remove(acting: Acting, id: string): Promise<boolean>
  /** The path of its page. Undefined when the secret that made its code is no longer configured. */
  pathOf(account: AccountId, share: ShareRow): string | undefined
  /** The token of a link of earlier versions. */
  tokenOf(ref: ShareRef): string
  /** Of a short or a long link. Fails with not_found when the token is not valid. */
  parseToken(token: string): Promise<ShareRef>
  /** For a visitor with the link. Fails with not_found when the share is deleted or expired. */
  open(ref: ShareRef): Promise<Share>
  /** The title of an open share; undefined when the share is deleted or expired. */
  findTitle(ref: ShareRef): Promise<string | undefined>
  /** The versions of these shares, by id; without those that are deleted or expired. */
  versionsOf(refs: readonly ShareRef[]): Promise<ReadonlyMap<string, string>>
  isHost(ref: ShareRef, voter: Buffer): Promise<boolean>
  /** A voter's votes so far, by item. */
  votesOf(ref: ShareRef, voter: Buffer): Promise<ReadonlyMap<string, 'up' | 'down'>>
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

  async function findRow(acting: Acting, id: string): Promise<ShareRow | undefined> {
    const text = `SELECT ${SHARE_COLUMNS} FROM share WHERE account_id = $1 AND id = $2`
    const [found] = await db.as(acting, [sql<ShareRow>('share_find', text, [accountOf(acting), id])])
    return found.rows[0]
  }

  async function findLink(code: string): Promise<ShareRef | undefined> {
    const text = 'SELECT account_id, share_id FROM share_link WHERE hash = $1'
    const { rows } = await db.find(
      sql<{ account_id: AccountId; share_id: string }>('share_link_find', text, [hashCode(code)]),
    )
    const [link] = rows
    return link && { account: link.account_id, id: link.share_id }
  }

  async function whole(acting: Acting, row: ShareRow | undefined): Promise<Share> {
    const [share] = row ? await wholeOf(db, acting, [row]) : []
    if (!share) throw new ApiError('not_found')
    return share
  }

  return {
    ...createVoting({ db, now }),
    ...createFurtherNames({ db, now }),

    async create(acting, draft) {
      const [account, at] = [accountOf(acting), now()]
      const { title, createdBy, showPrices, favoriteIds, description, options, host } = draft
      const [id, expiresAt] = [makeId(at), new Date(at + draft.days * DAY_MS)]
      const codeHash = hashCode(codes.make(id))
      const row = await db.transaction(acting, async (tx) => {
        const inserted = await tx.run(
          sql<ShareRow>(
            'share_insert',
            `INSERT INTO share (account_id, id, title, created_at, expires_at, created_by, show_prices, code_hash,
               description, options, host)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${SHARE_COLUMNS}`,
            [
              account,
              id,
              title,
              new Date(at),
              expiresAt,
              createdBy,
              showPrices,
              codeHash,
              description,
              description === null ? null : options,
              host,
            ],
          ),
        )
        const link = 'INSERT INTO share_link (hash, account_id, share_id) VALUES ($1, $2, $3)'
        await tx.run(sql('share_link_insert', link, [codeHash, account, id]))
        const items = await tx.run(insertItems(account, id, favoriteIds))
        if (items.count < favoriteIds.length) throw unknownFavorite()
        await tx.run(insertNames({ account, id }, draft.names, { batch: 0, after: favoriteIds.length }))
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

    async open({ account, id }) {
      const row = await findRow(account, id)
      return whole(account, row && row.expires_at.getTime() > now() ? row : undefined)
    },

    async findTitle({ account, id }) {
      const text = 'SELECT title FROM share WHERE account_id = $1 AND id = $2 AND expires_at > $3'
      const [found] = await db.read(account, [
        sql<{ title: string }>('share_title', text, [account, id, new Date(now())]),
      ])
      return found.rows[0]?.title
    },

    async versionsOf(refs) {
      const byAccount = Map.groupBy(refs, ({ account }) => account)
      const at = new Date(now())
      const text = 'SELECT id, version FROM share WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND expires_at > $3'
      const found = await db.readEach<{ id: string; version: string }>(
        new Map(
          [...byAccount].map(([account, own]) => [
            account,
            sql('share_versions', text, [account, own.map(({ id }) => id), at]),
          ]),
        ),
      )
      return new Map(found.flatMap(({ rows }) => rows.map(({ id, version }) => [id, version])))
    },

    async isHost({ account, id }, voter) {
      const text = 'SELECT FROM share WHERE account_id = $1 AND id = $2 AND host = $3'
      const [found] = await db.as(account, [sql('share_is_host', text, [account, id, voter])])
      return found.count > 0
    },

    async votesOf(ref, voter) {
      const [found] = await db.as(ref.account, [votesOf(ref, voter)])
      return new Map(found.rows.map(({ item_id, up }) => [item_id, up ? 'up' : 'down']))
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
