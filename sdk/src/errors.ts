/**
 * The three error classes of the client.
 *
 * `NamewrightError`: the service responded with an error. `NetworkError`: there was no complete response.
 * `TimeBudgetError`: there was no response in time. Two other errors come from the caller: a TypeError for an argument
 * that cannot be sent, and the reason of an aborted signal.
 */
import { SERVICE_ERRORS } from './api-types.ts'
import type { ErrorAnswer, FieldError } from './api-types.ts'

/** An error code of the service. The manual explains each under “Errors”. */
export type ServiceErrorCode = keyof typeof SERVICE_ERRORS

/**
 * The code of an error: a closed list.
 *
 * Two codes come from this library, not from the service. `token_refused`: the authorization server refused the client
 * credentials. `unexpected`: the response does not come from the service (for example a page of a proxy), or has a code
 * that this version does not know; use `status` then.
 *
 * @example
 * ```ts
 * import type { ErrorCode } from '@namewright/client'
 *
 * const shownToUsers: readonly ErrorCode[] = ['quota_exceeded', 'no_names']
 * ```
 */
export type ErrorCode = ServiceErrorCode | 'token_refused' | 'unexpected'

/** Details of an error response besides its code and status. */
export interface Refusal {
  /** The id of the request in the operator's logs. */
  readonly requestId?: string | undefined
  /** The invalid fields, by JSON pointer. */
  readonly errors?: readonly FieldError[] | undefined
  /** How to fix it, in the caller's language. */
  readonly hint?: string | undefined
  /** URL of the explanation in the manual. */
  readonly docs?: string | undefined
  /** The value of `Retry-After` in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/**
 * The service responded with an error.
 *
 * @example
 * ```ts
 * import { createNamewright, NamewrightError } from '@namewright/client'
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
  /** The HTTP status. */
  readonly status: number
  readonly requestId: string | undefined
  readonly errors: readonly FieldError[]
  readonly hint: string | undefined
  readonly docs: string | undefined
  readonly retryAfterMs: number | undefined
  /** Number of tries in total. */
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
 * The service could not be reached, or its response was cut off. `cause` has the reason. The client has retried within
 * the time budget; a refused connection to a service that has never responded fails after a second.
 *
 * @example
 * ```ts
 * import { createNamewright, NetworkError } from '@namewright/client'
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
  /** Number of tries in total. */
  tries = 1
}

/**
 * There was no response within the time budget. `cause` is the failure of the previous try, if there was one.
 *
 * @example
 * ```ts
 * import { createNamewright, TimeBudgetError } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * try {
 *   await namewright.generate({ description: 'a bakery', count: 5 }, { timeBudgetMs: 2_000 })
 * } catch (error) {
 *   if (error instanceof TimeBudgetError) console.error(`no response in ${error.timeBudgetMs} ms, after ${error.tries} tries`)
 *   else throw error
 * }
 * ```
 */
export class TimeBudgetError extends Error {
  override readonly name = 'TimeBudgetError'
  readonly timeBudgetMs: number
  /** Number of tries in total. */
  readonly tries: number

  constructor(timeBudgetMs: number, tries: number, cause?: unknown) {
    super(`no response within ${timeBudgetMs} ms`, cause === undefined ? undefined : { cause })
    this.timeBudgetMs = timeBudgetMs
    this.tries = tries
  }
}

/**
 * Whether an error is a `NamewrightError` with one of these codes. Narrows the type of the code.
 *
 * @example
 * ```ts
 * import { createNamewright, isErrorCode } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * try {
 *   await namewright.generate({ description: 'a bakery', count: 100 })
 * } catch (error) {
 *   if (!isErrorCode(error, 'quota_exceeded', 'rate_limited')) throw error
 *   console.error(`retry in ${Math.ceil((error.retryAfterMs ?? 0) / 1000)} s`)
 * }
 * ```
 */
export function isErrorCode<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is NamewrightError & { readonly code: Code } {
  return error instanceof NamewrightError && codes.some((code) => code === error.code)
}

/** The error for an error response, whatever its body is. */
export function refusalOf(status: number, body: unknown, retryAfterMs: number | undefined): NamewrightError {
  if (!isErrorAnswer(body)) {
    const message = `unexpected response with status ${status}: it does not come from a Namewright service`
    return new NamewrightError('unexpected', status, message, { retryAfterMs })
  }
  const { code, message, request_id: requestId, errors, hint, docs } = body.error
  const known = Object.hasOwn(SERVICE_ERRORS, code) ? code : 'unexpected'
  return new NamewrightError(known, status, message, { requestId, errors, hint, docs, retryAfterMs })
}

/** The error for an `error` event of a stream, which has no HTTP status. An unknown code counts as status 500. */
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
