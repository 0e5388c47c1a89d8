/**
 * Invitations: a link by which somebody at an address becomes a member, once and within seven days.
 *
 * There is one invitation per account and address; a new one takes the place of the old, whose link is then void. The
 * account's row is locked meanwhile, because two of them at once would each find none to replace.
 *
 * That a link works once is decided by the commit that uses it: whoever deletes the invitation is in, and whoever finds
 * it gone is refused with everything else that was to be committed.
 */
import { accountOf, sql, sqlStateOf } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'
import { makeId } from '../model/id.ts'
import type { Role, UserId } from '../model/member.ts'
import { findClaim, makeToken } from './invitation-token.ts'

/** Nobody is invited to own an account: ownership is given to somebody who is already there. */
export type InvitedRole = Exclude<Role, 'owner'>

export interface Invitation {
  readonly account: AccountId
  readonly id: string
  readonly email: string
  readonly role: InvitedRole
  /** Null when whoever sent it is not known any more. */
  readonly invitedBy: UserId | null
}

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly role: InvitedRole
  readonly invited_by: UserId | null
  readonly created_at: Date
  readonly expires_at: Date
}

export interface Invitations {
  /** The token is in no other place than this answer. Fails with own_account; with not_found for no member. */
  invite(
    acting: Acting,
    draft: { email: string; role: InvitedRole; invitedBy: UserId },
    along?: readonly Statement[],
  ): Promise<{ id: string; token: string; expiresAt: Date }>
  /** Those whose link works. */
  listInvitations(acting: Acting): Promise<readonly InvitationRow[]>
  withdraw(acting: Acting, id: string, along?: readonly Statement[]): Promise<boolean>
  findInvitation(token: string): Promise<Invitation | undefined>
  /** To be committed as the invitation's account; refused with an error that `isUsedUp` knows. */
  accepting(invitation: Invitation, userId: UserId): Statement[]
}

export const INVITATION_COLUMNS = 'id, email, role, invited_by, created_at, expires_at'
const LASTS_MS = 7 * 86_400_000
const DIVISION_BY_ZERO = '22012'

export function openInvitations(options: {
  db: Db
  now: () => number
  adding: (account: AccountId, userId: UserId, role: Role) => Statement
}): Invitations {
  const { db, now, adding } = options

  return {
    async invite(acting, { email, role, invitedBy }, along = []) {
      const account = accountOf(acting)
      const at = now()
      const { token, hash } = makeToken(account)
      const id = makeId(at)
      const expiresAt = new Date(at + LASTS_MS)
      // Addresses are compared as sign-ins compare them.
      const address = email.toLowerCase()
      await db.transaction(acting, async (tx) => {
        const { rows } = await tx.run(lockAccount(account))
        if (!rows[0]) throw new ApiError('not_found')
        if (rows[0].is_own) throw new ApiError('own_account')
        await tx.run(removeOld(account, address, new Date(at)))
        await tx.run(insert(account, [id, address, role, invitedBy, new Date(at), expiresAt, hash]))
        for (const statement of along) await tx.run(statement)
      })
      return { id, token, expiresAt }
    },

    async listInvitations(acting) {
      const [found] = await db.as(acting, [
        sql<InvitationRow>(
          'invitation_list',
          `SELECT ${INVITATION_COLUMNS} FROM invitation WHERE account_id = $1 AND expires_at > $2 ORDER BY id`,
          [accountOf(acting), new Date(now())],
        ),
      ])
      return found.rows
    },

    withdraw: (acting, id, along = []) =>
      db.transaction(acting, async (tx) => {
        const text = 'DELETE FROM invitation WHERE account_id = $1 AND id = $2'
        const { count } = await tx.run(sql('invitation_withdraw', text, [accountOf(acting), id]))
        if (count === 0) return false
        for (const statement of along) await tx.run(statement)
        return true
      }),

    async findInvitation(token) {
      const claim = findClaim(token)
      if (!claim) return undefined
      const { account, hash } = claim
      const [found] = await db.as(account, [
        sql<InvitationRow>(
          'invitation_find',
          `SELECT ${INVITATION_COLUMNS} FROM invitation WHERE account_id = $1 AND hash = $2 AND expires_at > $3`,
          [account, hash, new Date(now())],
        ),
      ])
      const row = found.rows[0]
      return row && { account, id: row.id, email: row.email, role: row.role, invitedBy: row.invited_by }
    },

    accepting: ({ account, id, role }, userId) => [
      sql(
        'invitation_use',
        `WITH used AS (
           DELETE FROM invitation WHERE account_id = $1 AND id = $2 AND expires_at > $3 RETURNING 1)
         SELECT 1 / count(*) FROM used`,
        [account, id, new Date(now())],
      ),
      adding(account, userId, role),
    ],
  }
}

/** Was it `accepting` that refused the commit: was the invitation used, replaced, withdrawn or too old? */
export function isUsedUp(error: unknown): boolean {
  return sqlStateOf(error) === DIVISION_BY_ZERO
}

/** What somebody offered in the account's name ends with their membership. */
export function removeInvitationsBy(account: AccountId, userId: UserId): Statement {
  return sql('invitation_remove_by', 'DELETE FROM invitation WHERE account_id = $1 AND invited_by = $2', [
    account,
    userId,
  ])
}

function lockAccount(account: AccountId): Statement<{ is_own: boolean }> {
  return sql(
    'invitation_lock_account',
    `SELECT EXISTS (SELECT FROM member WHERE account_id = $1 AND user_id = $1::text) AS is_own
     FROM account WHERE id = $1 FOR NO KEY UPDATE`,
    [account],
  )
}

function removeOld(account: AccountId, email: string, at: Date): Statement {
  const text = 'DELETE FROM invitation WHERE account_id = $1 AND (email = $2 OR expires_at <= $3)'
  return sql('invitation_remove_old', text, [account, email, at])
}

function insert(account: AccountId, values: Statement['values']): Statement {
  return sql(
    'invitation_insert',
    `INSERT INTO invitation (account_id, ${INVITATION_COLUMNS}, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [account, ...values],
  )
}
