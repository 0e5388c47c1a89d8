/** Writes what people do to their own data to the audit log of their personal account. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { AccountId } from '../../model/caller.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { Person } from '../../model/person.ts'
import type { UsedCredential } from '../../platform/audit-log/audit-log.ts'

export function credentialOf({ sessionId }: Person): UsedCredential {
  return { kind: 'session', id: sessionId }
}

export async function noteOwn(
  ctx: Context,
  { ip }: Pick<FastifyRequest, 'ip'>,
  person: Person,
  action: SecurityAction,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { userId } = person
  const credential = credentialOf(person)
  await ctx.auditLog.note(userId as string as AccountId, { action, actor: userId, credential, ip, detail })
}
