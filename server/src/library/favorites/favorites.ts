/**
 * Favorites: the domains that an account saves. One per account and domain, with the facts from when it was saved and
 * the current ones.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import type { Domain } from '../../model/domain.ts'
import { makeId } from '../../model/id.ts'
import { seenWithStatus } from '../../model/offer.ts'

export interface FavoriteDraft {
  readonly domain: Domain
  readonly name: string
  readonly note: string | null
  readonly tags: readonly string[]
  readonly watch: boolean
  /** JSON text: the current facts of the domain. */
  readonly seen: string
}

export interface FavoriteRow {
  readonly id: string
  readonly domain: string
  readonly name: string
  readonly note: string | null
  readonly tags: string[]
  readonly watch: boolean
  readonly created_at: Date
  /** JSON text. */
  readonly saved: string
  readonly current: string
}

export interface FavoriteUpdate {
  readonly name?: string | undefined
  readonly note?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  readonly watch?: boolean | undefined
}

export interface FavoriteFilter {
  readonly q?: string | undefined
  readonly tag?: string | undefined
  readonly watch?: boolean | undefined
  /** A point in time; lists favorites whose availability or price changed after it. */
  readonly changed_since?: string | undefined
}

export interface Favorites {
  /** A new row and the statement that inserts it. The constraint `favorite_domain` refuses a duplicate. */
  adding(caller: Caller, draft: FavoriteDraft): { row: FavoriteRow; statement: Statement }
  findByDomain(account: AccountId, domain: Domain): Promise<FavoriteRow | undefined>
  find(account: AccountId, id: string): Promise<FavoriteRow | undefined>
  list(
    account: AccountId,
    filter: FavoriteFilter,
    page: { limit: number; before?: string },
  ): Promise<readonly FavoriteRow[]>
  change(account: AccountId, id: string, change: FavoriteUpdate): Promise<FavoriteRow | undefined>
  remove(account: AccountId, id: string): Promise<boolean>
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const STORED = 'id, domain, name, note, tags, watch, created_at, saved, current'
// While a watched domain is unchanged, the time of the last check is not written into every favorite.
const COLUMNS = 'id, domain, name, note, tags, watch, created_at, saved, current_of(favorite) AS current'
// With a hundred thousand watched favorites this exceeds the normal statement timeout.
const FORGET_SECONDS = 120

export function openFavorites({ db, now }: { db: Db; now: () => number }): Favorites {
  return {
    adding({ accountId, keyId }, { domain, name, note, tags, watch, seen }) {
      const at = now()
      const row = {
        id: makeId(at),
        domain,
        name,
        note,
        tags: [...tags],
        watch,
        created_at: new Date(at),
        saved: seen,
        current: seen,
      }
      const statement = sql(
        'favorite_insert',
        `INSERT INTO favorite (account_id, key_id, ${STORED}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
        [accountId, keyId, row.id, domain, name, note, tags, watch, row.created_at, seen],
      )
      return { row, statement }
    },

    async findByDomain(account, domain) {
      const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1 AND domain = $2`
      const [found] = await db.read(account, [sql<FavoriteRow>('favorite_of_domain', text, [account, domain])])
      return found.rows[0]
    },

    async find(account, id) {
      const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1 AND id = $2`
      const [found] = await db.read(account, [sql<FavoriteRow>('favorite_find', text, [account, id])])
      return found.rows[0]
    },

    async list(account, { q, tag, watch, changed_since }, { limit, before }) {
      const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1
        AND ($2::uuid IS NULL OR id < $2)
        AND ($3::text IS NULL OR strpos(lower(domain || ' ' || name || ' ' || coalesce(note, '')), lower($3)) > 0)
        AND ($4::text IS NULL OR $4 = ANY (tags))
        AND ($5::boolean IS NULL OR watch = $5)
        AND ($6::timestamptz IS NULL OR id IN (
          SELECT favorite_id FROM favorite_change WHERE account_id = $1 AND created_at > $6))
        ORDER BY id DESC LIMIT $7`
      // RFC 3339 allows any number of fraction digits; PostgreSQL keeps six.
      const since = changed_since?.replace(/(\.\d{6})\d+/, '$1')
      const values = [account, before, q, tag, watch, since, limit + 1]
      const [found] = await db.read(account, [sql<FavoriteRow>('favorite_list', text, values)])
      return found.rows
    },

    async change(account, id, { name, note, tags, watch }) {
      const text = `UPDATE favorite SET name = coalesce($3, name), note = CASE WHEN $4 THEN $5 ELSE note END,
          tags = coalesce($6, tags), watch = coalesce($7, watch)
        WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`
      const values = [account, id, name, note !== undefined, note, tags, watch]
      const [changed] = await db.as(account, [sql<FavoriteRow>('favorite_change', text, values)])
      return changed.rows[0]
    },

    async remove(account, id) {
      const [removed] = await db.as(account, [
        sql('favorite_remove', 'DELETE FROM favorite WHERE account_id = $1 AND id = $2', [account, id]),
      ])
      return removed.count > 0
    },

    forgetting: (account) => [
      sql('favorite_forget_time', `SELECT set_config('statement_timeout', '${FORGET_SECONDS}s', true)`, []),
      {
        ...sql('favorite_forget', 'DELETE FROM favorite WHERE account_id = $1', [account]),
        mostMs: FORGET_SECONDS * 1000,
      },
    ],

    exporting: (acting) => ({ favorites: everyFavorite(db, acting) }),
  }
}

async function* everyFavorite(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT key_id, ${COLUMNS} FROM favorite WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  const rows = walk<FavoriteRow & { readonly key_id: KeyId }>(db, acting, (last, limit) =>
    sql('favorite_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
  for await (const { saved, current, ...row } of rows) {
    yield {
      ...row,
      saved: JSON.parse(seenWithStatus(saved)) as unknown,
      current: JSON.parse(seenWithStatus(current)) as unknown,
    }
  }
}
