/**
 * The SQL of favorites: one row per account and domain, with the facts from when it was saved and the current ones, and
 * the changes of those that are watched. `features/watch/` writes the current facts and the changes.
 */
import { accountOf, own, sql, type Acting, type Db, type Statement, type Window } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import type { AccountId, KeyId } from '../../model/caller.ts'
import type { Domain } from '../../model/domain.ts'
import { seenWithStatus } from '../../model/offer.ts'
import type { Change, Favorite, FavoriteChange, FavoriteQuery } from './schemas.ts'

export interface FavoriteRow extends Omit<Favorite, 'created_at' | 'term_years' | 'saved' | 'current'> {
  readonly created_at: Date
  /** JSON text. */
  readonly saved: string
  readonly current: string
}

export interface ChangeRow extends Pick<Change, 'id' | 'kind'> {
  readonly created_at: Date
  /** JSON text. */
  readonly before: string
  readonly after: string
}

const STORED = 'id, domain, name, note, tags, watch, created_at, saved, current'
// While a watched domain is unchanged, the time of the last check is not written into every favorite.
const COLUMNS = 'id, domain, name, note, tags, watch, created_at, saved, current_of(favorite) AS current'
const CHANGE = 'id, created_at, kind, before, after'
// With a hundred thousand watched favorites this exceeds the normal statement timeout.
const FORGET_SECONDS = 120

export const favoriteOf = (domain: Domain) =>
  own<FavoriteRow>('favorite_of_domain', `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1 AND domain = $2`, [
    domain,
  ])

export const favoriteWith = (id: string) =>
  own<FavoriteRow>('favorite_find', `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1 AND id = $2`, [id])

export function favoritesLike(
  { q, tag, watch, changed_since: changedSince }: FavoriteQuery,
  { limit, before }: Window,
) {
  const text = `SELECT ${COLUMNS} FROM favorite WHERE account_id = $1
    AND ($2::uuid IS NULL OR id < $2)
    AND ($3::text IS NULL OR strpos(lower(domain || ' ' || name || ' ' || coalesce(note, '')), lower($3)) > 0)
    AND ($4::text IS NULL OR $4 = ANY (tags))
    AND ($5::boolean IS NULL OR watch = $5)
    AND ($6::timestamptz IS NULL OR id IN (
      SELECT favorite_id FROM favorite_change WHERE account_id = $1 AND created_at > $6))
    ORDER BY id DESC LIMIT $7`
  // RFC 3339 allows any number of fraction digits; PostgreSQL keeps six.
  const since = changedSince?.replace(/(\.\d{6})\d+/, '$1')
  return own<FavoriteRow>('favorite_list', text, [before, q, tag, watch, since, limit + 1])
}

/** The constraint `favorite_domain` refuses a duplicate. */
export function insertFavorite(row: FavoriteRow, key: KeyId) {
  const { id, domain, name, note, tags, watch, created_at: createdAt, saved, current } = row
  return own(
    'favorite_insert',
    `INSERT INTO favorite (account_id, key_id, ${STORED}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [key, id, domain, name, note, tags, watch, createdAt, saved, current],
  )
}

export function updateFavorite(id: string, { name, note, tags, watch }: FavoriteChange) {
  const text = `UPDATE favorite SET name = coalesce($3, name), note = CASE WHEN $4 THEN $5 ELSE note END,
      tags = coalesce($6, tags), watch = coalesce($7, watch)
    WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`
  return own<FavoriteRow>('favorite_change', text, [id, name, note !== undefined, note, tags, watch])
}

export const deleteFavorite = (id: string) =>
  own<{ id: string }>('favorite_remove', 'DELETE FROM favorite WHERE account_id = $1 AND id = $2 RETURNING id', [id])

export const changesOf = (favorite: string, { limit, before }: Window) =>
  own<ChangeRow>(
    'favorite_changes',
    `SELECT ${CHANGE} FROM favorite_change WHERE account_id = $1 AND favorite_id = $2
     AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
    [favorite, before, limit + 1],
  )

/** Deletes all favorites of an account, and their changes. */
export const forgetFavorites = (account: AccountId): Statement[] => [
  sql('favorite_change_forget', 'DELETE FROM favorite_change WHERE account_id = $1', [account]),
  sql('favorite_forget_time', `SELECT set_config('statement_timeout', '${FORGET_SECONDS}s', true)`, []),
  {
    ...sql('favorite_forget', 'DELETE FROM favorite WHERE account_id = $1', [account]),
    mostMs: FORGET_SECONDS * 1000,
  },
]

export const exportFavorites = (db: Db, acting: Acting): Exported => ({
  favorites: everyFavorite(db, acting),
  favorite_changes: everyChange(db, acting),
})

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

async function* everyChange(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT favorite_id, ${CHANGE} FROM favorite_change
    WHERE account_id = $1 AND (favorite_id, id) > ($2, $3) ORDER BY favorite_id, id LIMIT $4`
  const rows = walk<ChangeRow & { readonly favorite_id: string }>(db, acting, (last, limit) =>
    sql('favorite_change_export', text, [
      accountOf(acting),
      last?.favorite_id ?? BEFORE_ALL,
      last?.id ?? BEFORE_ALL,
      limit,
    ]),
  )
  for await (const { before, after, ...row } of rows) {
    yield {
      ...row,
      before: JSON.parse(seenWithStatus(before)) as unknown,
      after: JSON.parse(seenWithStatus(after)) as unknown,
    }
  }
}
