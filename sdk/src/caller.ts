/**
 * From an operation of the contract to its data: the one way out of this library.
 *
 *   operation + input → request → (token → fetch → answer → understood), tried within the budget → data
 *
 * Every POST carries an Idempotency-Key, the same over all its tries, so that a try whose answer was lost cannot happen
 * twice. A DELETE that finds nothing after a lost answer has happened. Nothing is kept between calls but the token.
 */
import type { Operations } from './api-types.ts'
import { retryAfterMsOf } from './another-try.ts'
import type { Deadline } from './clock.ts'
import type { Credentials } from './credentials.ts'
import { NamewrightError, NetworkError, refusalOf } from './errors.ts'
import { jsonOf, send, textOf } from './exchange.ts'
import type { Fetch, FetchAnswer, Request } from './exchange.ts'
import { startTries } from './tries.ts'
import type { Time, Tries } from './tries.ts'

/**
 * What can be said about a single call. All of it is optional.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * await namewright.generate(
 *   { description: 'a bakery', count: 5 },
 *   { timeBudgetMs: 5_000, idempotencyKey: 'order-4711', language: 'de', signal: AbortSignal.timeout(60_000) },
 * )
 * ```
 */
export interface CallOptions {
  /** Ends the call, wherever it is; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** In place of the client's own. */
  readonly timeBudgetMs?: number | undefined
  /** In place of a random one. Choose it yourself where a call must happen once even across restarts of your program. */
  readonly idempotencyKey?: string | undefined
  /** BCP 47. In place of the client's own. */
  readonly language?: string | undefined
}

/**
 * One answer, as `onAnswer` is told of it; also of those that are followed by another try.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
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
  /** Which try it was, from 1. */
  readonly tries: number
  readonly requestId: string | null
  /** What is left, as the header `RateLimit` has it. */
  readonly rateLimit: string | null
  /** The answer to an earlier request with the same Idempotency-Key. */
  readonly isReplay: boolean
}

export interface CallerOptions extends Time {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly credentials: Credentials
  readonly timeBudgetMs: number
  readonly language: string | undefined
  readonly onAnswer: ((note: AnswerNote) => void) | undefined
}

/** What an operation takes: `params`, `query` and `body`, whichever it has. */
export type InputOf<Key extends keyof Operations> = Omit<Operations[Key], 'data' | 'event'>
/** Those that can be answered whole, and those that can be answered as a stream. */
export type Whole = {
  [Key in keyof Operations]: Operations[Key] extends { data: unknown } ? Key : never
}[keyof Operations]
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
  /** One try, as far as the head of a success; a refusal is thrown. */
  open(operation: keyof Operations, request: Request, deadline: Deadline, tries: number): Promise<FetchAnswer>
}

// The service promises an answer within `deadline_ms`, 2.5 s unless told otherwise; the rest is for the way and for load.
const DEADLINE_MS = 2_500
const WAY_MS = 5_000
const FORGETS: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  'DELETE /v1/history/{id}',
  'DELETE /v1/favorites/{id}',
  'DELETE /v1/webhooks/{id}',
])
/** What takes longer: a body of megabytes, a receiver that is waited for, the first sign of a batch that waits. */
const LASTS_MS: ReadonlyMap<keyof Operations, number> = new Map<keyof Operations, number>([
  ['POST /v1/batches', 15_000],
  ['POST /v1/webhooks/{id}/test', 20_000],
  ['GET /v1/batches/{id}/events', 15_000],
])

export function createCaller(options: CallerOptions): Caller {
  const { baseUrl, fetch, credentials, onAnswer, now, random } = options

  function requestOf(operation: keyof Operations, input: object, { language, idempotencyKey }: CallOptions): Request {
    const [method = '', template = ''] = operation.split(' ')
    const { params = {}, query = {}, body } = input as Parts
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, params[name]))
    const tongue = language ?? options.language
    return {
      method,
      url: `${baseUrl}${path}${searchOf(query)}`,
      headers: {
        accept: 'application/json',
        ...(tongue === undefined ? {} : { 'accept-language': tongue }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey ?? randomKey() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
  }

  const triesOf: Caller['startTries'] = (operation, input, { signal, timeBudgetMs = options.timeBudgetMs }) => {
    const { deadline_ms: deadlineMs } = ((input as Parts).body ?? {}) as { deadline_ms?: number | undefined }
    const lastsMs = deadlineMs ?? LASTS_MS.get(operation) ?? DEADLINE_MS
    return startTries({ timeBudgetMs, tryMs: lastsMs + WAY_MS, signal, now, random })
  }

  async function open(operation: keyof Operations, request: Request, deadline: Deadline, tries: number) {
    const sendAs = async (authorization: string) => {
      const answer = await send(fetch, { ...request, headers: { ...request.headers, authorization } }, deadline)
      const { status, headers } = answer
      onAnswer?.({
        operation,
        status,
        tries,
        requestId: headers.get('x-request-id'),
        rateLimit: headers.get('ratelimit'),
        isReplay: headers.get('idempotent-replayed') === 'true',
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
      let mayHaveHappened = false
      for (;;) {
        const deadline = tries.begin()
        try {
          const answer = await open(operation, request, deadline, tries.count)
          const body = jsonOf(await textOf(answer, deadline))
          if (!isSuccess(body)) throw refusalOf(answer.status, body, undefined)
          return body.data as Operations[Key]['data']
        } catch (error) {
          const isGone = error instanceof NamewrightError && error.code === 'not_found'
          if (isGone && mayHaveHappened && FORGETS.has(operation)) return {}
          mayHaveHappened ||= error instanceof NetworkError || (error instanceof NamewrightError && error.status >= 500)
          await tries.orGiveUp(error, deadline)
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

/** Empty or dots would make another path of it: “delete this record” would become “delete all”. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id`)
  return encodeURIComponent(value)
}

function searchOf(query: NonNullable<Parts['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

/** Not crypto.randomUUID, which browsers have only on pages that came over HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
