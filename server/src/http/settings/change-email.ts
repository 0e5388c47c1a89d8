/**
 * POST /settings/me/email: the person asks for another email address. The response is the same whether the address
 * belongs to somebody or not; only the mailbox tells.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { requestAddressChange } from '../../flows/change-address.ts'
import { addressSubject } from '../../tenancy/limits/limits.ts'
import { successOf } from '../../wire/texts.ts'
import { requireWithin } from '../within-limits.ts'
import { EmailBody } from './person-schemas.ts'
import { applyRateLimit } from './rate-limit.ts'
import { personOf } from './session-auth.ts'

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
