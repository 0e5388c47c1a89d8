/**
 * Reads shares in two round trips, whatever their number. The facts of a domain come from the favorite while it exists;
 * afterwards from the moment it was shared.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import type { UserId } from '../../model/member.ts'

export interface ShareRow {
  readonly id: string
  readonly title: string
  readonly created_at: Date
  readonly expires_at: Date
  /** Null when the creator was deleted. */
  readonly created_by: UserId | null
  readonly show_prices: boolean
  /** Null: it has only a long link. */
  readonly code_hash: Buffer | null
  /** Null: no further names can be generated. */
  readonly description: string | null
  /** How often further names were added. */
  readonly batches: number
  /** Until when a search for further names holds its claim. */
  readonly searching_until: Date | null
  /** The id of the item. */
  readonly picked: string | null
  readonly version: string
}

export interface ShareItemRow {
  readonly share_id: string
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly note: string | null
  /** JSON text. */
  readonly seen: string
  /** 0: there from the beginning. */
  readonly batch: number
  readonly up: number
  readonly down: number
}

export interface CommentRow {
  readonly share_id: string
  readonly id: string
  /** Null: a comment on the list as a whole. */
  readonly item_id: string | null
  readonly author: string
  readonly text: string
  readonly created_at: Date
}

interface VotersRow {
  readonly share_id: string
  readonly voters: number
  readonly names: string[]
}

export interface Share extends ShareRow {
  readonly items: readonly ShareItemRow[]
  /** Oldest first. */
  readonly comments: readonly CommentRow[]
  readonly voters: number
  /** The names that voters gave. */
  readonly voterNames: readonly string[]
}

export const SHARE_COLUMNS = `id, title, created_at, expires_at, created_by, show_prices, code_hash, description, batches,
  searching_until, picked, version`

export async function wholeOf(db: Db, acting: Acting, rows: readonly ShareRow[]): Promise<readonly Share[]> {
  if (rows.length === 0) return []
  const values = [accountOf(acting), rows.map(({ id }) => id)] as const
  const [items, comments, voters] = await db.as(acting, [
    itemsOf(values),
    sql<CommentRow>(
      'share_comments',
      `SELECT share_id, id, item_id, author, text, created_at FROM share_comment
       WHERE account_id = $1 AND share_id = ANY ($2::uuid[]) ORDER BY id`,
      values,
    ),
    sql<VotersRow>(
      'share_voters',
      `SELECT share_id, count(DISTINCT voter)::int AS voters,
         coalesce(array_agg(DISTINCT name) FILTER (WHERE name <> ''), '{}') AS names
       FROM share_vote WHERE account_id = $1 AND share_id = ANY ($2::uuid[]) GROUP BY share_id`,
      values,
    ),
  ])
  const itemsBy = Map.groupBy(items.rows, ({ share_id }) => share_id)
  const commentsBy = Map.groupBy(comments.rows, ({ share_id }) => share_id)
  const votersBy = new Map(voters.rows.map((row) => [row.share_id, row]))
  return rows.map((row) => ({
    ...row,
    items: itemsBy.get(row.id) ?? [],
    comments: commentsBy.get(row.id) ?? [],
    voters: votersBy.get(row.id)?.voters ?? 0,
    voterNames: votersBy.get(row.id)?.names ?? [],
  }))
}

function itemsOf(values: Statement['values']): Statement<ShareItemRow> {
  return sql(
    'share_items',
    `SELECT item.share_id, item.id, item.name, item.domain, item.note, item.batch, votes.up, votes.down,
       coalesce(current_of(favorite), item.seen) AS seen
     FROM share_item item
     LEFT JOIN favorite ON favorite.account_id = item.account_id AND favorite.id = item.favorite_id
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE vote.up)::int AS up, count(*) FILTER (WHERE NOT vote.up)::int AS down
       FROM share_vote vote WHERE vote.account_id = item.account_id AND vote.share_id = item.share_id
         AND vote.item_id = item.id) votes
     WHERE item.account_id = $1 AND item.share_id = ANY ($2::uuid[]) ORDER BY item.place`,
    values,
  )
}
