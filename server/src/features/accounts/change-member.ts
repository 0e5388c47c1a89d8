/**
 * Changes or ends a membership. An account with members always keeps an owner.
 *
 * Two owners who remove each other at the same time must not both succeed. If each counted the owners before writing,
 * both would count two. So this locks the account's memberships first, always in the same order. The second transaction
 * waits and then counts what the first one left.
 *
 * The acting person's role is checked again under the same lock: they may have been removed since the request began.
 */
import { accountOf, sql } from '../../platform/db/db.ts'
import type { Acting, Db, Statement, Transaction } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { isAtLeast, isOwnAccount } from '../../model/member.ts'
import type { Role, UserId } from '../../model/member.ts'

/** Statements or work committed together with a change. */
export type MembershipEffects = readonly Statement[] | ((tx: Transaction) => Promise<void>)

interface Locked {
  readonly user_id: UserId
  readonly role: Role
}

/** Fails with own_account, not_found, insufficient_role or last_owner. `after` is undefined when the member leaves. */
export async function changeMember(
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
