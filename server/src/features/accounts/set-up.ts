/**
 * Creates the first person of a service from the setup link. They become the operator, and they own the account that
 * the operator already created by command, so that they can see and change its keys.
 *
 * This applies to a single account. With several accounts it is unclear which is the operator's own: they stay without
 * members until `admin invite` gives each an owner.
 */
import type { Accounts } from './accounts.ts'
import type { Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { UserId } from '../../model/member.ts'
import { rowOf, UNLIMITED } from '../../model/plan.ts'
import type { NewPerson, People } from '../sign-in/people.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'

export interface SetUpContext {
  readonly accounts: Pick<Accounts, 'listTotals' | 'makeFirstOperator' | 'setPlan'>
  readonly members: Pick<Members, 'claim'>
  readonly people: Pick<People, 'completeSetup'>
  readonly auditLog: Pick<AuditLog, 'note' | 'noting'>
}

export interface Unowned {
  readonly id: AccountId
  readonly name: string
}

// The one account and the visitors' account; a third means that there are several.
const MAX_READ = 3

/** Accounts that an operator created and that have no members: none, one, or `several`. */
export async function findUnowned(ctx: Pick<SetUpContext, 'accounts'>): Promise<Unowned | 'several' | undefined> {
  const rows = await ctx.accounts.listTotals({ limit: MAX_READ })
  const [first, ...more] = rows.filter(({ is_visitors, people }) => !is_visitors && people === 0)
  return more.length > 0 || rows.length > MAX_READ ? 'several' : first && { id: first.id, name: first.name }
}

/** Fails with invalid_link. */
export async function setUpFirstPerson(
  ctx: SetUpContext,
  token: string,
  person: NewPerson,
  ip: string | null,
): Promise<UserId> {
  const userId = await ctx.people.completeSetup(token, person)
  const own = userId as string as AccountId
  const note = { action: 'setup_completed', actor: userId, ip, detail: {} } as const
  await ctx.accounts.makeFirstOperator(own)
  // The operator has no limits.
  await ctx.accounts.setPlan(own, rowOf(UNLIMITED))
  await ctx.auditLog.note(own, note)
  const unowned = await findUnowned(ctx)
  if (unowned !== undefined && unowned !== 'several') {
    await ctx.members.claim(unowned.id, userId, [
      ctx.auditLog.noting(unowned.id, {
        ...note,
        action: 'member_joined',
        detail: { user_id: userId, role: 'owner' },
      }),
    ])
  }
  return userId
}
