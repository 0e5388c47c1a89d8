/**
 * The members of an account, their roles, and how people become members.
 *
 * Roles and their order are in `model/member.ts`. Row-level security reads the membership on every statement, so a
 * removed member loses all access with the next statement.
 *
 * Statements passed as `along` are committed together with the change.
 */
import { accountOf, sql, type Acting, type Db, type Statement, type Transaction } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import type { AccountId } from '../../model/caller.ts'
import { type Member, type Role, type UserId, isAtLeast, isOwnAccount } from '../../model/member.ts'
import {
  INVITATION_COLUMNS,
  openInvitations,
  type InvitationRow,
  type Invitations,
  withdrawAllBy,
} from './invitations.ts'
import { ApiError } from '../../model/errors.ts'
import { canManage } from '../../model/permissions.ts'
import type { UsedCredential } from '../../platform/audit-log/audit-log.ts'
import type { Context } from '../../context.ts'
import type { Note } from '../../http/feature.ts'

export interface MemberRow {
  readonly user_id: UserId
  readonly role: Role
  readonly created_at: Date
}

export interface Members extends Invitations {
  /** A person's accounts, in the order they joined them. */
  listAccounts(userId: UserId): Promise<readonly { account_id: AccountId; role: Role }[]>
  roleOf(member: Member): Promise<Role | undefined>
  list(acting: Acting): Promise<readonly MemberRow[]>
  /**
   * Makes a person the owner of an account without members, with the account's creation time. Otherwise does nothing.
   */
  claim(account: AccountId, userId: UserId, along: readonly Statement[]): Promise<boolean>
  /** Does nothing for an existing member. */
  adding(account: AccountId, userId: UserId, role: Role): Statement
  /** Fails with own_account, not_found, insufficient_role or last_owner. */
  changeRole(acting: Acting, userId: UserId, role: Role, along?: MembershipEffects): Promise<void>
  /** Fails as `changeRole` does. Any member may remove themselves. */
  remove(acting: Acting, userId: UserId, along?: MembershipEffects): Promise<void>
  forgetting(account: AccountId): Statement[]
  exporting(acting: Acting): Exported
}

