/**
 * Calls an operation of the API and returns its data. Every HTTP request of this library is sent from here.
 *
 *   operation + input → request → (token → fetch → response → parse), retried within the time budget → data
 *
 * Every POST carries an Idempotency-Key, the same for all its tries, so that a retry after a lost response has no second
 * effect. A DELETE that finds nothing after a lost response counts as done. Only the access token is kept between calls.
 */
import type { Operations } from './api-types.ts'
import type { Deadline } from './clock.ts'
import type { Credentials } from './credentials.ts'
import { NamewrightError, NetworkError, refusalOf } from './errors.ts'
import { jsonOf, send, textOf } from './exchange.ts'
import type { Fetch, FetchAnswer, Request } from './exchange.ts'
import { retryAfterMsOf } from './retry.ts'
import { startTries } from './tries.ts'
import type { Time, Tries } from './tries.ts'

/**
 * Options of a single call. All of them are optional.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * await namewright.generate(
 *   { description: 'a bakery', count: 5 },
 *   { timeBudgetMs: 5_000, idempotencyKey: 'order-4711', language: 'de', signal: AbortSignal.timeout(60_000) },
 * )
 * ```
 */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the time budget of the client. */
  readonly timeBudgetMs?: number | undefined
  /** Replaces the random key. Set it where a call must take effect once, even across restarts of your program. */
  readonly idempotencyKey?: string | undefined
  /** Overrides the language of the client (BCP 47). */
  readonly language?: string | undefined
}

/**
 * One response, as `onAnswer` receives it. Responses that are followed by a retry are included.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 *
 * const namewright = createNamewright({
 *   baseUrl: 'http://127.0.0.1:8080',
 *   apiKey: 'nw_your-key',
 *   onAnswer: ({ operation, status, requestId, rateLimit }) => console.error(operation, status, requestId, rateLimit),
 * })
 * await namewright.usage()
 * ```
 */
export interface AnswerNote {
  readonly operation: keyof Operations
  readonly status: number
  /** The number of the try, from 1. */
  readonly tries: number
  readonly requestId: string | null
  /** The remaining rate limit, from the header `RateLimit`. */
  readonly rateLimit: string | null
  /** The stored response to an earlier request with the same Idempotency-Key. */
  readonly isReplay: boolean
  /** The service runs with its sandbox registry: domains and prices are made up. */
  readonly isSandbox: boolean
}

export interface CallerOptions extends Time {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly credentials: Credentials
  readonly timeBudgetMs: number
  readonly language: string | undefined
  readonly onAnswer: ((note: AnswerNote) => void) | undefined
}

/** The input of an operation: those of `params`, `query` and `body` that it has. */
export type InputOf<Key extends keyof Operations> = Omit<Operations[Key], 'data' | 'event'>
/** Operations with one JSON response. */
export type Whole = {
  [Key in keyof Operations]: Operations[Key] extends { data: unknown } ? Key : never
}[keyof Operations]
/** Operations that can respond with a stream of events. */
export type Streamed = {
  [Key in keyof Operations]: Operations[Key] extends { event: unknown } ? Key : never
}[keyof Operations]

interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: object
}

export interface Caller {
  readonly ask: <Key extends Whole>(
    operation: Key,
    input: InputOf<Key>,
    options?: CallOptions,
  ) => Promise<Operations[Key]['data']>
  requestOf(operation: keyof Operations, input: object, options: CallOptions): Request
  startTries(operation: keyof Operations, input: object, options: CallOptions): Tries
  /** One try, up to the headers of a successful response; an error response is thrown. */
  open(operation: keyof Operations, request: Request, deadline: Deadline, tries: number): Promise<FetchAnswer>
}

// The service responds within `deadline_ms`, 2.5 s by default; NETWORK_MS is for the network and for load.
const DEADLINE_MS = 2_500
const NETWORK_MS = 5_000
/** Operations for which `not_found` on a retry means that the first try succeeded. */
const IDEMPOTENT_DELETES: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  'DELETE /v1/history/{id}',
  'DELETE /v1/favorites/{id}',
  'DELETE /v1/batches/{id}',
  'DELETE /v1/webhooks/{id}',
])
/** Slower operations: large request bodies, waiting for a webhook receiver. */
const RESPONSE_MS: ReadonlyMap<keyof Operations, number> = new Map<keyof Operations, number>([
  ['POST /v1/batches', 15_000],
  ['POST /v1/webhooks/{id}/test', 20_000],
])

