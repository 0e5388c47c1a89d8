/** The changes of a watched favorite, newest first. */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import type { AccountId } from '../../model/caller.ts'
import { seenWithStatus } from '../../model/offer.ts'

export interface ChangeRow {
  readonly id: string
  readonly created_at: Date
  readonly kind: 'available' | 'taken' | 'price_changed'
  /** JSON text. */
  readonly before: string
  readonly after: string
}

export interface Changes {
  /** One row more than `limit` when there is a next page. */
  list(account: AccountId, favorite: string, page: { limit: number; before?: string }): Promise<readonly ChangeRow[]>
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const COLUMNS = 'id, created_at, kind, before, after'

export function openChanges({ db }: { db: Db }): Changes {
  return {
    async list(account, favorite, { limit, before }) {
      const text = `SELECT ${COLUMNS} FROM favorite_change WHERE account_id = $1 AND favorite_id = $2
        AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`
      const values = [account, favorite, before, limit + 1]
      const [found] = await db.as(account, [sql<ChangeRow>('favorite_changes', text, values)])
      return found.rows
    },

    forgetting: (account) => [
      sql('favorite_change_forget', 'DELETE FROM favorite_change WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => ({ favorite_changes: everyChange(db, acting) }),
  }
}

async function* everyChange(db: Db, acting: Acting): AsyncGenerator<object> {
  const text = `SELECT favorite_id, ${COLUMNS} FROM favorite_change
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
