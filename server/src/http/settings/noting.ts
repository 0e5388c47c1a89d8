/** Audit log entries for every change in the settings: the person, the session and the IP address. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Statement } from '../../platform/db/db.ts'
import type { Member } from '../../model/member.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { Person } from '../../model/person.ts'
import type { UsedCredential } from '../../platform/audit-log/audit-log.ts'
import { personOf } from './session-auth.ts'

export function credentialOf({ sessionId }: Person): UsedCredential {
  return { kind: 'session', id: sessionId }
}

/** Must be committed with the change. `detail` must never hold a secret. */
export function noting(
  ctx: Context,
  request: FastifyRequest,
  { accountId, userId }: Member,
  action: SecurityAction,
  detail: Readonly<Record<string, string>>,
): Statement {
  const credential = credentialOf(personOf(request))
  return ctx.auditLog.noting(accountId, { action, actor: userId, credential, ip: request.ip, detail })
}
