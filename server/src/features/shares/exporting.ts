/** Exports an account's shares for their owner: everything except the hashes that distinguish voters. */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'

export function exporting(db: Db, acting: Acting): Exported {
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
