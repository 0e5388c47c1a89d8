/**
 * A `fetch` for the SDK that goes out through `outbound.ts`: bounded, without redirects, and to one place only.
 *
 * The operator's model may stand at a private address, so its way out is open to those. That is why no other origin than
 * the operator's passes here, whatever the SDK or an answer would have us fetch.
 */
import type { OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible'
import { depthOf } from '../model/json-depth.ts'
import type { Failed, Outbound } from '../outbound.ts'
import { NoAnswer } from './outcome.ts'
import type { Outcome } from './outcome.ts'

// Thirty names are 2 KB; the rest is room for what servers say beside them.
const MOST_BYTES = 65_536
const DEEPEST = 32

type Fetch = NonNullable<OpenAICompatibleProviderSettings['fetch']>

export interface FetchOptions {
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly send: Outbound['send']
}

export function createModelFetch({ baseUrl, timeoutMs, send }: FetchOptions): Fetch {
  const { origin } = new URL(baseUrl)
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    if (new URL(url).origin !== origin || init.method !== 'POST' || typeof init.body !== 'string') {
      throw new NoAnswer('unreachable')
    }
    const headers = new Headers(init.headers)
    // The SDK lists its versions and ours in it.
    headers.delete('user-agent')
    const answer = await send({
      url,
      method: 'POST',
      headers: Object.fromEntries(headers),
      body: init.body,
      maxBytes: MOST_BYTES,
      timeoutMs,
      signal: init.signal ?? new AbortController().signal,
    })
    if (answer.kind === 'failed') throw new NoAnswer(OUTCOME_OF[answer.reason])
    const { status, body } = answer
    const text = body.toString('utf8')
    // Anything between success and error has no meaning in these protocols.
    if ((status !== 200 && status < 400) || depthOf(text) > DEEPEST) throw new NoAnswer('unreadable')
    return new Response(text, { status: Math.min(status, 599), headers: { 'content-type': 'application/json' } })
  }
}

const OUTCOME_OF: Readonly<Record<Failed['reason'], Outcome>> = {
  timeout: 'late',
  aborted: 'late',
  too_large: 'too_large',
  encoded: 'unreadable',
  redirect: 'unreadable',
  refused: 'unreachable',
  tls: 'unreachable',
  private_address: 'unreachable',
  network: 'unreachable',
}
