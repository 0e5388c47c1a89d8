/**
 * What can go wrong, in three classes.
 *
 * `NamewrightError`: the service answered, and refused. `NetworkError`: there was no answer to understand.
 * `TimeBudgetError`: there was none in time. Whatever else is thrown is the caller's own doing: a TypeError for an
 * argument that cannot be sent, and the reason of a signal that was aborted.
 */
import { SERVICE_ERRORS } from './api-types.ts'
import type { ErrorAnswer, FieldError } from './api-types.ts'

/** A code from the service's own table. Its meaning is in the manual, under “Errors”. */
export type ServiceErrorCode = keyof typeof SERVICE_ERRORS

/**
 * Why a request was refused: a closed list.
 *
 * Two codes are not the service's. `token_refused`: no access token was given for the client credentials. `unexpected`:
 * the answer was not of this service (a proxy's page, for example), or has a code that this version does not know;
 * go by `status` then.
 *
 * @example
 * ```ts
 * import type { ErrorCode } from 'namewright'
 *
 * const worthTellingTheUser: readonly ErrorCode[] = ['quota_exceeded', 'no_names']
 * ```
 */
export type ErrorCode = ServiceErrorCode | 'token_refused' | 'unexpected'

/** What is known of a refusal besides its code and status. */
export interface Refusal {
  /** By which the operator finds the request in the log. */
  readonly requestId?: string | undefined
  /** Which fields are wrong, by JSON pointer. */
  readonly errors?: readonly FieldError[] | undefined
  /** What to do about it, in the caller's language. */
  readonly hint?: string | undefined
  /** Where the manual explains the code. */
  readonly docs?: string | undefined
  /** How long the service asks to wait before another try. */
  readonly retryAfterMs?: number | undefined
}

/**
 * The service refused.
 *
 * @example
 * ```ts
 * import { createNamewright, NamewrightError } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * try {
 *   await namewright.generate({ description: 'a bakery', count: 5 })
 * } catch (error) {
 *   if (!(error instanceof NamewrightError)) throw error
 *   console.error(error.code, error.status, error.requestId, error.hint)
 *   for (const { pointer, message } of error.errors) console.error(pointer, message)
 * }
 * ```
 */
export class NamewrightError extends Error {
  override readonly name = 'NamewrightError'
  readonly code: ErrorCode
  /** The HTTP status, which is the truth. */
  readonly status: number
  readonly requestId: string | undefined
  readonly errors: readonly FieldError[]
  readonly hint: string | undefined
  readonly docs: string | undefined
  readonly retryAfterMs: number | undefined
  /** How often it was tried in all. */
  tries = 1

  constructor(code: ErrorCode, status: number, message: string, refusal: Refusal = {}) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = refusal.requestId
    this.errors = refusal.errors ?? []
    this.hint = refusal.hint
    this.docs = refusal.docs
    this.retryAfterMs = refusal.retryAfterMs
  }
}

/**
 * The service could not be reached, or its answer broke off. `cause` says what happened. Tries went on for as long as
 * the time budget had room for another.
 *
 * @example
 * ```ts
 * import { createNamewright, NetworkError } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:9', apiKey: 'nw_your-key', timeBudgetMs: 50 })
 * const usage = await namewright.usage().catch((error: unknown) => {
 *   if (error instanceof NetworkError) return undefined
 *   throw error
 * })
 * console.log(usage)
 * ```
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  /** How often it was tried in all. */
  tries = 1
}

/**
 * There was no answer before the time budget was over. `cause` is what the try before met, if there was one.
 *
 * @example
 * ```ts
 * import { createNamewright, TimeBudgetError } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * try {
 *   await namewright.generate({ description: 'a bakery', count: 5 }, { timeBudgetMs: 2_000 })
 * } catch (error) {
 *   if (error instanceof TimeBudgetError) console.error(`nothing in ${error.timeBudgetMs} ms, after ${error.tries} tries`)
 *   else throw error
 * }
 * ```
 */
export class TimeBudgetError extends Error {
  override readonly name = 'TimeBudgetError'
  readonly timeBudgetMs: number
  /** How often it was tried in all. */
  readonly tries: number

  constructor(timeBudgetMs: number, tries: number, cause?: unknown) {
    super(`no answer within ${timeBudgetMs} ms`, cause === undefined ? undefined : { cause })
    this.timeBudgetMs = timeBudgetMs
    this.tries = tries
  }
}

/**
 * Is this a refusal with one of these codes? Narrows the code.
 *
 * @example
 * ```ts
 * import { createNamewright, isErrorCode } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * try {
 *   await namewright.generate({ description: 'a bakery', count: 100 })
 * } catch (error) {
 *   if (!isErrorCode(error, 'quota_exceeded', 'rate_limited')) throw error
 *   console.error(`again in ${Math.ceil((error.retryAfterMs ?? 0) / 1000)} s`)
 * }
 * ```
 */
export function isErrorCode<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is NamewrightError & { readonly code: Code } {
  return error instanceof NamewrightError && codes.some((code) => code === error.code)
}

/** From the body of a refusal, whatever it is. */
export function refusalOf(status: number, body: unknown, retryAfterMs: number | undefined): NamewrightError {
  if (!isErrorAnswer(body)) {
    return new NamewrightError('unexpected', status, `the answer, of status ${status}, is not of this service`, {
      retryAfterMs,
    })
  }
  const { code, message, request_id: requestId, errors, hint, docs } = body.error
  const known = Object.hasOwn(SERVICE_ERRORS, code) ? code : 'unexpected'
  return new NamewrightError(known, status, message, { requestId, errors, hint, docs, retryAfterMs })
}

/** From an event of a stream, which has no status of its own. A code that is not known counts as a fault of the service. */
export function refusalInStream(body: unknown): NamewrightError {
  const code = isErrorAnswer(body) ? body.error.code : undefined
  return refusalOf(
    code !== undefined && Object.hasOwn(SERVICE_ERRORS, code) ? SERVICE_ERRORS[code] : 500,
    body,
    undefined,
  )
}

function isErrorAnswer(body: unknown): body is ErrorAnswer {
  const error = (body as Partial<ErrorAnswer> | null | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string'
}
