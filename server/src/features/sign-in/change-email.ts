/**
 * POST /settings/me/email: the person asks for another email address. The response is the same whether the address
 * belongs to somebody or not; only the mailbox tells.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { requestAddressChange } from './change-address.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { successOf } from '../../http/wire/texts.ts'
import { requireWithin } from '../../http/within-limits.ts'
import { EmailBody } from '../accounts/schemas.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { personOf } from '../../http/settings/session-auth.ts'

// As for every other email that a request sends. Per person, per new address, and per IP address.
const SENT = { name: 'change-email', perHour: 6, burst: 3 }
const SENT_FROM = { name: 'change-email', perHour: 30, burst: 10 }

export function changeEmailRoute(app: FastifyInstance, ctx: Context): void {
  app.post<{ Body: EmailBody }>(
    '/settings/me/email',
    { schema: { body: EmailBody }, config: { stepUp: true } },
    async (request, reply) => {
      const person = personOf(request)
      await applyRateLimit(ctx, request, person)
      const email = request.body.email.toLowerCase()
      await requireWithin(ctx, [
        { ...SENT, subject: person.userId },
        { ...SENT, subject: email },
        { ...SENT_FROM, subject: addressSubject(request.ip) },
      ])
      await requestAddressChange(ctx, person, email)
      return reply.send(successOf('{}'))
    },
  )
}
