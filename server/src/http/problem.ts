/**
 * The one place where an error becomes a response, in the caller's language and in the shape the caller prefers.
 *
 * The code, the status and the pointers are the same for everyone. Only `message` and `hint` are translated.
 */
import { ApiError, ERRORS } from '../errors.ts'
import { byQuality, fillIn } from '../wire/language.ts'
import type { AllMessages, Language } from '../wire/language.ts'

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ErrorRecipient {
  readonly language: Language
  readonly requestId: string
  readonly accept: string | undefined
}

// The default when no better estimate is known.
const RETRY_SECONDS = 2

interface ProblemOptions {
  readonly messages: AllMessages
  readonly publicUrl: string
  /** Headers of every response, also where no hook runs. */
  readonly marks: Readonly<Record<string, string>>
}

export function createProblems({ messages, publicUrl, marks }: ProblemOptions) {
  return function answerOf(error: ApiError, { language, requestId, accept }: ErrorRecipient): ErrorAnswer {
    const { code, detail } = error
    const { status, retry } = ERRORS[code]
    const texts = messages.get(language) ?? messages.get('en')
    if (!texts) throw new Error('no message file is loaded')
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
      ...marks,
      'content-language': language,
      vary: 'Accept-Language, Accept',
      'x-request-id': requestId,
      // Also for responses that no hook has seen yet: unknown addresses and malformed HTTP.
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

/**
 * A caller gets RFC 9457 if it accepts that media type with at least the quality of JSON. The RFC itself sets no rule.
 */
function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.includes('application/problem+json')) return false
  const wishes = byQuality(accept)
  const quality = (type: string) => wishes.find(({ value }) => value.toLowerCase() === type)?.q ?? 0
  return quality('application/problem+json') > 0 && quality('application/problem+json') >= quality('application/json')
}
