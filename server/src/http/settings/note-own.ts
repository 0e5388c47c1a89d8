/** What somebody did about themselves is told in the log of their own account. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { AccountId } from '../../model/caller.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { Person } from '../../people/people.ts'

export async function noteOwn(
  ctx: Context,
  { ip }: FastifyRequest,
  { userId }: Person,
  action: SecurityAction,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  await ctx.securityLog.note(userId as string as AccountId, { action, actor: userId, ip, detail })
}
