/**
 * Who belongs to an account, as what, and how somebody comes to.
 *
 * Roles and their order are in `model/member.ts`. A person acts in an account because the database finds them here, so
 * a membership that is removed ends everything they could do in it with the next statement.
 *
 * What must be true together with a change is handed in as `along` and committed with it.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { BEFORE_ALL, walk } from '../db/walk.ts'
import type { Exported } from '../db/walk.ts'
import type { AccountId } from '../model/caller.ts'
import type { Member, Role, UserId } from '../model/member.ts'
import { changeMember } from './change-member.ts'
import { INVITATION_COLUMNS, openInvitations, removeInvitationsBy } from './invitations.ts'
import type { InvitationRow, Invitations } from './invitations.ts'

export { isUsedUp } from './invitations.ts'
export type { Invitation, InvitationRow, InvitedRole } from './invitations.ts'

export interface MemberRow {
  readonly user_id: UserId
  readonly role: Role
  readonly created_at: Date
}

export interface Members extends Invitations {
  /** The accounts a person is in, in the order they came to them. */
  listAccounts(userId: UserId): Promise<readonly { account_id: AccountId; role: Role }[]>
  roleOf(member: Member): Promise<Role | undefined>
  list(acting: Acting): Promise<readonly MemberRow[]>
  /** Changes nothing for somebody who is there already. */
  adding(account: AccountId, userId: UserId, role: Role): Statement
  /** Fails with own_account, not_found, insufficient_role or last_owner. */
  changeRole(acting: Acting, userId: UserId, role: Role, along?: readonly Statement[]): Promise<void>
  /** Fails as `changeRole` does. Anybody may remove themselves. */
  remove(acting: Acting, userId: UserId, along?: readonly Statement[]): Promise<void>
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
      return changeMember(db, acting, { userId, after: role, statements: [change, ...along] })
    },

    remove(acting, userId, along = []) {
      const account = accountOf(acting)
      const text = 'DELETE FROM member WHERE account_id = $1 AND user_id = $2'
      const statements = [sql('member_remove', text, [account, userId]), removeInvitationsBy(account, userId), ...along]
      return changeMember(db, acting, { userId, after: undefined, statements })
    },

    forgetting: (account) => [
      sql('invitation_forget', 'DELETE FROM invitation WHERE account_id = $1', [account]),
      sql('member_forget', 'DELETE FROM member WHERE account_id = $1', [account]),
    ],

    exporting: (acting) => ({ members: everyMember(db, acting), invitations: everyInvitation(db, acting) }),
  }
}

function everyMember(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT user_id, role, created_at FROM member WHERE account_id = $1 AND user_id > $2
                ORDER BY user_id LIMIT $3`
  return walk<MemberRow>(db, acting, (last, limit) =>
    sql('member_export', text, [accountOf(acting), last?.user_id ?? '', limit]),
  )
}

function everyInvitation(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT ${INVITATION_COLUMNS} FROM invitation WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`
  return walk<InvitationRow>(db, acting, (last, limit) =>
    sql('invitation_export', text, [accountOf(acting), last?.id ?? BEFORE_ALL, limit]),
  )
}
