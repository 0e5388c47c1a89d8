/** POST /v1/domains/check */
import type { FastifyInstance } from 'fastify'
import { checkDomains } from '../../check-domains.ts'
import type { Context } from '../../context.ts'
import { CheckAnswer, CheckBody } from '../check-schemas.ts'
import { sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'
import { answerOnce } from '../once.ts'
import { checkedText, successOf } from '../wire.ts'

const DEFAULT_DEADLINE_MS = 2_500

export function domainRoutes(app: FastifyInstance, ctx: Context, doors: Doors): void {
  app.post<{ Body: CheckBody }>(
    '/v1/domains/check',
    {
      config: { scope: 'domains:check' },
      schema: { summary: 'Check domains', body: CheckBody, response: { 200: CheckAnswer } },
    },
    (request, reply) => {
      const { domains, verify = 'fast', for_sale: forSale = false } = request.body
      const { deadline_ms: deadlineMs = DEFAULT_DEADLINE_MS } = request.body
      return answerOnce(ctx, request, reply, { lastsMs: deadlineMs }, async (storing) => {
        const options = { deadlineMs, fresh: verify === 'full', forSale }
        const checked = await checkDomains(ctx, domains, options, doors.hangUpOf(reply))
        const answer = { status: 200, headers: {}, body: successOf(`{"domains":${checkedText(checked)}}`) }
        const statements = storing(answer)
        if (statements.length > 0) await ctx.db.as(sessionOf(request).caller.accountId, statements)
        return answer
      })
    },
  )
}
