/**
 * The SQL of shared lists; that of votes is in `voting.ts`. The facts of a domain come from the favorite while it exists;
 * afterwards from the moment it was shared. Votes are counted where they are given, never here.
 */
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'
import { accountOf, sql, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'

export interface SharedName {
  readonly name: string
  readonly domain: string
  /** JSON text: what is known of the domain. */
  readonly seen: string
}

export interface ShareRow {
  readonly id: string
  readonly title: string
  /** One line for everybody with the link. */
  readonly message: string | null
  readonly created_at: Date
  readonly expires_at: Date
  /** Null when the creator was deleted, or is a visitor. */
  readonly created_by: UserId | null
  readonly show_prices: boolean
  /** Null: it has only a long link. */
  readonly code_hash: Buffer | null
  /** How many people have voted. */
  readonly voters: number
}

interface ItemRow {
  readonly share_id: string
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly note: string | null
  /** JSON text. */
  readonly seen: string
  readonly up: number
  readonly down: number
  /** The vote of the reader. */
  readonly mine: boolean | null
}

export interface Share extends ShareRow {
  readonly items: readonly ItemRow[]
}

export const SHARE_COLUMNS = 'id, title, message, created_at, expires_at, created_by, show_prices, code_hash, voters'

/** Of an account that is not suspended, and not expired. `$1`: the account, `$2`: the share, `$3`: now. */
export const IS_OPEN = `account_id = $1 AND id = $2 AND expires_at > $3
  AND NOT EXISTS (SELECT FROM account_plan WHERE account_id = $1 AND suspended_at IS NOT NULL)`

export async function withItems(db: Db, acting: Acting, rows: readonly ShareRow[]): Promise<readonly Share[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [items] = await db.read(acting, [itemsOf(acting, ids, undefined)])
  const byShare = Map.groupBy(items.rows, ({ share_id }) => share_id)
  return rows.map((row) => ({ ...row, items: byShare.get(row.id) ?? [] }))
}

export function itemsOf(acting: Acting, ids: readonly string[], voter: Buffer | undefined): Statement<ItemRow> {
  return sql(
    'share_items',
    `SELECT item.share_id, item.id, item.name, item.domain, item.note, item.up, item.down, mine.up AS mine,
       coalesce(current_of(favorite), item.seen) AS seen
     FROM share_item item
     LEFT JOIN favorite ON favorite.account_id = item.account_id AND favorite.id = item.favorite_id
     LEFT JOIN share_vote mine ON mine.account_id = item.account_id AND mine.share_id = item.share_id
       AND mine.item_id = item.id AND mine.voter = $3
     WHERE item.account_id = $1 AND item.share_id = ANY ($2::uuid[]) ORDER BY item.place`,
    [accountOf(acting), ids, voter],
  )
}

export function insertItems(account: AccountId, share: string, favoriteIds: readonly string[]): Statement {
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

// Favorites have random ids, so this is none.
const NO_FAVORITE = '00000000-0000-0000-0000-000000000000'

/** Leaves out domains that the share already has. `after`: the last place so far. */
export function insertNames(account: AccountId, share: string, names: readonly SharedName[], after: number): Statement {
  const column = (field: keyof SharedName) => names.map((one) => one[field])
  return sql(
    'share_name_insert',
    `INSERT INTO share_item (account_id, share_id, id, favorite_id, place, name, domain, seen)
     SELECT $1, $2, gen_random_uuid(), $7, wanted.place + $6::integer, wanted.name, wanted.domain, wanted.seen
     FROM unnest($3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY wanted (name, domain, seen, place)
     WHERE NOT EXISTS (
       SELECT FROM share_item item WHERE item.account_id = $1 AND item.share_id = $2 AND item.domain = wanted.domain)`,
    [account, share, column('name'), column('domain'), column('seen'), after, NO_FAVORITE],
  )
}

export function voterNamesOf(
  acting: Acting,
  rows: readonly ShareRow[],
): Statement<{ share_id: string; names: string[] }> {
  return sql(
    'share_voter_names',
    `SELECT share_id, array_agg(DISTINCT name) AS names FROM share_vote
     WHERE account_id = $1 AND share_id = ANY ($2::uuid[]) AND name <> '' GROUP BY share_id`,
    [accountOf(acting), rows.map(({ id }) => id)],
  )
}

/** Everything of an account's shares, for their owner, but the hashes that distinguish voters. */
export function exportShares(db: Db, acting: Acting): Exported {
  const account = accountOf(acting)
  return {
    shares: walk<{ readonly id: string }>(db, acting, (last, limit) =>
      sql(
        'share_export',
        `SELECT id, title, message, created_at, expires_at, created_by, show_prices, voters FROM share
         WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [account, last?.id ?? BEFORE_ALL, limit],
      ),
    ),
    share_items: everyItem(db, acting),
    share_votes: everyVote(db, acting),
  }
}

async function* everyItem(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT share_id, id, place, favorite_id, name, domain, note, seen, up, down FROM share_item
    WHERE account_id = $1 AND (share_id, id) > ($2, $3) ORDER BY share_id, id LIMIT $4`
  interface Row {
    readonly share_id: string
    readonly id: string
    /** JSON text. */
    readonly seen: string
  }
  const rows = walk<Row>(db, acting, (last, limit) =>
    sql('share_item_export', text, [accountOf(acting), last?.share_id ?? BEFORE_ALL, last?.id ?? BEFORE_ALL, limit]),
  )
  for await (const { seen, ...row } of rows) yield { ...row, seen: JSON.parse(seen) as unknown }
}

async function* everyVote(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT share_id, item_id, voter, up, name, created_at FROM share_vote
    WHERE account_id = $1 AND (share_id, item_id, voter) > ($2, $3, $4)
    ORDER BY share_id, item_id, voter LIMIT $5`
  interface Row {
    readonly share_id: string
    readonly item_id: string
    readonly voter: Buffer
  }
  const rows = walk<Row>(db, acting, (last, limit) =>
    sql('share_vote_export', text, [
      accountOf(acting),
      last?.share_id ?? BEFORE_ALL,
      last?.item_id ?? BEFORE_ALL,
      last?.voter ?? Buffer.alloc(0),
      limit,
    ]),
  )
  for await (const { voter: _, ...row } of rows) yield row
}
