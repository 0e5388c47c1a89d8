/** One request and its answer, over whatever `fetch` the runtime has. No trying again here. */
import { orAborted } from './clock.ts'
import type { Deadline } from './clock.ts'
import { NetworkError } from './errors.ts'

/**
 * As much of `fetch` as is used. The runtime's own fits, and so does undici's or one that adds a proxy.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
 * import type { Fetch } from 'namewright'
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

/** As much of a `Response` as is used. */
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

/** A redirect is not followed: what is sent has a secret in it, and would be sent on. */
export async function send(fetch: Fetch, { url, headers, ...rest }: Request, deadline: Deadline): Promise<FetchAnswer> {
  try {
    const init = { ...rest, headers: { ...headers }, redirect: 'manual' as const, signal: deadline.signal }
    return await orAborted(fetch(url, init), deadline.signal)
  } catch (cause) {
    throw new NetworkError('the service could not be reached', { cause })
  }
}

export async function textOf(answer: FetchAnswer, deadline: Deadline): Promise<string> {
  try {
    return await orAborted(answer.text(), deadline.signal)
  } catch (cause) {
    throw new NetworkError('the answer broke off', { cause })
  }
}

/** The JSON that it is, or undefined. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
