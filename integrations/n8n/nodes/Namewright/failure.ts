/**
 * What went wrong, as the person who built the workflow sees it: a code, a message, and a hint what to do next.
 *
 * Codes of the service are listed in the manual under “Errors”. Three come from this package: `unexpected` (the response
 * does not come from a Namewright service), `no_response` (there was none) and `invalid_base_url`.
 */
import type { JsonObject } from 'n8n-workflow'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  readonly hint: string | null
  readonly status: number | null
  readonly requestId: string | null
  /** The invalid fields, by JSON pointer. */
  readonly errors: readonly JsonObject[]

  constructor(code: string, message: string, rest: Partial<Pick<Failure, 'hint' | 'status' | 'requestId' | 'errors'>>) {
    super(message)
    this.code = code
    this.hint = rest.hint ?? null
    this.status = rest.status ?? null
    this.requestId = rest.requestId ?? null
    this.errors = rest.errors ?? []
  }
}

/** The failure of a response with a status other than 2xx, whatever its body is. */
export function refusalOf(status: number, body: unknown): Failure {
  const error = isRecord(body) ? body['error'] : undefined
  if (!isRecord(error) || typeof error['code'] !== 'string' || typeof error['message'] !== 'string') {
    return unexpected(status)
  }
  return new Failure(error['code'], error['message'], {
    status,
    hint: textOf(error['hint']),
    requestId: textOf(error['request_id']),
    errors: Array.isArray(error['errors']) ? error['errors'].filter(isRecord).map(fieldErrorOf) : [],
  })
}

export function unexpected(status: number | null): Failure {
  return new Failure('unexpected', 'The response does not come from a Namewright service', {
    status,
    hint: 'Check the Base URL of the credential: it is the address of the service, without /v1.',
  })
}

/** The HTTP helper threw: there was no complete response. */
export function noResponse(thrown: unknown): Failure {
  const reason = thrown instanceof Error ? thrown.message : 'no reason is known'
  return new Failure('no_response', `No response from the service: ${reason}`, {
    hint: 'Check the Base URL of the credential, and that n8n can reach the service.',
  })
}

/** The message and description of n8n's error panel. */
export function textsOf(failure: Failure): { readonly message: string; readonly description: string } {
  const fields = failure.errors.map((one) => `${textOf(one['pointer'])}: ${textOf(one['message'])}`)
  const request = failure.requestId === null ? [] : [`Request: ${failure.requestId}`]
  const lines = [failure.hint ?? '', ...fields, `Code: ${failure.code}`, ...request]
  return {
    message: `${failure.message} (${failure.code})`,
    description: lines.filter((line) => line !== '').join('\n'),
  }
}

/** The item that takes the place of a result if the node continues on failures. */
export function failureItem(failure: Failure): JsonObject {
  return {
    error: failure.message,
    code: failure.code,
    hint: failure.hint,
    status: failure.status,
    request_id: failure.requestId,
    errors: [...failure.errors],
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function fieldErrorOf(error: Readonly<Record<string, unknown>>): JsonObject {
  return { pointer: textOf(error['pointer']), code: textOf(error['code']), message: textOf(error['message']) }
}
