/** What every route needs of the outside: cursors, languages, and word that the caller has hung up. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { ApiError } from '../errors.ts'
import { createCursors } from './cursor.ts'
import type { Cursors } from './cursor.ts'
import { chooseLanguage, readMessages } from '../wire/language.ts'
import type { AllMessages, Language, Messages } from '../wire/language.ts'
import { createProblems } from './problem.ts'
import type { ErrorAnswer, Listener } from './problem.ts'
import { openAppFiles } from './web/app-files.ts'
import type { AppFiles } from './web/app-files.ts'

export interface Doors {
  readonly version: string
  readonly publicUrl: string
  readonly cursors: Cursors
  readonly messages: AllMessages
  messagesFor(language: Language): Messages
  languageOf(request: FastifyRequest): Language
  answerOf(error: ApiError, listener: Listener): ErrorAnswer
  /** Fires when the caller goes away before the answer is written. */
  hangUpOf(reply: FastifyReply): AbortSignal
  /** Fires when this node closes its door: a stream without an end of its own ends then, and goes on elsewhere. */
  readonly closing: AbortSignal
  /** The web app, where it is built. */
  readonly app: AppFiles
}

export async function openDoors(ctx: Context, version: string, closing: AbortSignal): Promise<Doors> {
  const messages = await readMessages()
  const { publicUrl } = ctx.config
  return {
    version,
    publicUrl,
    closing,
    app: openAppFiles(ctx.config.web.folder),
    cursors: createCursors(ctx.config.secret.reveal()),
    messages,
    messagesFor(language) {
      const found = messages.get(language)
      if (!found) throw new Error(`no messages in ${language}`)
      return found
    },
    languageOf(request) {
      const body = (request.body as { language?: unknown } | null | undefined)?.language
      const account = request.session?.caller.language
      return chooseLanguage({ body, accept: request.headers['accept-language'], account })
    },
    answerOf: createProblems({ messages, publicUrl }),
    hangUpOf(reply) {
      const controller = new AbortController()
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) controller.abort()
      })
      // Gone before anyone listened: the event will not come again.
      if (reply.raw.destroyed) controller.abort()
      return controller.signal
    },
  }
}
