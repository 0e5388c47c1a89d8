/**
 * Invitations: a link that makes the owner of an email address a member, once and within seven days.
 *
 * An account has at most one invitation per address. A new one replaces the old one, whose link stops working. The
 * account's row is locked meanwhile, because two concurrent invitations would each find none to replace.
 *
 * The commit that uses a link makes it single-use: it deletes the invitation. A later commit finds no invitation and is
 * rolled back as a whole.
 */
import { accountOf, sql, sqlStateOf, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { makeId, uuidOf } from '../../model/id.ts'
import { MANAGING_ROLES } from '../../model/permissions.ts'
import type { Role, UserId } from '../../model/member.ts'
import { hash as digest, randomBytes } from 'node:crypto'
import { findBytes } from '../../platform/signer.ts'

/** Members cannot invite an owner; they transfer ownership to an existing member. The operator can invite an owner. */
export type InvitedRole = Exclude<Role, 'owner'>

export interface Invitation {
  readonly account: AccountId
  readonly id: string
  readonly email: string
  readonly role: Role
  /** Null when the operator sent it, or the sender was deleted. */
  readonly invitedBy: UserId | null
}

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invited_by: UserId | null
  readonly created_at: Date
  readonly expires_at: Date
}

export type InvitationDraft =
  | { readonly email: string; readonly role: InvitedRole; readonly invitedBy: UserId }
  | { readonly email: string; readonly role: Role; readonly invitedBy: 'operator' }

export interface Invitations {
  /** Returns the only copy of the token. Fails with own_account, or with not_found when the caller is not a member. */
  invite(
    acting: Acting,
    draft: InvitationDraft,
    along?: readonly Statement[],
  ): Promise<{ id: string; token: string; expiresAt: Date }>
  /** Only invitations whose link still works. */
  listInvitations(acting: Acting): Promise<readonly InvitationRow[]>
  withdraw(acting: Acting, id: string, along?: readonly Statement[]): Promise<boolean>
  findInvitation(token: string): Promise<Invitation | undefined>
  /** Commit as the invitation's account. A refused commit fails with an error that `isUsedUp` recognizes. */
  accepting(invitation: Invitation, userId: UserId): Statement[]
}

export const INVITATION_COLUMNS = 'id, email, role, invited_by, created_at, expires_at'
/** The sender may still invite ($4): their role may have changed since. The operator always may. */
const IS_INVITERS = `(by_operator OR EXISTS (SELECT FROM member m
  WHERE m.account_id = invitation.account_id AND m.user_id = invitation.invited_by AND m.role = ANY ($4)))`
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
      // Addresses are compared case-insensitively, as at sign-in.
      const address = email.toLowerCase()
      await db.transaction(acting, async (tx) => {
        const { rows } = await tx.run(lockAccount(account))
        if (!rows[0]) throw new ApiError('not_found')
        if (rows[0].is_own) throw new ApiError('own_account')
        await tx.run(removeOld(account, address, new Date(at)))
        const isOperator = invitedBy === 'operator'
        const inviter = isOperator ? null : invitedBy
        await tx.run(insert(account, [id, address, role, inviter, new Date(at), expiresAt, hash, isOperator]))
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
          `SELECT ${INVITATION_COLUMNS} FROM invitation
           WHERE account_id = $1 AND hash = $2 AND expires_at > $3 AND ${IS_INVITERS}`,
          [account, hash, new Date(now()), MANAGING_ROLES],
        ),
      ])
      const row = found.rows[0]
      return row && { account, id: row.id, email: row.email, role: row.role, invitedBy: row.invited_by }
    },

    accepting: ({ account, id, role }, userId) => [
      sql(
        'invitation_use',
        `WITH used AS (
           DELETE FROM invitation WHERE account_id = $1 AND id = $2 AND expires_at > $3 AND ${IS_INVITERS} RETURNING 1)
         SELECT 1 / count(*) FROM used`,
        [account, id, new Date(now()), MANAGING_ROLES],
      ),
      adding(account, userId, role),
    ],
  }
}

/** True when `accepting` refused the commit: the invitation was used, replaced, withdrawn or expired. */
export function isUsedUp(error: unknown): boolean {
  return sqlStateOf(error) === DIVISION_BY_ZERO
}

/** Withdraws the invitations of a person who may no longer invite. */
export function withdrawAllBy(account: AccountId, userId: UserId): Statement {
  return sql('invitation_withdraw_by', 'DELETE FROM invitation WHERE account_id = $1 AND invited_by = $2', [
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
    `INSERT INTO invitation (account_id, ${INVITATION_COLUMNS}, hash, by_operator)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [account, ...values],
  )
}

// A token is the account id, which scopes the lookup, and 32 random bytes that prove it. Only the SHA-256 of these is
// stored.
const ACCOUNT_BYTES = 16
const RANDOM_BYTES = 32

export interface InvitationClaim {
  readonly account: AccountId
  readonly hash: Buffer
}

export function makeToken(account: AccountId): { readonly token: string; readonly hash: Buffer } {
  const random = randomBytes(RANDOM_BYTES)
  const bytes = Buffer.concat([Buffer.from(account.replaceAll('-', ''), 'hex'), random])
  return { token: bytes.toString('base64url'), hash: hashOf(random) }
}

/** The account and hash that a token claims; undefined when the text is not such a token. */
export function findClaim(token: string): InvitationClaim | undefined {
  const bytes = findBytes(token)
  if (bytes?.length !== ACCOUNT_BYTES + RANDOM_BYTES) return undefined
  const account = uuidOf(bytes.subarray(0, ACCOUNT_BYTES))
  return { account: account as AccountId, hash: hashOf(bytes.subarray(ACCOUNT_BYTES)) }
}

function hashOf(random: Buffer): Buffer {
  return digest('sha256', random, 'buffer')
}
