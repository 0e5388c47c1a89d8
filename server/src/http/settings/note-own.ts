/** Writes what people do to their own data to the audit log of their personal account. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { AccountId } from '../../model/caller.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { Person } from '../../features/sign-in/people.ts'
import { credentialOf } from './noting.ts'

export async function noteOwn(
  ctx: Context,
  { ip }: FastifyRequest,
  person: Person,
  action: SecurityAction,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { userId } = person
  const credential = credentialOf(person)
  await ctx.auditLog.note(userId as string as AccountId, { action, actor: userId, credential, ip, detail })
}
