/**
 * Asks resolvers, many questions at a time. Node's own `dns` cannot ask for DS.
 *
 * Life of a question: it waits until fewer than `mostInFlight` are out and goes to the preferred resolver. If that is
 * later than usual, a second resolver is asked as well, once and rarely (`dns-hedge.ts`). After silence the next one
 * is asked, RETRY_MS long; after an unusable answer at once, until each has had its turn. A truncated answer is asked
 * for again over TCP. The first usable answer ends it. Two who ask the same at the same time share one question, and
 * a question nobody waits for any more is dropped. A suffix that falls silent keeps no places from others: what was
 * waited for in vain does not count any more, and the rest waits a moment for a sign of life (`dns-silence.ts`).
 *
 * This file never decides what an answer is worth and never throws for a network's sake.
 */
import { SocketAddress } from 'node:net'
import { createHedge } from './dns-hedge.ts'
import type { Line, ResolverAddress } from './dns-line.ts'
import { readAnswer, UNUSABLE, writeQuestion } from './dns-message.ts'
import type { Answer, QuestionType } from './dns-message.ts'
import { createSilences } from './dns-silence.ts'
import type { Pulse } from '../outbound/pulse.ts'
import { openTcpLine } from './dns-tcp.ts'
import { openUdpLine } from './dns-udp.ts'

export interface DnsClient {
  /** Calls `hear` once, later; the returned function withdraws. `name` must be well-formed and in lower case. */
  ask(name: string, type: QuestionType, hear: Hear): () => void
  close(): Promise<void>
}

type Hear = (answer: Answer) => void

// What fits into a few default kernel receive buffers (208 KiB each) while this process is busy with something else.
const MOST_IN_FLIGHT = 256
// How long each try may be silent. The first: above the time of a question that a resolver must pass on around the
// world, below what a waiting person notices. The last: a resolver that is still trying itself answers within that.
const RETRY_MS = [300, 600, 1200] as const
// All clocks of all questions are looked at together: a timer for each costs more than sending the question does.
const TICK_MS = 10

interface Resolver {
  readonly udp: Line<Try>
  readonly tcp: Line<Try>
  readonly pulse: Pulse | undefined
}

interface Question {
  readonly name: string
  readonly suffix: string
  readonly type: QuestionType
  readonly message: Buffer
  readonly listeners: Hear[]
  /** What was sent and not answered yet. */
  readonly open: Try[]
  /** Index of the resolver that is asked first; every further message goes to the next. */
  readonly first: number
  sent: number
  /** How many of those were sent because the one before failed. */
  retries: number
  hedged: boolean
  /** It holds one of the `mostInFlight` places. */
  hasPlace: boolean
  sentAt: number
  /** When silence has lasted too long, and when a second resolver may be asked. */
  retryAt: number
  hedgeAt: number
}

interface Try {
  readonly question: Question
  readonly resolver: number
  readonly line: Line<Try>
  readonly sentAt: number
  /** Its resolver's pulse has heard what came of it. */
  isTold: boolean
  key: number
}