export function createCaller(options: CallerOptions): Caller {
  const { baseUrl, fetch, credentials, onAnswer, now, random } = options
  let hasAnswered = false

  function requestOf(operation: keyof Operations, input: object, { language, idempotencyKey }: CallOptions): Request {
    const [method = '', template = ''] = operation.split(' ')
    const { params = {}, query = {}, body } = input as Parts
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, params[name]))
    const accepted = language ?? options.language
    return {
      method,
      url: `${baseUrl}${path}${searchOf(query)}`,
      headers: {
        accept: 'application/json',
        ...(accepted === undefined ? {} : { 'accept-language': accepted }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey ?? randomKey() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
  }

  const triesOf: Caller['startTries'] = (operation, input, { signal, timeBudgetMs = options.timeBudgetMs }) => {
    const { deadline_ms: deadlineMs } = ((input as Parts).body ?? {}) as { deadline_ms?: number | undefined }
    const responseMs = deadlineMs ?? RESPONSE_MS.get(operation) ?? DEADLINE_MS
    return startTries({
      timeBudgetMs,
      tryMs: responseMs + NETWORK_MS,
      signal,
      hasAnswered: () => hasAnswered,
      now,
      random,
    })
  }

  async function open(operation: keyof Operations, request: Request, deadline: Deadline, tries: number) {
    const sendAs = async (authorization: string) => {
      const answer = await send(fetch, { ...request, headers: { ...request.headers, authorization } }, deadline)
      hasAnswered = true
      const { status, headers } = answer
      onAnswer?.({
        operation,
        status,
        tries,
        requestId: headers.get('x-request-id'),
        rateLimit: headers.get('ratelimit'),
        isReplay: headers.get('idempotent-replayed') === 'true',
        isSandbox: headers.get('namewright-sandbox') === 'true',
      })
      return answer
    }
    const authorization = await credentials.current(deadline)
    let answer = await sendAs(authorization)
    if (answer.status === 401) {
      const other = await credentials.renewed(authorization, deadline)
      if (other !== undefined) {
        await textOf(answer, deadline)
        answer = await sendAs(other)
      }
    }
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refusalOf(answer.status, jsonOf(await textOf(answer, deadline)), retryAfterMsOf(answer.headers))
  }

  return {
    requestOf,
    startTries: triesOf,
    open,

    async ask<Key extends Whole>(operation: Key, input: InputOf<Key>, callOptions: CallOptions = {}) {
      const request = requestOf(operation, input, callOptions)
      const tries = triesOf(operation, input, callOptions)
      let mayHaveSucceeded = false
      for (;;) {
        const deadline = tries.begin()
        try {
          const answer = await open(operation, request, deadline, tries.count)
          if (answer.status === 204) return {}
          const body = jsonOf(await textOf(answer, deadline))
          if (!isSuccess(body)) throw refusalOf(answer.status, body, undefined)
          return body.data as Operations[Key]['data']
        } catch (error) {
          const isMissing = error instanceof NamewrightError && error.code === 'not_found'
          if (isMissing && mayHaveSucceeded && IDEMPOTENT_DELETES.has(operation)) return {}
          mayHaveSucceeded ||=
            error instanceof NetworkError || (error instanceof NamewrightError && error.status >= 500)
          await tries.waitOrThrow(error, deadline)
        } finally {
          deadline.close()
        }
      }
    },
  }
}

function isSuccess(body: unknown): body is { data: object } {
  const { status, data } = (body ?? {}) as Record<string, unknown>
  return status === 'success' && typeof data === 'object'
}

/** An empty id or dots would change the path: “delete this record” would become “delete all”. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not a valid id`)
  return encodeURIComponent(value)
}

function searchOf(query: NonNullable<Parts['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

/** Not crypto.randomUUID, which browsers offer only in secure contexts. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
