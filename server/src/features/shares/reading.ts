/**
 * Reads shared lists in one round trip, whatever their number. The facts of a domain come from the favorite while it
 * exists; afterwards from the moment it was shared. Votes are counted where they are given (`voting.ts`), never here.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import type { UserId } from '../../model/member.ts'

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