export function openDnsClient(
  resolverTexts: readonly string[],
  {
    mostInFlight = MOST_IN_FLIGHT,
    pulseOf,
  }: { readonly mostInFlight?: number; readonly pulseOf?: (resolver: string) => Pulse } = {},
): DnsClient {
  if (resolverTexts.length === 0) throw new Error('a DNS client without resolvers')
  const resolvers = resolverTexts.map((text): Resolver => {
    const options = { resolver: parseResolver(text), hear: receive, lose: fail }
    return { udp: openUdpLine(options), tcp: openTcpLine(options), pulse: pulseOf?.(text) }
  })
  const hedge = createHedge()
  const silences = createSilences<Question>()
  const questions = { DS: new Map<string, Question>(), TXT: new Map<string, Question>() }
  const waiting = new Set<Question>()
  const inFlight = new Set<Question>()
  let ticking: NodeJS.Timeout | undefined
  let preferred = 0
  let places = mostInFlight
  let closed = false

  function pump() {
    for (const question of waiting) {
      if (places <= 0) return
      waiting.delete(question)
      inFlight.add(question)
      ticking ??= setInterval(tick, TICK_MS)
      question.sentAt = performance.now()
      if (silences.hold(question)) {
        question.retries = RETRY_MS.length - 1
        question.retryAt = question.sentAt + RETRY_MS[0]
        continue
      }
      question.hasPlace = true
      places -= 1
      send(question, question.sentAt)
      hedge.earn()
      if (resolvers.length > 1) question.hedgeAt = question.sentAt + hedge.delayMs()
    }
  }

  /** To the next resolver in turn, with a new patience. */
  function send(question: Question, at: number) {
    const resolver = (question.first + question.sent) % resolvers.length
    question.sent += 1
    question.retryAt = at + (RETRY_MS[question.retries] ?? 0)
    sendBy(question, resolver, 'udp')
  }

  function sendBy(question: Question, resolver: number, way: 'udp' | 'tcp') {
    const line = resolvers[resolver]?.[way]
    if (line === undefined) return
    const one: Try = { question, resolver, line, sentAt: performance.now(), isTold: false, key: 0 }
    resolvers[resolver]?.pulse?.ask()
    // A message that was sent may still be on its way out of its buffer.
    const isFirst = question.sent === 1 && way === 'udp'
    one.key = line.send(isFirst ? question.message : Buffer.from(question.message), one)
    question.open.push(one)
  }

  function tick() {
    const at = performance.now()
    for (const question of inFlight) {
      if (at >= question.retryAt) retryOrGiveUp(question, at)
      else if (at >= question.hedgeAt && !question.hedged && question.retries === 0 && hedge.spend()) {
        question.hedged = true
        // The first one keeps its patience: this one comes on top.
        const { retryAt } = question
        send(question, at)
        question.retryAt = retryAt
      }
    }
    pump()
  }

  function tell(one: Try, what: 'answered' | 'failed' | 'withdrew') {
    const pulse = resolvers[one.resolver]?.pulse
    if (one.isTold || pulse === undefined) return
    one.isTold = true
    if (what === 'answered') pulse.answered(performance.now() - one.sentAt)
    else pulse[what]()
  }

  function retryOrGiveUp(question: Question, at: number) {
    for (const one of question.open) tell(one, 'failed')
    question.retries += 1
    if (question.sent > 0) silences.begin(question)
    leavePlace(question)
    if (question.retries < RETRY_MS.length) send(question, at)
    else settle(question, UNUSABLE)
  }

  function release(held: Question) {
    held.retries = 0
    inFlight.delete(held)
    waiting.add(held)
  }

  function leavePlace(question: Question) {
    if (question.hasPlace) places += 1
    question.hasPlace = false
  }

  function receive(one: Try, message: Buffer) {
    const { question, line, resolver } = one
    const answer = readAnswer(message, question.message)
    if (answer === undefined) return
    // Too long for a datagram is not yet an answer: over TCP the same resolver may be silent.
    if (answer.kind !== 'truncated') for (const held of silences.end(question.suffix)) release(held)
    if (answer.kind === 'unusable') return fail(one)
    tell(one, 'answered')
    if (answer.kind === 'truncated') {
      if (line === resolvers[resolver]?.tcp) return fail(one)
      closeTry(one)
      question.retryAt = performance.now() + RETRY_MS[1]
      return sendBy(question, resolver, 'tcp')
    }
    hedge.learn(performance.now() - question.sentAt)
    // Whoever answers where another failed is asked first from now on: a dead resolver costs one retry, not one per
    // question. Winning as the second of two is no such merit: the first may have been a moment late.
    if (question.retries > 0) preferred = resolver
    settle(question, answer)
  }

  function fail(one: Try) {
    const { question } = one
    // When a connection breaks, hearing of the first loss can make somebody withdraw what the next loss was about.
    if (!inFlight.has(question)) return
    tell(one, 'failed')
    closeTry(one)
    if (question.sent < resolvers.length && question.retries + 1 < RETRY_MS.length) {
      question.retries += 1
      send(question, performance.now())
    } else if (question.open.length === 0) {
      settle(question, UNUSABLE)
    }
  }

  function closeTry(one: Try) {
    one.line.forget(one.key)
    const { open } = one.question
    open.splice(open.indexOf(one), 1)
  }

  function settle(question: Question, answer: Answer) {
    drop(question)
    for (const hear of question.listeners) hear(answer)
  }

  function drop(question: Question) {
    questions[question.type].delete(question.name)
    waiting.delete(question)
    inFlight.delete(question)
    leavePlace(question)
    const next = silences.leave(question)
    if (next !== undefined) release(next)
    for (const one of question.open) {
      tell(one, 'withdrew')
      one.line.forget(one.key)
    }
    pump()
    if (inFlight.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    ask(name, type, hear) {
      if (closed) {
        queueMicrotask(() => hear(UNUSABLE))
        return () => {}
      }
      let question = questions[type].get(name)
      if (question === undefined) {
        question = makeQuestion(name, type, preferred)
        questions[type].set(name, question)
        waiting.add(question)
      }
      const joined = question
      joined.listeners.push(hear)
      pump()
      return () => {
        const at = joined.listeners.indexOf(hear)
        if (at >= 0) joined.listeners.splice(at, 1)
        if (joined.listeners.length === 0 && questions[type].get(name) === joined) drop(joined)
      }
    },
    async close() {
      closed = true
      clearInterval(ticking)
      const unanswered = [...questions.DS.values(), ...questions.TXT.values()]
      for (const each of [questions.DS, questions.TXT, waiting, inFlight]) each.clear()
      for (const { listeners } of unanswered) for (const hear of listeners) hear(UNUSABLE)
      await Promise.all(resolvers.flatMap(({ udp, tcp }) => [udp.close(), tcp.close()]))
    },
  }
}

function makeQuestion(name: string, type: QuestionType, first: number): Question {
  return {
    name,
    suffix: name.slice(name.indexOf('.') + 1),
    type,
    message: writeQuestion(name, type),
    listeners: [],
    open: [],
    first,
    sent: 0,
    retries: 0,
    hedged: false,
    hasPlace: false,
    sentAt: 0,
    retryAt: 0,
    hedgeAt: Number.POSITIVE_INFINITY,
  }
}

function parseResolver(text: string): ResolverAddress {
  const parsed = SocketAddress.parse(text)
  if (parsed === undefined || parsed.port === 0) throw new Error(`not a resolver's address and port: ${text}`)
  return { address: parsed.address, port: parsed.port, family: parsed.family === 'ipv6' ? 'ipv6' : 'ipv4' }
}
