/**
 * The settings API: what a person does at their own pages, with the cookie of their session. `/v1` is not asked here but
 * through the SDK (`client.ts`).
 */
import { NamewrightError, NetworkError } from '@namewright/client'
import type { ErrorCode, FieldError } from '@namewright/client'
import { i18n } from '../i18n/i18n.ts'
import type { Operations } from './settings-types.ts'
import { withStepUp } from './step-up.ts'

/** What an operation answers. */
export type Data<Id extends keyof Operations> = Operations[Id]['data']

export interface Refused {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly request_id?: string
    readonly hint?: string
    readonly docs?: string
    readonly errors?: readonly FieldError[]
  }
}

export interface AskOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Resolves with `data`; rejects as the SDK does, with a NamewrightError or a NetworkError. Asks the person to confirm. */
export function askSettings<Answer>(path: string, options: AskOptions = {}): Promise<Answer> {
  return withStepUp(() => askOnce<Answer>(path, options))
}

/** The same, where the refusal itself is wanted. */
export async function askOnce<Answer>(path: string, options: AskOptions = {}): Promise<Answer> {
  const answer = await send(path, options)
  if (answer.status === 204) return undefined as Answer
  const said = (await answer.json().catch(() => ({}))) as Refused & { data?: Answer }
  if (answer.ok && said.data !== undefined) return said.data
  throw refusalOf(answer, said)
}

/** Whatever comes back, comes back; only silence is a NetworkError. */
export async function send(path: string, options: AskOptions): Promise<Response> {
  const { method = 'GET', body, headers, signal } = options
  return fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      'accept-language': i18n.locale,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw signal.reason
    throw new NetworkError('the service could not be reached', { cause })
  })
}

export function refusalOf(answer: Response, said: Refused): NamewrightError {
  const { code, message, request_id: requestId, hint, docs, errors } = said.error ?? {}
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new NamewrightError((code ?? 'unexpected') as ErrorCode, answer.status, message ?? answer.statusText, {
    requestId,
    hint,
    docs,
    errors,
    retryAfterMs: Number.isNaN(seconds) ? undefined : seconds * 1000,
  })
}
