/**
 * The audit log of an account, newest first: keys, applications, members, and the sign-ins of the person who owns a
 * personal account.
 *
 * An entry is committed in the same transaction as the change it records, wherever that change is our own write. So
 * neither exists without the other. `detail` holds names, ids and addresses for people who investigate an event. It
 * never holds a secret, a token or a hash.
 *
 * Entries are kept for 90 days. Older entries are hidden at once and deleted as the account writes new ones. Whoever
 * needs them for longer receives them by webhook.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { BEFORE_ALL, walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import type { AccountId, CredentialKind } from '../../model/caller.ts'
import { firstIdOf, makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { AUDIT_EVENT } from '../../model/event.ts'
import type { SecurityAction } from '../../model/security-action.ts'

export interface SecurityNote {
  readonly action: SecurityAction
  /** The person who acted; null when unknown. */
  readonly actor: UserId | null
  /** The credential they used; absent when the service acted on its own. */
  readonly credential?: UsedCredential | undefined
  readonly ip: string | null
  readonly detail: Readonly<Record<string, string>>
}

/** A session, key or token, and the application that used the token. Never a secret or its hash. */
export interface UsedCredential {
  readonly kind: CredentialKind | 'session'
  /** The id of the session, the key or the grant. */
  readonly id: string
  readonly clientId?: string | undefined
}

export interface SecurityEvent extends SecurityNote {
  readonly id: string
  readonly created_at: Date
}

export interface AuditLog {
  /** Commit together with the change it records. */
  noting(account: AccountId, note: SecurityNote): Statement
  /** For an event that is not a write of ours. */
  note(acting: Acting, note: SecurityNote): Promise<void>
  /** One row more than `limit` when there is a next page. */
  list(acting: Acting, page: { limit: number; before?: string }): Promise<readonly SecurityEvent[]>
  /** Webhooks and applications that this person created, as far back as the log goes. */
  listingCreated(account: AccountId, actor: UserId): Statement<{ id: string }>
  /**
   * For a person who is deleted: keeps what they did and removes who they were. Clears their id, the addresses and
   * sessions they used, and every detail that equals their id or email address.
   */
  forgetActor(account: AccountId, userId: UserId, email?: string): Statement[]
  forgetting(account: AccountId): Statement[]
  /** Every stored entry, oldest first. */
  exporting(acting: Acting): Exported
}

interface AuditRow extends Omit<SecurityEvent, 'detail' | 'credential'> {
  readonly detail: string
  readonly credential: UsedCredential['kind'] | null
  readonly credential_id: string | null
  readonly client_id: string | null
}

const COLUMNS = 'id, created_at, action, actor, ip, detail, credential, credential_id, client_id'
// Publishes the same entry as a webhook event. Without a subscribed webhook it writes nothing.
const NOTIFY_WEBHOOKS = `INSERT INTO event (account_id, id, created_at, type, once, data)
  SELECT account_id, id, created_at, '${AUDIT_EVENT}', '${AUDIT_EVENT} ' || id, to_jsonb(entry) - 'account_id'
    || jsonb_build_object('created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM entry WHERE EXISTS (
    SELECT FROM webhook WHERE account_id = $1 AND enabled AND '${AUDIT_EVENT}' = ANY (events))`
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const KEEP_MS = 90 * 86_400_000
// Each entry deletes more rows than it adds, so a backlog of old entries shrinks.
const EXPIRE_AT_ONCE = 20

export function openAuditLog({ db, now }: { db: Db; now: () => number }): AuditLog {
  const oldest = () => firstIdOf(now() - KEEP_MS)

  function noting(account: AccountId, { action, actor, credential, ip, detail }: SecurityNote): Statement {
    const at = now()
    return sql(
      'security_event_note',
      `WITH old AS (DELETE FROM security_event WHERE account_id = $1 AND id IN (
         SELECT id FROM security_event WHERE account_id = $1 AND id < $11 ORDER BY id LIMIT ${EXPIRE_AT_ONCE})),
       entry AS (INSERT INTO security_event (account_id, ${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *)
       ${NOTIFY_WEBHOOKS}`,
      [
        account,
        makeId(at),
        new Date(at),
        action,
        actor,
        ip,
        JSON.stringify(detail),
        credential?.kind,
        credential?.id,
        credential?.clientId,
        oldest(),
      ],
    )
  }

  return {
    noting,

    async note(acting, note) {
      await db.as(acting, [noting(accountOf(acting), note)])
    },

    async list(acting, { limit, before = AFTER_ALL }) {
      const [found] = await db.as(acting, [
        sql<AuditRow>(
          'security_event_list',
          `SELECT ${COLUMNS} FROM security_event WHERE account_id = $1 AND id < $2 AND id >= $3
           ORDER BY id DESC LIMIT $4`,
          [accountOf(acting), before, oldest(), limit + 1],
        ),
      ])
      return found.rows.map(eventOf)
    },

    listingCreated: (account, actor) =>
      sql(
        'security_event_created',
        `SELECT coalesce(detail ->> 'webhook_id', detail ->> 'client_id') AS id FROM security_event
         WHERE account_id = $1 AND actor = $2 AND action IN ('webhook_created', 'client_created')`,
        [account, actor],
      ),

    forgetActor: (account, userId, email) => [
      sql(
        'security_event_forget_actor',
        `UPDATE security_event SET actor = nullif(actor, $2), ip = CASE WHEN actor = $2 THEN NULL ELSE ip END,
           credential_id = CASE WHEN actor = $2 AND credential = 'session' THEN NULL ELSE credential_id END,
           detail = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each_text(detail)
                     WHERE value <> $2 AND lower(value) IS DISTINCT FROM $3)
         WHERE account_id = $1 AND (actor = $2 OR EXISTS (
           SELECT FROM jsonb_each_text(detail) WHERE value = $2 OR lower(value) = $3))`,
        [account, userId, email?.toLowerCase()],
      ),
      // Delivered events stay with the receiver. Pending and replayable ones are deleted here.
      sql(
        'audit_event_forget_actor',
        `DELETE FROM event WHERE account_id = $1 AND type = '${AUDIT_EVENT}' AND (data ->> 'actor' = $2 OR EXISTS (
           SELECT FROM jsonb_each_text(data -> 'detail') WHERE value = $2 OR lower(value) = $3))`,
        [account, userId, email?.toLowerCase()],
      ),
    ],

    forgetting: (account) => [
      sql('security_event_forget', 'DELETE FROM security_event WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => ({ security_events: everyEvent(db, acting) }),
  }
}

async function* everyEvent(db: Db, acting: Acting): AsyncGenerator<object> {
  for await (const row of everyRow(db, acting)) yield { ...row, detail: detailOf(row) }
}

function everyRow(db: Db, acting: Acting): AsyncGenerator<AuditRow> {
  return walk<AuditRow>(db, acting, (last, limit) =>
    sql(
      'security_event_export',
      `SELECT ${COLUMNS} FROM security_event WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [accountOf(acting), last?.id ?? BEFORE_ALL, limit],
    ),
  )
}

function eventOf({ credential: kind, credential_id: id, client_id: clientId, ...row }: AuditRow): SecurityEvent {
  return {
    ...row,
    detail: detailOf(row),
    ...(kind === null ? {} : { credential: { kind, id: id ?? '', ...(clientId === null ? {} : { clientId }) } }),
  }
}

function detailOf({ detail }: Pick<AuditRow, 'detail'>): Record<string, string> {
  return JSON.parse(detail) as Record<string, string>
}
