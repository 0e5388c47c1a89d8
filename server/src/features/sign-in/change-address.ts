/**
 * A person changes their email address: a link goes to the new address, and when they have opened it, a notice to the
 * previous one. Its owner may not be the one who made the change.
 */
import type { Mail } from '../../platform/mail/mail.ts'
import type { People } from './people.ts'
import type { Person } from '../../model/person.ts'
import type { AccountId } from '../../model/caller.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'

export interface ChangeAddressContext {
  readonly people: Pick<People, 'requestAddressChange' | 'changeAddress'>
  readonly auditLog: Pick<AuditLog, 'note'>
  readonly mail: Pick<Mail, 'send'>
  readonly publicUrl: string
}

/** Sends nothing to an address that belongs to somebody. The caller cannot tell. */
export async function requestAddressChange(ctx: ChangeAddressContext, person: Person, email: string): Promise<void> {
  const { userId, name, language } = person
  const token = await ctx.people.requestAddressChange(userId, email)
  if (token === undefined) return
  const url = `${ctx.publicUrl}/change-email?token=${token}`
  ctx.mail.send({ kind: 'change', to: email, language, url, params: { name } })
}

export async function changeAddress(ctx: ChangeAddressContext, person: Person, token: string, ip: string) {
  const result = await ctx.people.changeAddress(token, person)
  if (result.kind !== 'changed') return result
  const { userId, sessionId, name, language } = person
  ctx.mail.send({ kind: 'moved', to: result.before, language, url: ctx.publicUrl, params: { name } })
  await ctx.auditLog.note(userId as string as AccountId, {
    action: 'email_changed',
    actor: userId,
    credential: { kind: 'session', id: sessionId },
    ip,
    detail: {},
  })
  return result
}
