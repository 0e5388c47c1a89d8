/**
 * Changing or ending a membership, so that an account with members always has an owner.
 *
 * Two owners who remove each other at the same time must not both succeed. Counting owners and then writing would let
 * them: each would count two. So the account's memberships are locked first, always in the same order; whoever comes
 * second waits, and then counts what the first has left.
 *
 * Under the same lock it is asked again what the person who acts may do. They were a member when the request began,
 * but may have been removed while they waited.
 */
import { accountOf, sql } from '../db/db.ts'
import type { Acting, Db, Statement } from '../db/db.ts'
import { ApiError } from '../errors.ts'
import type { AccountId } from '../model/caller.ts'
import { isAtLeast, isOwnAccount } from '../model/member.ts'
import type { Role, UserId } from '../model/member.ts'

interface Locked {
  readonly user_id: UserId
  readonly role: Role
}

/** Fails with own_account, not_found, insufficient_role or last_owner. `after` is undefined for somebody who goes. */
export async function changeMember(
  db: Db,
  acting: Acting,
  change: { userId: UserId; after: Role | undefined; statements: readonly Statement[] },
): Promise<void> {
  const account = accountOf(acting)
  const { userId, after, statements } = change
  if (isOwnAccount({ accountId: account, userId })) throw new ApiError('own_account')
  await db.transaction(acting, async (tx) => {
    const { rows } = await tx.run(lockMembers(account))
    const before = rows.find((row) => row.user_id === userId)?.role
    if (before === undefined) throw new ApiError('not_found')
    if (typeof acting !== 'string') refuseUnlessAllowed(acting.userId, rows, { userId, before, after })
    const owners = rows.filter(({ role }) => role === 'owner').length
    if (before === 'owner' && after !== 'owner' && owners === 1) throw new ApiError('last_owner')
    for (const statement of statements) await tx.run(statement)
  })
}

/** Anybody may go. An admin decides about all but ownership, an owner about that too. */
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
