/**
 * What happened to the doors of an account, newest first: keys, applications, members, and the sign-ins of the person
 * whose own account it is.
 *
 * A note is committed with what it tells wherever that is a write of ours, so that neither is there without the other.
 * `detail` is for people who look for what happened: names, ids, addresses. It never holds a secret, a token or a hash.
 *
 * Notes are kept for 400 days, a year and some time to ask about it. Older ones are hidden at once and deleted as the
 * account goes on noting.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { BEFORE_ALL, walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import type { AccountId } from '../model/caller.ts'
import { firstIdOf, makeId } from '../model/id.ts'
import type { UserId } from '../model/member.ts'
import type { SecurityAction } from '../model/security-action.ts'

export interface SecurityNote {
  readonly action: SecurityAction
  /** Who did it; null when nobody we know did. */
  readonly actor: UserId | null
  readonly ip: string | null
  readonly detail: Readonly<Record<string, string>>
}

export interface SecurityEvent extends SecurityNote {
  readonly id: string
  readonly created_at: Date
}

export interface SecurityLog {
  /** To be committed with what it tells. */
  noting(account: AccountId, note: SecurityNote): Statement
  /** Of what is no write of ours. */
  note(acting: Acting, note: SecurityNote): Promise<void>
  /** One row more than `limit` when there is a next page. */
  list(acting: Acting, page: { limit: number; before?: string }): Promise<readonly SecurityEvent[]>
  /**
   * For a person who is deleted: what they did stays, who they were does not. Takes their id, the addresses they came
   * from, and every detail that is their id or their e-mail address.
   */
  forgetActor(account: AccountId, userId: UserId, email?: string): Statement
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

type Row = Omit<SecurityEvent, 'detail'> & { readonly detail: string }

const COLUMNS = 'id, created_at, action, actor, ip, detail'
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const KEEP_MS = 400 * 86_400_000
// Each note removes more than it adds, so what has grown old works itself off.
const EXPIRE_AT_ONCE = 20

export function openSecurityLog({ db, now }: { db: Db; now: () => number }): SecurityLog {
  const oldest = () => firstIdOf(now() - KEEP_MS)

  function noting(account: AccountId, { action, actor, ip, detail }: SecurityNote): Statement {
    const at = now()
    return sql(
      'security_event_note',
      `WITH old AS (DELETE FROM security_event WHERE account_id = $1 AND id IN (
         SELECT id FROM security_event WHERE account_id = $1 AND id < $8 ORDER BY id LIMIT ${EXPIRE_AT_ONCE}))
       INSERT INTO security_event (account_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [account, makeId(at), new Date(at), action, actor, ip, JSON.stringify(detail), oldest()],
    )
  }

  return {
    noting,

    async note(acting, note) {
      await db.as(acting, [noting(accountOf(acting), note)])
    },

    async list(acting, { limit, before = AFTER_ALL }) {
      const [found] = await db.as(acting, [
        sql<Row>(
          'security_event_list',
          `SELECT ${COLUMNS} FROM security_event WHERE account_id = $1 AND id < $2 AND id >= $3
           ORDER BY id DESC LIMIT $4`,
          [accountOf(acting), before, oldest(), limit + 1],
        ),
      ])
      return found.rows.map(eventOf)
    },

    forgetActor: (account, userId, email) =>
      sql(
        'security_event_forget_actor',
        `UPDATE security_event SET actor = nullif(actor, $2), ip = CASE WHEN actor = $2 THEN NULL ELSE ip END,
           detail = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each_text(detail)
                     WHERE value <> $2 AND lower(value) IS DISTINCT FROM $3)
         WHERE account_id = $1 AND (actor = $2 OR EXISTS (
           SELECT FROM jsonb_each_text(detail) WHERE value = $2 OR lower(value) = $3))`,
        [account, userId, email?.toLowerCase()],
      ),

    forgetting: (account) => [
      sql('security_event_forget', 'DELETE FROM security_event WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => ({ security_events: everyEvent(db, acting) }),
  }
}

async function* everyEvent(db: Db, acting: Acting): AsyncGenerator<SecurityEvent> {
  const rows = walk<Row>(db, acting, (last, limit) =>
    sql(
      'security_event_export',
      `SELECT ${COLUMNS} FROM security_event WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [accountOf(acting), last?.id ?? BEFORE_ALL, limit],
    ),
  )
  for await (const row of rows) yield eventOf(row)
}

function eventOf(row: Row): SecurityEvent {
  return { ...row, detail: JSON.parse(row.detail) as Record<string, string> }
}
