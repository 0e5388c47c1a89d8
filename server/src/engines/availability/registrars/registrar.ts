/**
 * The interface of all registrars, and the function to send a request to one over HTTPS.
 *
 * An adapter knows one API: how to write a request and how to read a response. It parses strictly: what it does not
 * understand it leaves out, and the next source is asked or the domain stays `unknown`. It must never retry, queue or
 * cache; `batcher.ts` does that.
 */
import type { Domain } from '../../../model/domain.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { Evidence } from '../evidence.ts'

export interface Registrar {
  readonly name: string
  /** The host whose budget a request is taken from. */
  readonly host: string
  /** The most names per request. */
  readonly batch: number
  /** It takes too few requests to have a result for every domain: a missing one is never a gap. */
  readonly isOccasional?: boolean
  /** Whether it should have a result for this domain: a missing result is then a gap and not evidence. */
  covers?(domain: Domain): boolean
  /** What could not be read besides the results, and what is used instead. */
  fault?(): string | undefined
  /** False while `check` returns without a request: then a check costs no budget. */
  isAsked?(): boolean
  /**
   * Evidence for the names it can check; a registrar that does not sell a suffix leaves it out. At most `batch`
   * names. Throws only Limited; a timeout, a malformed response and an aborted signal give an empty result.
   */
  check(domains: readonly Domain[], signal: AbortSignal): Promise<readonly Evidence[]>
}

/** The registrar responded "too many requests". */
export class Limited extends Error {
  readonly retryAfterMs: number | undefined

  constructor(retryAfterMs?: number) {
    super('the registrar sent a rate limit')
    this.retryAfterMs = retryAfterMs
  }
}

export type Send = Outbound['send']

export interface RegistrarQuery {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  /** Statuses that this API uses for something other than a rate limit or a normal response. */
  readonly harmless?: readonly number[]
}

// 200 results are about 40 kB; a much longer response cannot be valid.
const MAX_BYTES = 256 * 1024
// They check at the registries live, a second or two for a full batch. After this time the caller has gone.
const TIMEOUT_MS = 4_000
// Behind firewalls 403 and 422 mean "too many requests" as often as 429 does, and being too slow does no harm.
const LIMITED = new Set([403, 422, 429])
// 203: GoDaddy's "some of these names could not be checked".
const ANSWERED = new Set([200, 203])

/** The body of a response; empty if there was none. Throws Limited. */
export async function put(send: Send, query: RegistrarQuery, signal: AbortSignal): Promise<string> {
  const { harmless = [], ...request } = query
  const answer = await send({ ...request, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal })
  if (answer.kind === 'failed') return ''
  if (LIMITED.has(answer.status) && !harmless.includes(answer.status)) throw new Limited(answer.retryAfterMs)
  return ANSWERED.has(answer.status) ? answer.body.toString() : ''
}
