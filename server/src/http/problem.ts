/**
 * The one place where an error becomes a response, in the caller's language and in the shape the caller prefers.
 *
 * The code, the status and the pointers are the same for everyone. Only `message` and `hint` are translated.
 */
import { ApiError, ERRORS, NotWritten } from '../model/errors.ts'
import type { FieldError } from '../model/errors.ts'
import { byQuality, fillIn } from './wire/language.ts'
import type { AllMessages, Language, Messages } from './wire/language.ts'

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
// `errors` has all of them.
const MOST_NAMED = 3
// The caller's own text comes back in the message.
const MAX_NAME = 60

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
    const title = fillIn(texts.errors[code].message, params)
    const docs = `${publicUrl}/docs/errors#${code}`
    const errors = detail.fields?.map((field) => ({
      pointer: field.pointer,
      code: field.code,
      message: fieldMessage(field, texts),
    }))
    // What is wrong with each field also says what to do.
    const message = detail.fields?.length ? fieldsMessage(detail.fields, texts) : title
    const mayBeDone = code === 'unavailable' && !(error instanceof NotWritten)
    const text = mayBeDone ? texts.may_be_done : texts.errors[code].hint
    const hint = detail.fields?.length ? undefined : fillIn(text, params)
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
      const problem = { type: docs, title, status, detail: hint ?? message, code, request_id: requestId, ...more }
      return {
        status,
        headers: { ...headers, 'content-type': 'application/problem+json' },
        body: JSON.stringify(problem),
      }
    }
    const body = {
      status: 'error',
      error: { code, message, request_id: requestId, ...more, ...(hint === undefined ? {} : { hint }), docs },
    }
    return {
      status,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    }
  }
}

function fieldMessage(field: FieldError, texts: Messages): string {
  const { code, near, params } = field
  if (code !== 'unknown_field') return fillIn(texts.fields[code], params)
  const text = near === undefined ? texts.fields.unknown_field : texts.did_you_mean
  return fillIn(text, { field: nameOf(field), ...(near === undefined ? {} : { near }) })
}

/** One sentence for each of the first fields. A field that is only missing because of its spelling is not named twice. */
function fieldsMessage(fields: readonly FieldError[], texts: Messages): string {
  const meant = new Set(fields.flatMap(({ near = [] }) => near))
  return fields
    .filter((field) => field.code !== 'required' || !meant.has(nameOf(field)))
    .slice(0, MOST_NAMED)
    .map((field) => {
      const name = nameOf(field)
      const text = fieldMessage(field, texts)
      return field.code === 'unknown_field' || name === '' ? text : `\`${name}\`: ${text}`
    })
    .join(' ')
}

/** `/requests/0/count` is `requests[0].count`, `?limit` is `limit`; empty for the body itself. */
function nameOf({ pointer }: FieldError): string {
  const [first = '', ...rest] = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = rest.reduce((path, step) => path + (/^\d+$/.test(step) ? `[${step}]` : `.${step}`), first)
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name
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
