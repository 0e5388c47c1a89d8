/**
 * The one place where an error becomes an answer, in the caller's language and in the shape the caller prefers.
 *
 * The code, the status and the pointers are facts and the same for everyone; only `message` and `hint` are words.
 */
import { ApiError, ERRORS } from '../errors.ts'
import { byQuality, fillIn } from '../wire/language.ts'
import type { AllMessages, Language } from '../wire/language.ts'

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Listener {
  readonly language: Language
  readonly requestId: string
  readonly accept: string | undefined
}

// What to say when nothing better is known: come back in a moment.
const RETRY_SECONDS = 2

export function createProblems({ messages, publicUrl }: { messages: AllMessages; publicUrl: string }) {
  return function answerOf(error: ApiError, { language, requestId, accept }: Listener): ErrorAnswer {
    const { code, detail } = error
    const { status, retry } = ERRORS[code]
    const texts = messages.get(language) ?? messages.get('en')
    if (!texts) throw new Error('there are no messages at all')
    const retryAfter = detail.retryAfter ?? (retry === 'later' ? RETRY_SECONDS : undefined)
    const params = { ...(retryAfter === undefined ? {} : { seconds: retryAfter }), ...detail.params }
    const message = fillIn(texts.errors[code].message, params)
    const hint = fillIn(texts.errors[code].hint, params)
    const docs = `${publicUrl}/docs/errors#${code}`
    const errors = detail.fields?.map((field) => ({
      pointer: field.pointer,
      code: field.code,
      message: fillIn(texts.fields[field.code], field.params),
    }))
    const headers: Record<string, string> = {
      'content-language': language,
      vary: 'Accept-Language, Accept',
      'x-request-id': requestId,
      // Also where no hook has run yet: at an address that is none, and for what is no HTTP.
      'x-content-type-options': 'nosniff',
    }
    if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
    const more = errors ? { errors } : {}
    if (prefersProblem(accept)) {
      const problem = { type: docs, title: message, status, detail: hint, code, request_id: requestId, ...more }
      return {
        status,
        headers: { ...headers, 'content-type': 'application/problem+json' },
        body: JSON.stringify(problem),
      }
    }
    const body = { status: 'error', error: { code, message, request_id: requestId, ...more, hint, docs } }
    return {
      status,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    }
  }
}

/** RFC 9457 asks for nothing; a caller who lists its media type at least as high as JSON gets it. */
function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.includes('application/problem+json')) return false
  const wishes = byQuality(accept)
  const quality = (type: string) => wishes.find(({ value }) => value.toLowerCase() === type)?.q ?? 0
  return quality('application/problem+json') > 0 && quality('application/problem+json') >= quality('application/json')
}
