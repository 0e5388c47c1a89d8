/**
 * What every registrar here looks like, and the one way to ask one over HTTPS.
 *
 * An adapter knows one API: how to write a question and how to read an answer. It reads strictly: what it does not
 * understand it leaves out, and what is left out is asked elsewhere or stays `unknown`. It never retries, waits for its
 * turn or remembers; that is `batcher.ts`.
 */
import type { Domain } from '../../model/domain.ts'
import type { Outbound } from '../../outbound.ts'
import type { Evidence } from '../evidence.ts'

export interface Registrar {
  readonly name: string
  /** Whose budget a request is taken from. */
  readonly host: string
  /** The most names one request may carry. */
  readonly batch: number
  /**
   * Evidence for those it can speak for; a registrar that does not sell a suffix says nothing. At most `batch` names.
   * Fails only with Limited; silence, nonsense and a fired signal are an empty answer.
   */
  check(domains: readonly Domain[], signal: AbortSignal): Promise<readonly Evidence[]>
}

/** The registrar told us to slow down. */
export class Limited extends Error {
  readonly retryAfterMs: number | undefined

  constructor(retryAfterMs?: number) {
    super('the registrar asks for fewer requests')
    this.retryAfterMs = retryAfterMs
  }
}

export type Send = Outbound['send']

export interface Question {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  /** Statuses that this API uses for something other than "slow down" or "here is your answer". */
  readonly harmless?: readonly number[]
}

// 200 answers are about 40 kB; whatever is much longer is not an answer to our question.
const MAX_BYTES = 256 * 1024
// They ask the registries while we wait, a second or two for a full batch. Later than this the caller has gone.
const TIMEOUT_MS = 4_000
// Behind their firewalls 403 and 422 are as often "too many" as 429 is, and to be slower than needed does no harm.
const LIMITED = new Set([403, 422, 429])
// 203: GoDaddy's "some of these names could not be checked".
const ANSWERED = new Set([200, 203])

/** The body of an answer; empty when there was none. Fails with Limited. */
export async function put(send: Send, question: Question, signal: AbortSignal): Promise<string> {
  const { harmless = [], ...request } = question
  const answer = await send({ ...request, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal })
  if (answer.kind === 'failed') return ''
  if (LIMITED.has(answer.status) && !harmless.includes(answer.status)) throw new Limited(answer.retryAfterMs)
  return ANSWERED.has(answer.status) ? answer.body.toString() : ''
}
