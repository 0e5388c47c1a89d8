/** Every change of the settings is told in the security log, with who made it and from where. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Statement } from '../../db/db.ts'
import type { Member } from '../../model/member.ts'
import type { SecurityAction } from '../../model/security-action.ts'

/** To be committed with the change. `detail` never holds a secret. */
export function noting(
  ctx: Context,
  request: FastifyRequest,
  { accountId, userId }: Member,
  action: SecurityAction,
  detail: Readonly<Record<string, string>>,
): Statement {
  return ctx.securityLog.noting(accountId, { action, actor: userId, ip: request.ip, detail })
}
