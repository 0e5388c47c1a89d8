/** One HTTP request and its response, with the `fetch` of the runtime. Never retries. */
import { orAborted } from './clock.ts'
import type { Deadline } from './clock.ts'
import { NetworkError } from './errors.ts'

/**
 * The part of `fetch` that the client uses. The runtime's own, undici's, or one that adds a proxy can be passed.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 * import type { Fetch } from '@namewright/client'
 *
 * const logged: Fetch = async (url, init) => {
 *   const answer = await fetch(url, init)
 *   console.error(init.method, url, answer.status)
 *   return answer
 * }
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key', fetch: logged })
 * await namewright.tlds({ limit: 3 })
 * ```
 */
export type Fetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
    readonly signal: AbortSignal
    readonly redirect: 'manual'
  },
) => Promise<FetchAnswer>

/** The part of a `Response` that the client uses. */
export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
  text(): Promise<string>
}

export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Redirects are not followed, because the credentials would be sent to the new address. */
export async function send(fetch: Fetch, { url, headers, ...rest }: Request, deadline: Deadline): Promise<FetchAnswer> {
  try {
    const init = { ...rest, headers: { ...headers }, redirect: 'manual' as const, signal: deadline.signal }
    return await orAborted(fetch(url, init), deadline.signal)
  } catch (cause) {
    throw unreachable(url, cause)
  }
}

export function unreachable(url: string, cause: unknown): NetworkError {
  return new NetworkError(`the service at ${new URL(url).origin} could not be reached${reasonOf(cause)}`, { cause })
}

/** The innermost message: runtimes wrap the cause of a failed fetch once or twice. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  const inner = reasonOf(cause.cause)
  if (inner !== '') return inner
  // An AggregateError (a host with several addresses) has a code but no message.
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const text = cause.message || code
  return text === '' ? '' : `: ${text}`
}

export async function textOf(answer: FetchAnswer, deadline: Deadline): Promise<string> {
  try {
    return await orAborted(answer.text(), deadline.signal)
  } catch (cause) {
    throw new NetworkError('the response was cut off', { cause })
  }
}

/** The parsed JSON, or undefined when the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
