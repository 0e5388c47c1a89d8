/** What the operator's commands do for one person, who is found by email address. */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import type { UserId } from '../../model/member.ts'
import { removeSecondFactor as removing } from './account-recovery.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { AccountId } from '../../model/caller.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'

export interface KnownPerson {
  readonly userId: UserId
  readonly name: string
  readonly language: string | null
}

export interface PeopleForOperator {
  findByEmail(email: string): Promise<KnownPerson | undefined>
  /** Undefined when nobody signs in with this address; `isChanged` is false when they have no second factor. */
  removeSecondFactor(email: string): Promise<(KnownPerson & { readonly isChanged: boolean }) | undefined>
}

const FIND = 'SELECT id AS "userId", name, language, two_factor_enabled FROM "user" WHERE email = $1'

export function openPeopleForOperator({ run, transaction }: PeoplePool): PeopleForOperator {
  return {
    async findByEmail(email) {
      const [found] = await run<KnownPerson>(FIND, [email.toLowerCase()])
      return found
    },

    removeSecondFactor: (email) =>
      transaction(async (within) => {
        const [found] = await within<KnownPerson & { two_factor_enabled: boolean | null }>(`${FIND} FOR UPDATE`, [
          email.toLowerCase(),
        ])
        if (!found) return undefined
        const { two_factor_enabled: isOn, ...person } = found
        if (isOn) await removing(within, person.userId)
        return { ...person, isChanged: isOn === true }
      }),
  }
}

export interface RemoveSecondFactorContext {
  readonly people: Pick<PeopleForOperator, 'removeSecondFactor'>
  readonly auditLog: Pick<AuditLog, 'note'>
  readonly mail: Pick<Mail, 'send'>
  readonly publicUrl: string
}

/**
 * For a person who lost it and the recovery codes. Their audit log records it and an email informs them, because the
 * request to the operator may have come from somebody else.
 */
export async function removeSecondFactor(
  ctx: RemoveSecondFactorContext,
  email: string,
): Promise<'removed' | 'none' | 'nobody'> {
  const person = await ctx.people.removeSecondFactor(email)
  if (!person) return 'nobody'
  if (!person.isChanged) return 'none'
  const { userId, name, language } = person
  await ctx.auditLog.note(userId as string as AccountId, {
    action: 'two_factor_off',
    actor: null,
    ip: null,
    detail: { by: 'operator' },
  })
  const url = `${ctx.publicUrl}/reset-password`
  ctx.mail.send({ kind: 'changed', to: email.toLowerCase(), language, url, params: { name, what: 'two_factor_off' } })
  return 'removed'
}
