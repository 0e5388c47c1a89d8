/** The domains a caller wants to keep: one per account and domain, with what was known when it was saved and since. */
import { sql } from '../db/db.ts'
import type { Db, Statement } from '../db/db.ts'
import type { AccountId, Caller } from '../model/caller.ts'
import type { Domain } from '../model/domain.ts'
import { makeId } from '../model/id.ts'

export interface FavoriteDraft {
  readonly domain: Domain
  readonly name: string
  readonly note: string | null
  readonly tags: readonly string[]
  readonly watch: boolean
  /** JSON text: what is known of the domain now. */
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

export interface FavoriteChange {
  readonly name?: string | undefined
  readonly note?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  readonly watch?: boolean | undefined
}

export interface Favorites {
  /** A row to be and the statement that makes it so. Refused by the constraint `favorite_domain` when there is one. */
  adding(caller: Caller, draft: FavoriteDraft): { row: FavoriteRow; statement: Statement }
  findByDomain(account: AccountId, domain: Domain): Promise<FavoriteRow | undefined>
  find(account: AccountId, id: string): Promise<FavoriteRow | undefined>
  list(
    account: AccountId,
    filter: { q?: string | undefined; tag?: string | undefined; watch?: boolean | undefined },
    page: { limit: number; before?: string },
  ): Promise<readonly FavoriteRow[]>
  change(account: AccountId, id: string, change: FavoriteChange): Promise<FavoriteRow | undefined>
  remove(account: AccountId, id: string): Promise<boolean>
}

const COLUMNS = 'id, domain, name, note, tags, watch, created_at, saved, current'

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
        `INSERT INTO favorite (account_id, key_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
        [accountId, keyId, row.id, domain, name, note, tags, watch, row.created_at, seen],
      )
      return { row, statement }
    },

    async findByDomain(account, domain) {
      const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1 AND domain = $2`
      const [found] = await db.as(account, [sql<FavoriteRow>('favorite_of_domain', text, [account, domain])])
      return found.rows[0]
    },

    async find(account, id) {
      const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1 AND id = $2`
      const [found] = await db.as(account, [sql<FavoriteRow>('favorite_find', text, [account, id])])
      return found.rows[0]
    },

    async list(account, { q, tag, watch }, { limit, before }) {
      const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1
        AND ($2::uuid IS NULL OR id < $2)
        AND ($3::text IS NULL OR strpos(lower(domain || ' ' || name || ' ' || coalesce(note, '')), lower($3)) > 0)
        AND ($4::text IS NULL OR $4 = ANY (tags))
        AND ($5::boolean IS NULL OR watch = $5)
        ORDER BY id DESC LIMIT $6`
      const values = [account, before, q, tag, watch, limit + 1]
      const [found] = await db.as(account, [sql<FavoriteRow>('favorite_list', text, values)])
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
  }
}
