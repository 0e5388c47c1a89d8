/** POST /v1/domains/check */
import type { FastifyInstance } from 'fastify'
import { checkDomains } from './check-domains.ts'
import type { Checked } from './check-domains.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { CheckAnswer, CheckBody, MAX_DOMAINS } from './domain-schemas.ts'
import { sessionOf } from '../../http/auth.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { answerOnce } from '../../http/once.ts'
import type { IdempotentWork } from '../../http/once.ts'
import { answerStream } from '../../http/stream/answer.ts'
import { findFormat } from '../../http/stream/format.ts'
import { CheckEvent } from '../../http/stream/schemas.ts'
import { createCheckedEncoder } from './checked-encoder.ts'
import { checkedText, successOf } from '../../http/wire/texts.ts'
import { takeChecks } from '../../http/visitors.ts'

const DEFAULT_DEADLINE_MS = 2_500
// A thousand domains of 253 characters, and the other fields.
const BODY_LIMIT = 320 * 1024

export function domainRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.post<{ Body: CheckBody }>(
    '/v1/domains/check',
    {
      bodyLimit: BODY_LIMIT,
      config: { events: CheckEvent, idempotencyKey: 'ignored' },
      schema: { summary: 'Check domains', body: CheckBody, response: { 200: CheckAnswer } },
    },
    (request, reply) => {
      const { domains, verify = 'fast', for_sale: forSale = false, country, include = [] } = request.body
      const { deadline_ms: deadlineMs = DEFAULT_DEADLINE_MS } = request.body
      const format = findFormat(request.headers.accept)
      if (!format && domains.length > MAX_DOMAINS) throw tooMany()
      const work: IdempotentWork<[index: number, checked: Checked]> = async (_storing, reader) => {
        const { caller } = sessionOf(request)
        await takeChecks(ctx, request, caller, domains.length)
        await ctx.quota.takeChecks(caller, domains.length)
        const fairnessKey = caller.accountId
        const options = { deadlineMs, fresh: verify === 'full', forSale, country, fairnessKey }
        const checked = await checkDomains(
          ctx,
          domains,
          options,
          routeContext.disconnectSignalOf(reply),
          reader?.onUpdate,
        )
        return { status: 200, headers: {}, body: successOf(`{"domains":${checkedText(checked, include)}}`) }
      }
      if (!format) return answerOnce(ctx, request, reply, { maxDurationMs: deadlineMs }, work)
      const encoder = createCheckedEncoder(include)
      const streamed = { format, maxDurationMs: deadlineMs, headers: {}, encoder } as const
      return answerStream(ctx, routeContext, request, reply, streamed, work)
    },
  )
}

function tooMany(): ApiError {
  const params = { limit: MAX_DOMAINS }
  return new ApiError('invalid_request', { fields: [{ pointer: '/domains', code: 'too_many', params }] })
}
