/** POST /v1/generate */
import type { FastifyInstance } from 'fastify'
import { MAX_HANDLE_NAMES } from '../../engines/namespaces/handle-checks.ts'
import type { Context } from '../../context.ts'
import { checksOf, generate } from './generate.ts'
import { NAMESPACE_GROUPS } from '../../model/namespace-verdict.ts'
import { parseGenerateRequest } from './generate-request.ts'
import { sessionOf } from '../../http/auth.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { answerOnce } from '../../http/once.ts'
import type { IdempotentWork } from '../../http/once.ts'
import { answerStream } from '../../http/stream/answer.ts'
import { findFormat } from '../../http/stream/format.ts'
import { GenerateEvent } from './schemas.ts'
import { createSuggestionEncoder } from './suggestion-encoder.ts'
import type { SuggestionUpdates } from './suggestion-encoder.ts'
import { GenerateAnswer, GenerateBody } from '../../http/wire/schemas.ts'
import { generatedText, successOf, suggestionsText } from '../../http/wire/texts.ts'
import { namingSubjectOf, takeVisitorChecks, takeShare } from '../../http/visitors.ts'

export function generateRoute(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.post<{ Body: GenerateBody }>(
    '/v1/generate',
    {
      config: { priority: 'critical', pool: 'naming', events: GenerateEvent },
      schema: { summary: 'Generate domain suggestions', body: GenerateBody, response: { 200: GenerateAnswer } },
    },
    (request, reply) => {
      const session = sessionOf(request)
      const language = routeContext.languageOf(request)
      const generateRequest = parseGenerateRequest(request.body, {
        prices: ctx.prices,
        suffixes: ctx.config.suffixes,
        withModel: ctx.languageModel !== undefined,
        language,
        currency: session.caller.currency,
      })
      const messages = routeContext.messagesFor(language)
      const headers = { 'content-language': language, vary: 'Accept-Language' }
      const maxDurationMs = generateRequest.deadlineMs
      const format = findFormat(request.headers.accept)
      const work: IdempotentWork<SuggestionUpdates> = async (storing, reader, chargeId) => {
        await takeShare(ctx, { ip: request.ip, caller: session.caller }, generateRequest.count)
        if (generateRequest.include.includes('handles'))
          await takeVisitorChecks(ctx, { ip: request.ip, caller: session.caller }, lookupsFor(generateRequest.count))
        if (generateRequest.candidates)
          await takeVisitorChecks(ctx, { ip: request.ip, caller: session.caller }, checksOf(ctx, generateRequest))
        const signal = routeContext.disconnectSignalOf(reply)
        const namingSubject = namingSubjectOf({ ip: request.ip, caller: session.caller })
        const options = { signal, reader, chargeId, namingSubject }
        await using generation = await generate(ctx, session.caller, generateRequest, options)
        const suggestions = suggestionsText(generation.result, generateRequest, messages)
        const body = successOf(generatedText(generation.result, suggestions, generateRequest, messages))
        session.spent = await generation.commit(suggestions, storing({ status: 200, headers, body }))
        return { status: 200, headers, body }
      }
      if (!format) return answerOnce(ctx, request, reply, { maxDurationMs }, work)
      const encoder = createSuggestionEncoder(generateRequest, messages)
      return answerStream(ctx, routeContext, request, reply, { format, maxDurationMs, headers, encoder }, work)
    },
  )

  /** How many lookups in namespaces the handles of so many names can cause. */
  function lookupsFor(names: number): number {
    return Math.min(names, MAX_HANDLE_NAMES) * ctx.namespaces.countOf(NAMESPACE_GROUPS)
  }
}
