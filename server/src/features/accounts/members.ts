/**
 * The members of an account, their roles, and how people become members.
 *
 * Roles and their order are in `model/member.ts`. Row-level security reads the membership on every statement, so a
 * removed member loses all access with the next statement.
 *
 * Statements passed as `along` are committed together with the change.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk } from '../../platform/db/walk.ts'
import type { Exported } from '../../platform/db/walk.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Member, Role, UserId } from '../../model/member.ts'
import { changeMember } from './change-member.ts'
import type { MembershipEffects } from './change-member.ts'
import { INVITATION_COLUMNS, openInvitations } from './invitations.ts'
import type { InvitationRow, Invitations } from './invitations.ts'

export { isUsedUp, withdrawAllBy } from './invitations.ts'
export type { Invitation, InvitationDraft, InvitationRow, InvitedRole } from './invitations.ts'

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
