/** POST /v1/generate */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { generate } from '../../generate.ts'
import type { Generated } from '../../generate.ts'
import { parseAsk } from '../ask.ts'
import { sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'
import { answerOnce } from '../once.ts'
import { GenerateAnswer, GenerateBody } from '../schemas.ts'
import { successOf, suggestionsText } from '../wire.ts'

export function generateRoute(app: FastifyInstance, ctx: Context, doors: Doors): void {
  app.post<{ Body: GenerateBody }>(
    '/v1/generate',
    {
      config: { scope: 'generate' },
      schema: { summary: 'Generate domain suggestions', body: GenerateBody, response: { 200: GenerateAnswer } },
    },
    (request, reply) => {
      const session = sessionOf(request)
      const language = doors.languageOf(request)
      const ask = parseAsk(request.body, {
        prices: ctx.prices,
        suffixes: ctx.config.suffixes,
        withModel: ctx.languageModel !== undefined,
        language,
      })
      return answerOnce(ctx, request, reply, { lastsMs: ask.deadlineMs }, async (storing) => {
        let body = ''
        const headers = { 'content-language': language, vary: 'Accept-Language' }
        const present = (result: Generated) => {
          const suggestions = suggestionsText(result, ask, doors.messagesFor(language))
          const shortfall = result.shortfall ? `,"shortfall":${JSON.stringify(result.shortfall)}` : ''
          body = successOf(`{"suggestions":${suggestions}${shortfall}}`)
          session.spent = result.suggestions.length
          return { suggestions, alongside: storing({ status: 200, headers, body }) }
        }
        await generate(ctx, session.caller, ask, present, doors.hangUpOf(reply))
        return { status: 200, headers, body }
      })
    },
  )
}
