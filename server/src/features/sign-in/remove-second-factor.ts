/**
 * The operator removes the second factor of a person who lost it and the recovery codes. The person's audit log records
 * it and an email informs them, because the request to the operator may have come from somebody else.
 */
import type { Mail } from '../../platform/mail/mail.ts'
import type { AccountId } from '../../model/caller.ts'
import type { PeopleForOperator } from './for-operator.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'

export interface RemoveSecondFactorContext {
  readonly people: Pick<PeopleForOperator, 'removeSecondFactor'>
  readonly auditLog: Pick<AuditLog, 'note'>
  readonly mail: Pick<Mail, 'send'>
  readonly publicUrl: string
}

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
