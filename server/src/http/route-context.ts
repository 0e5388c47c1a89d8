/**
 * What every route needs from the server: cursors, languages, and the signal of a disconnected caller.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { ApiError } from '../model/errors.ts'
import { createCursors } from './cursor.ts'
import type { Cursors } from './cursor.ts'
import { chooseLanguage, readMessages } from './wire/language.ts'
import type { AllMessages, Language, Messages } from './wire/language.ts'
import { createProblems } from './problem.ts'
import type { ErrorAnswer, ErrorRecipient } from './problem.ts'
import { marksOf } from './sandbox.ts'
import { openAppFiles, type AppFiles } from './app-files.ts'

export interface RouteContext {
  readonly version: string
  readonly publicUrl: string
  readonly cursors: Cursors
  readonly messages: AllMessages
  messagesFor(language: Language): Messages
  languageOf(request: FastifyRequest): Language
  answerOf(error: ApiError, listener: ErrorRecipient): ErrorAnswer
  /** Aborts when the caller disconnects before the response is written. */
  disconnectSignalOf(reply: FastifyReply): AbortSignal
  /** The web app, if it is built. */
  readonly app: AppFiles
}

export function openRouteContext(ctx: Context, version: string): RouteContext {
  const messages = readMessages()
  const { publicUrl } = ctx.config
  // A stream and its work ask both: one listener is enough.
  const disconnects = new WeakMap<FastifyReply, AbortSignal>()
  return {
    version,
    publicUrl,
    app: openAppFiles(ctx.config.web.folder),
    cursors: createCursors(ctx.config.secrets.map((secret) => secret.reveal())),
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
    answerOf: createProblems({ messages, publicUrl, marks: marksOf(ctx.config) }),
    disconnectSignalOf(reply) {
      const known = disconnects.get(reply)
      if (known) return known
      const controller = new AbortController()
      disconnects.set(reply, controller.signal)
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) controller.abort()
      })
      // If the connection closed before the listener was added, the event does not fire.
      if (reply.raw.destroyed) controller.abort()
      return controller.signal
    },
  }
}
