/**
 * The questions to one host about one suffix.
 *
 * The life of a question: it waits in line; goes out when there is a place among those on their way and a token of the
 * host's budget; and comes back as a finding. Who could not be served within `patienceMs` is sent away at once, not when
 * that time is over: an early "I cannot say" lets the caller take another name.
 *
 * The budget is the host's, the line is the suffix's: one host serves hundreds of suffixes, and one of them that hangs
 * must not hold up the others. Hence also two breakers, one for the suffix and behind it one for the host.
 *
 * Nothing is asked twice: not after silence, not after an error, least of all after "too much".
 */
import type { Outbound, OutboundRequest } from '../../outbound.ts'
import type { Pulse } from '../../outbound/pulse.ts'
import type { Budget } from '../budget.ts'
import { findEnd, readBody, readHead } from './answer.ts'
import type { Finding } from './answer.ts'
import { createBreaker } from './breaker.ts'
import type { Breaker } from './breaker.ts'

export type Method = 'HEAD' | 'GET'

export interface Look {
  readonly finding: Finding
  /** When the registration ends, where the answer says so. */
  readonly registeredUntil?: number
}

export interface Lane {
  /** `unasked` when it could not be. Withdrawn by `signal` while it waits; once sent it runs to its end. */
  look(domain: string, method: Method, signal: AbortSignal): Promise<Look>
  /** It did not answer about this suffix, and is left alone for a while. */
  isResting(): boolean
}

export interface LaneOptions {
  /** Ends with a slash. */
  readonly base: string
  readonly outbound: Outbound
  readonly budget: Budget
  readonly hostBreaker: Breaker
  readonly pulse: Pulse
  readonly now: () => number
  /** Fires when everything ends. */
  readonly closing: AbortSignal
  /** How long a question may wait for its turn. */
  readonly patienceMs?: number | undefined
}

// At a tenth of a second each that is 40 a second, twice the highest budget.
const MOST_ON_THE_WAY = 4
// A caller who waits longer for one source is better served by another name.
const PATIENCE_MS = 1_500
// A registry across the world with a new TLS connection needs about one second.
const TIMEOUT_MS = 3_000
// A large real answer has about 20 KB.
const MAX_BYTES = 64 * 1024
// Few, because each costs its caller the whole timeout.
const LANE_FAILURES = 3

interface Question {
  readonly domain: string
  readonly method: Method
  readonly giveUpAt: number
  readonly settle: (look: Look) => void
}

export function createLane(options: LaneOptions): Lane {
  const { base, outbound, budget, hostBreaker, pulse, now, closing, patienceMs = PATIENCE_MS } = options
  const host = new URL(base).host
  const breaker = createBreaker({ failures: LANE_FAILURES, now })
  const waiting = new Set<Question>()
  let onTheWay = 0
  let isPumping = false
  let timer: NodeJS.Timeout | undefined

  async function pump() {
    if (isPumping) return
    isPumping = true
    clearTimeout(timer)
    while (waiting.size > 0 && onTheWay < MOST_ON_THE_WAY) {
      if (breaker.isOpen() || hostBreaker.isOpen() || closing.aborted) {
        sendAway(waiting)
        break
      }
      const granted = await budget.take(host, Math.min(waiting.size, MOST_ON_THE_WAY - onTheWay))
      if (granted === 0) {
        const waitMs = budget.waitOf(host)
        sendAway(hopeless(waitMs))
        if (waiting.size > 0) timer = setTimeout(() => void pump(), Math.max(1, waitMs))
        break
      }
      for (const question of [...waiting].slice(0, granted)) {
        waiting.delete(question)
        onTheWay += 1
        void run(question)
      }
    }
    isPumping = false
  }

  /** Those whose turn, one token after the other from the next one on, would come too late. */
  function hopeless(waitMs: number): Question[] {
    const stepMs = 1000 / budget.rateOf(host)
    let turn = now() + waitMs
    return [...waiting].filter(({ giveUpAt }) => {
      if (turn > giveUpAt) return true
      turn += stepMs
      return false
    })
  }

  function sendAway(questions: Iterable<Question>) {
    for (const question of questions) {
      waiting.delete(question)
      question.settle({ finding: 'unasked' })
    }
  }

  async function run(question: Question) {
    let look: Look = { finding: 'unasked' }
    const ask = async () => (look = await send(question)).finding
    // A breaker that has opened meanwhile refuses.
    const finding = await breaker.execute(() => hostBreaker.execute(ask)).catch(() => 'unasked' as const)
    question.settle({ ...look, finding })
    onTheWay -= 1
    void pump()
  }

  async function send({ domain, method }: Question): Promise<Look> {
    const request: OutboundRequest = {
      url: `${base}domain/${domain}`,
      method,
      headers: { accept: 'application/rdap+json, application/json;q=0.9' },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: closing,
    }
    const sentAt = performance.now()
    pulse.ask()
    const answer = await outbound.send(request)
    const finding = method === 'HEAD' ? readHead(answer) : readBody(answer, domain, now())
    if (finding === 'broken' || finding === 'limited') pulse.failed()
    else pulse.answered(performance.now() - sentAt)
    if (finding === 'limited' && answer.kind === 'answer') {
      pulse.limited(answer.retryAfterMs)
      await budget.limited(host, answer.retryAfterMs)
    }
    const end = finding === 'registered' || finding === 'ending' ? findEnd(answer, now()) : undefined
    return end === undefined ? { finding } : { finding, registeredUntil: end }
  }

  return {
    isResting: () => breaker.isOpen(),
    look(domain, method, signal) {
      const { promise, resolve } = Promise.withResolvers<Look>()
      if (signal.aborted) return Promise.resolve({ finding: 'unasked' })
      const withdraw = () => sendAway([question])
      const settle = (look: Look) => {
        signal.removeEventListener('abort', withdraw)
        resolve(look)
      }
      const question: Question = { domain, method, giveUpAt: now() + patienceMs, settle }
      signal.addEventListener('abort', withdraw)
      waiting.add(question)
      void pump()
      return promise
    },
  }
}
