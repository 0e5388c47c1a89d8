/** POST /v1/generate */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { generate } from '../../generate.ts'
import type { Generated } from '../../generate.ts'
import { parseAsk } from '../../wire/ask.ts'
import { sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'
import { answerOnce } from '../once.ts'
import type { Work } from '../once.ts'
import { answerStream } from '../stream/answer.ts'
import { findFormat } from '../stream/format.ts'
import { GenerateEvent } from '../stream/schemas.ts'
import { createSuggestionTeller } from '../stream/tell-suggestions.ts'
import type { SuggestionNews } from '../stream/tell-suggestions.ts'
import { GenerateAnswer, GenerateBody } from '../../wire/schemas.ts'
import { successOf, suggestionsText } from '../../wire/texts.ts'
import { takeShare } from '../visitors.ts'

/** The record is on this node's disk and will be in the history once the database is back. */
const DEFERRED = { 'namewright-history': 'deferred' }

export function generateRoute(app: FastifyInstance, ctx: Context, doors: Doors): void {
  app.post<{ Body: GenerateBody }>(
    '/v1/generate',
    {
      config: { scope: 'generate', priority: 'critical', lane: 'naming', events: GenerateEvent },
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
        currency: session.caller.currency,
      })
      const messages = doors.messagesFor(language)
      const headers = { 'content-language': language, vary: 'Accept-Language' }
      const lastsMs = ask.deadlineMs
      const format = findFormat(request.headers.accept)
      // A stream has sent its headers by the time it would be put off, and could not say so any more.
      const wasAway = ctx.db.isAway()
      const flow = format && !wasAway ? { ...ctx, journal: undefined } : ctx
      const work: Work<SuggestionNews> = async (storing, hear) => {
        let body = ''
        const present = (result: Generated) => {
          const suggestions = suggestionsText(result, ask, messages)
          const shortfall = result.shortfall ? `,"shortfall":${JSON.stringify(result.shortfall)}` : ''
          body = successOf(`{"suggestions":${suggestions}${shortfall}}`)
          session.spent = result.suggestions.length
          return { suggestions, alongside: storing({ status: 200, headers, body }) }
        }
        await takeShare(ctx, request, session.caller, ask.count)
        const where = await generate(flow, session.caller, ask, present, doors.hangUpOf(reply), hear)
        if (where === 'recorded') return { status: 200, headers, body }
        return { status: 200, headers: { ...headers, ...DEFERRED }, body, isPutOff: true }
      }
      if (!format) return answerOnce(ctx, request, reply, { lastsMs }, work)
      const teller = createSuggestionTeller(ask, messages)
      const opening = wasAway ? { ...headers, ...DEFERRED } : headers
      return answerStream(ctx, doors, request, reply, { format, lastsMs, headers: opening, teller }, work)
    },
  )
}