export function openMembers({ db, now }: { db: Db; now: () => number }): Members {
  const adding = (account: AccountId, userId: UserId, role: Role) =>
    sql(
      'member_add',
      'INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [account, userId, role, new Date(now())],
    )

  return {
    ...openInvitations({ db, now, adding }),
    adding,

    claim: (account, userId, along) =>
      db.transaction(account, async (tx) => {
        const text = `INSERT INTO member (account_id, user_id, role, created_at)
                      SELECT $1::uuid, $2, 'owner', created_at FROM account
                      WHERE id = $1 AND NOT EXISTS (SELECT FROM member WHERE account_id = $1)`
        const { count } = await tx.run(sql('member_claim', text, [account, userId]))
        if (count === 0) return false
        for (const statement of along) await tx.run(statement)
        return true
      }),

    async listAccounts(userId) {
      const text = 'SELECT account_id, role FROM member WHERE user_id = $1 ORDER BY created_at, account_id'
      const [found] = await db.asPerson(userId, [
        sql<{ account_id: AccountId; role: Role }>('member_accounts', text, [userId]),
      ])
      return found.rows
    },

    async roleOf({ accountId, userId }) {
      const text = 'SELECT role FROM member WHERE account_id = $1 AND user_id = $2'
      const [found] = await db.asPerson(userId, [sql<{ role: Role }>('member_role', text, [accountId, userId])])
      return found.rows[0]?.role
    },

    async list(acting) {
      const text = 'SELECT user_id, role, created_at FROM member WHERE account_id = $1 ORDER BY created_at, user_id'
      const [found] = await db.as(acting, [sql<MemberRow>('member_list', text, [accountOf(acting)])])
      return found.rows
    },

    changeRole(acting, userId, role, along = []) {
      const text = 'UPDATE member SET role = $3 WHERE account_id = $1 AND user_id = $2'
      const change = sql('member_change_role', text, [accountOf(acting), userId, role])
      return changeMember(db, acting, { userId, after: role, statement: change, along })
    },

    remove(acting, userId, along = []) {
      const account = accountOf(acting)
      const text = 'DELETE FROM member WHERE account_id = $1 AND user_id = $2'
      const statement = sql('member_remove', text, [account, userId])
      return changeMember(db, acting, { userId, after: undefined, statement, along })
    },

    forgetting: (account) => [
      sql('invitation_forget', 'DELETE FROM invitation WHERE account_id = $1', [account]),
      sql('member_forget', 'DELETE FROM member WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => ({ members: everyMember(db, acting), invitations: everyInvitation(db, acting) }),
  }
}

function everyMember(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT user_id, role, change_emails, created_at FROM member WHERE account_id = $1 AND user_id > $2
                ORDER BY user_id LIMIT $3`
  return walk<MemberRow>(db, acting, (last, limit) =>
    sql('member_export', text, [accountOf(acting), last?.user_id ?? '', limit]),
  )
}

function everyInvitation(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT ${INVITATION_COLUMNS}, by_operator FROM invitation WHERE account_id = $1 AND id > $2
                ORDER BY id LIMIT $3`
  return walk<InvitationRow>(db, acting, (last, limit) =>
    sql('invitation_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
}

/** Statements or work committed together with a change. */
export type MembershipEffects = readonly Statement[] | ((tx: Transaction) => Promise<void>)

interface Locked {
  readonly user_id: UserId
  readonly role: Role
}

/**
 * Changes or ends a membership. An account with members always keeps an owner. Two owners who remove each other at the
 * same time must not both succeed: if each counted the owners before writing, both would count two. So this locks the
 * account's memberships first, always in the same order, and the second transaction counts what the first one left. The
 * acting person's role is checked again under the same lock: they may have been removed since the request began.
 *
 * `after` is undefined when the member leaves.
 */
async function changeMember(
  db: Db,
  acting: Acting,
  change: { userId: UserId; after: Role | undefined; statement: Statement; along: MembershipEffects },
): Promise<void> {
  const account = accountOf(acting)
  const { userId, after, statement, along } = change
  if (isOwnAccount({ accountId: account, userId })) throw new ApiError('own_account')
  await db.transaction(acting, async (tx) => {
    const { rows } = await tx.run(lockMembers(account))
    const before = rows.find((row) => row.user_id === userId)?.role
    if (before === undefined) throw new ApiError('not_found')
    if (typeof acting !== 'string') refuseUnlessAllowed(acting.userId, rows, { userId, before, after })
    const owners = rows.filter(({ role }) => role === 'owner').length
    if (before === 'owner' && after !== 'owner' && owners === 1) throw new ApiError('last_owner')
    await tx.run(statement)
    if (typeof along === 'function') await along(tx)
    else for (const one of along) await tx.run(one)
  })
}

/** Any member may leave. An admin may change everything except ownership; an owner may change that too. */
function refuseUnlessAllowed(
  actor: UserId,
  rows: readonly Locked[],
  { userId, before, after }: { userId: UserId; before: Role; after: Role | undefined },
): void {
  const role = rows.find((row) => row.user_id === actor)?.role
  if (role === undefined) throw new ApiError('not_found')
  if (actor === userId && after === undefined) return
  const least = before === 'owner' || after === 'owner' ? 'owner' : 'admin'
  if (!isAtLeast(role, least)) throw new ApiError('insufficient_role', { params: { role: least } })
}

function lockMembers(account: AccountId): Statement<Locked> {
  const text = 'SELECT user_id, role FROM member WHERE account_id = $1 ORDER BY user_id FOR UPDATE'
  return sql('member_lock', text, [account])
}

/** The acting person, their session and address. */
export interface Changer {
  readonly member: Member
  readonly credential: UsedCredential
  readonly ip: string
}

/** Fails as `members.changeRole` does. */
export async function changeRole(ctx: Context, by: Changer, userId: UserId, role: Role): Promise<void> {
  const { accountId } = by.member
  const note = createNote(ctx, by)
  await ctx.members.changeRole(by.member, userId, role, async (tx) => {
    await tx.run(note('member_role_changed', { user_id: userId, role }))
    await tx.run(ctx.accounts.changing(accountId))
    if (!canManage(role)) await endAccess(ctx, tx, { account: accountId, userId, note })
  })
}

/** Fails as `changeRole` does. */
export async function removeMember(ctx: Context, by: Changer, userId: UserId): Promise<void> {
  const { accountId } = by.member
  const note = createNote(ctx, by)
  await ctx.members.remove(by.member, userId, async (tx) => {
    await tx.run(note('member_removed', { user_id: userId }))
    await tx.run(ctx.accounts.changing(accountId))
    await endAccess(ctx, tx, { account: accountId, userId, note })
  })
  // Since the commit their tokens have no permissions here; this also deletes them.
  await ctx.people.endGrantsOf(userId, accountId)
}

/**
 * A person who may no longer manage the account must leave nothing running on their behalf: withdraws their invitations,
 * and has every feature end what they set up. Runs within the transaction that ends the role. Without a `note`, the
 * audit log entry has no actor.
 */
export async function endAccess(
  ctx: Context,
  tx: Transaction,
  { account, userId, note = createServiceNote(ctx, account) }: { account: AccountId; userId: UserId; note?: Note },
): Promise<void> {
  await tx.run(withdrawAllBy(account, userId))
  const known = (await tx.run(ctx.auditLog.listingCreated(account, userId))).rows.map(({ id }) => id)
  for (const { data } of ctx.features) await data?.endAccess?.(tx, { account, userId, known, note }, ctx)
}

function createNote({ auditLog }: Context, { member, credential, ip }: Changer): Note {
  const { accountId, userId: actor } = member
  return (action, detail) => auditLog.noting(accountId, { action, actor, credential, ip, detail })
}

function createServiceNote({ auditLog }: Context, account: AccountId): Note {
  return (action, detail) => auditLog.noting(account, { action, actor: null, ip: null, detail })
}
