/** POST /v1/names/check */
import type { FastifyInstance } from 'fastify'
import type { Checked } from './check-domains.ts'
import type { Context } from '../../context.ts'
import { parseNamesCheckRequest } from './names-check-request.ts'
import { successOf } from '../../http/wire/texts.ts'
import { sessionOf } from '../../http/auth.ts'
import { checkNames } from './check-names.ts'
import { MAX_DOMAINS, MAX_STREAMED } from './domain-schemas.ts'
import { NamesAnswer, NamesBody } from './name-schemas.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { answerOnce } from '../../http/once.ts'
import type { IdempotentWork } from '../../http/once.ts'
import { answerStream } from '../../http/stream/answer.ts'
import { createCheckedEncoder } from './checked-encoder.ts'
import { findFormat } from '../../http/stream/format.ts'
import { NamesEvent } from '../../http/stream/schemas.ts'
import { takeChecks } from '../../http/visitors.ts'

const DEFAULT_DEADLINE_MS = 2_500

export function nameRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.post<{ Body: NamesBody }>(
    '/v1/names/check',
    {
      config: { events: NamesEvent, idempotencyKey: 'ignored' },
      schema: { summary: 'Check names', body: NamesBody, response: { 200: NamesAnswer } },
    },
    (request, reply) => {
      const { verify = 'fast', deadline_ms: deadlineMs = DEFAULT_DEADLINE_MS, country } = request.body
      const format = findFormat(request.headers.accept)
      const maxDomains = format ? MAX_STREAMED : MAX_DOMAINS
      const ask = parseNamesCheckRequest(request.body, {
        prices: ctx.prices,
        suffixes: ctx.config.suffixes,
        maxDomains,
      })
      const work: IdempotentWork<[index: number, checked: Checked]> = async (_storing, connection) => {
        const { caller } = sessionOf(request)
        await takeChecks(
          ctx,
          request,
          caller,
          ask.domains.length + ask.names.length * ctx.namespaces.countOf(ask.groups),
        )
        await ctx.quota.takeChecks(caller, ask.domains.length)
        const options = { deadlineMs, fresh: verify === 'full', country, fairnessKey: caller.accountId }
        const signal = routeContext.disconnectSignalOf(reply)
        const names = await checkNames(ctx, ask, options, signal, connection?.onUpdate)
        return { status: 200, headers: {}, body: successOf(JSON.stringify({ names })) }
      }
      if (!format) return answerOnce(ctx, request, reply, { maxDurationMs: deadlineMs }, work)
      const encoder = createCheckedEncoder(ask.include)
      const streamed = { format, maxDurationMs: deadlineMs, headers: {}, encoder } as const
      return answerStream(ctx, routeContext, request, reply, streamed, work)
    },
  )
}
