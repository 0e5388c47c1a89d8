/** Accounts: the tenants. One owns keys, history and favorites, and sees no other. */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import { VISITORS } from '../model/caller.ts'
import type { AccountId } from '../model/caller.ts'
import { makeId } from '../model/id.ts'
import type { Member } from '../model/member.ts'
import { createOperator } from './operator.ts'
import type { Operator } from './operator.ts'

export interface AccountSpec {
  readonly name: string
  readonly language?: string
  readonly currency?: string
  /** Absent: history is kept for ever. 0: never. */
  readonly historyDays?: number
}

export interface AccountRow {
  readonly id: AccountId
  readonly name: string
  readonly language: string | null
  readonly currency: string | null
  /** Null is for ever, 0 is not at all. */
  readonly history_days: number | null
  readonly created_at: Date
}

/** What is absent stays; null takes a setting off. */
export interface AccountChange {
  readonly name?: string | undefined
  readonly language?: string | null | undefined
  readonly currency?: string | null | undefined
  readonly historyDays?: number | null | undefined
}

export interface Accounts extends Operator {
  create(spec: AccountSpec & { readonly id?: AccountId }): Promise<AccountId>
  /** To be committed as this account, with whatever else makes it one. */
  creating(spec: AccountSpec, id: AccountId): Statement
  /** The account of visitors, unless it is there; to be committed as that account. */
  creatingVisitors(): Statement
  find(acting: Acting): Promise<AccountRow | undefined>
  /** Undefined when there is no such account. Every node forgets what it remembers of the account's keys. */
  change(acting: Acting, change: AccountChange, along?: readonly Statement[]): Promise<AccountRow | undefined>
  /** To be committed with what changes what the account's keys may: every node forgets what it remembers of them. */
  changing(account: AccountId): Statement
  /** What the accounts are called that a person is a member of. */
  namesOf(members: readonly Member[]): Promise<ReadonlyMap<AccountId, string>>
  /** The account itself, and with it its keys; everything else it owns is for others to forget, before this. */
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

const COLUMNS = 'id, name, language, currency, history_days, created_at'

export function openAccounts({ db, now }: { db: Db; now: () => number }): Accounts {
  const creating = ({ name, language, currency, historyDays }: AccountSpec, id: AccountId) =>
    sql('account_insert', `INSERT INTO account (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`, [
      id,
      name,
      language,
      currency,
      historyDays,
      new Date(now()),
    ])

  async function find(acting: Acting): Promise<AccountRow | undefined> {
    const [found] = await db.as(acting, [read(accountOf(acting))])
    return found.rows[0]
  }

  return {
    ...createOperator({ db, now }),
    creating,
    creatingVisitors: () =>
      sql(
        'account_insert_visitors',
        `INSERT INTO account (id, name, history_days, created_at, is_visitors) VALUES ($1, 'Visitors', 0, $2, true)
         ON CONFLICT (id) DO NOTHING`,
        [VISITORS, new Date(now())],
      ),
    changing: noteKeys,
    find,

    async create({ id = makeId(now()) as AccountId, ...spec }) {
      await db.as(id, [creating(spec, id)])
      return id
    },

    change: (acting, change, along = []) =>
      db.transaction(acting, async (tx) => {
        const { rows } = await tx.run(update(accountOf(acting), change))
        if (!rows[0]) return undefined
        for (const statement of [noteKeys(accountOf(acting)), ...along]) await tx.run(statement)
        return rows[0]
      }),

    async namesOf(members) {
      // An account shows itself only to who acts in it, so each is asked by itself, all at the same time.
      const found = await Promise.all(members.map(find))
      return new Map(found.flatMap((row) => (row ? [[row.id, row.name] as const] : [])))
    },

    forgetting: (account) => [sql('account_forget', 'DELETE FROM account WHERE id = $1', [account])],

    exporting: (acting) => ({ account: walk(db, acting, () => read(accountOf(acting))) }),
  }
}

function read(account: AccountId): Statement<AccountRow> {
  return sql('account_find', `SELECT ${COLUMNS} FROM account WHERE id = $1`, [account])
}

function update(account: AccountId, { name, language, currency, historyDays }: AccountChange): Statement<AccountRow> {
  return sql(
    'account_change',
    `UPDATE account SET name = coalesce($2, name),
       language = CASE WHEN $3 THEN $4 ELSE language END, currency = CASE WHEN $5 THEN $6 ELSE currency END,
       history_days = CASE WHEN $7 THEN $8::integer ELSE history_days END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [
      account,
      name,
      language !== undefined,
      language,
      currency !== undefined,
      currency,
      historyDays !== undefined,
      historyDays,
    ],
  )
}

/** A node remembers a key together with its account's settings, so to the nodes all of its keys have changed. */
function noteKeys(account: AccountId): Statement {
  return sql(
    'account_keys_note',
    `WITH old AS (DELETE FROM key_change WHERE changed_at < now() - interval '1 hour')
     INSERT INTO key_change (changed_at, key_id) SELECT clock_timestamp(), id FROM api_key WHERE account_id = $1`,
    [account],
  )
}
