/**
 * Sends DNS queries to resolvers, many at a time. Node's own `dns` cannot query DS.
 *
 * Life of a query: it waits until fewer than `mostInFlight` are in flight and goes to the preferred resolver. If the
 * response is later than usual, a second resolver is queried too, once and rarely (`dns-hedge.ts`). After a timeout
 * (RETRY_MS) the next resolver is queried; after an unusable response at once, until each has been tried. If all of
 * them refuse or fail, perhaps because they have too many queries open, it is sent again after a pause, twice at most;
 * a refusal also lowers the number in flight, and answers raise it again. A truncated response is queried again over
 * TCP. The first usable response ends the query. Identical concurrent queries share one, and a query without listeners
 * is dropped. A suffix that stops responding does not block others: timed-out queries release their place, and the rest
 * is queued until a response arrives (`dns-silence.ts`).
 *
 * This file must never interpret a response and never throw because of the network.
 */
import { SocketAddress } from 'node:net'
import { createHedge } from './dns-hedge.ts'
import type { DnsSocket, ResolverAddress } from './dns-socket.ts'
import { readAnswer, UNUSABLE, writeQuery } from './dns-message.ts'
import type { DnsAnswer, QueryType } from './dns-message.ts'
import { createSilences } from './dns-silence.ts'
import type { HealthTracker } from '../../platform/outbound/health-tracker.ts'
import { openTcpSocket } from './dns-tcp.ts'
import { openUdpSocket } from './dns-udp.ts'

export interface DnsClient {
  /**
   * Calls `onMessage` once, asynchronously; the returned function withdraws. `name` must be well-formed and in lower
   * case.
   */
  ask(name: string, type: QueryType, onMessage: OnMessage): () => void
  close(): Promise<void>
}

type Unusable = Extract<DnsAnswer, { kind: 'unusable' }>

/** `resolver` is the index of the resolver that responded; undefined if none did. */
type OnMessage = (answer: DnsAnswer, resolver?: number) => void

/**
 * Queries in flight at one resolver: for names, for tests of the resolver, and for what owners publish, each in a client of
 * its own. dnsmasq, the resolver in most home routers, keeps 150 open and refuses the others; these leave it a quarter for
 * other devices.
 */
export const IN_FLIGHT = { names: 64, tests: 32, texts: 16 } as const
// Pauses of a query that every resolver has refused: some of what they have open is answered meanwhile.
const REFUSED_MS = [50, 200] as const
// What is open at a refusal is all that they take, and others need some of it: the tests of `dns-source.ts` do.
const REST = 0.75
// A resolver that refuses some names whatever their number must not slow down the others below this.
const FEWEST_IN_FLIGHT = 16
// Timeout of each try. The first is above the time of a query that a resolver must forward around the world, and
// below what a waiting person notices. The last is long enough for a resolver that is still retrying itself.
const RETRY_MS = [300, 600, 1200] as const
// One tick checks the timeouts of all queries: a timer per query costs more than sending it.
const TICK_MS = 10
// A longer time between two ticks is a pause of this process, and no silence of a resolver: responses that arrived
// meanwhile are read before the next tick.
const MAX_STEP_MS = 2 * TICK_MS

interface Resolver {
  readonly udp: DnsSocket<Try>
  readonly tcp: DnsSocket<Try>
  readonly health: HealthTracker | undefined
}

interface PendingQuery {
  readonly name: string
  readonly suffix: string
  readonly type: QueryType
  readonly message: Buffer
  readonly listeners: OnMessage[]
  /** Sent and not answered yet. */
  readonly open: Try[]
  /** Indexes of the resolvers, the first to query in front; every further message goes to the next. */
  order: readonly number[]
  sent: number
  /** How many of those were sent because the one before failed. */
  retries: number
  /** How often every resolver has refused it. */
  refusals: number
  hedged: boolean
  /** Pauses until `retryAt`, without a place. */
  isPaused: boolean
  /** Holds one of the `mostInFlight` places. */
  hasPlace: boolean
  sentAt: number
  /** When the current try times out, and when a second resolver may be queried, both by `runMs`. */
  retryAt: number
  hedgeAt: number
}

interface Try {
  readonly query: PendingQuery
  readonly resolver: number
  readonly socket: DnsSocket<Try>
  readonly sentAt: number
  /** The outcome has been reported to the resolver's health tracker. */
  isNotified: boolean
  key: number
}

export function openDnsClient(
  resolverTexts: readonly string[],
  {
    mostInFlight = IN_FLIGHT.names,
    healthOf,
    avoids,
  }: {
    readonly mostInFlight?: number
    readonly healthOf?: (resolver: string) => HealthTracker
    /** Whether a resolver must not be queried about a suffix. */
    readonly avoids?: (resolver: number, suffix: string) => boolean
  } = {},
): DnsClient {
  if (resolverTexts.length === 0) throw new Error('the DNS client has no resolvers')
  const resolvers = resolverTexts.map((text): Resolver => {
    const options = { resolver: parseResolver(text), onMessage: receive, lose: fail }
    return { udp: openUdpSocket(options), tcp: openTcpSocket(options), health: healthOf?.(text) }
  })
  const turns = resolvers.map((_, first) => resolvers.map((__, turn) => (first + turn) % resolvers.length))
  const hedge = createHedge()
  const silences = createSilences<PendingQuery>()
  const queries = {
    A: new Map<string, PendingQuery>(),
    DS: new Map<string, PendingQuery>(),
    TXT: new Map<string, PendingQuery>(),
  }
  const waiting = new Set<PendingQuery>()
  const inFlight = new Set<PendingQuery>()
  let ticking: NodeJS.Timeout | undefined
  let tickedAt = 0
  let runMsAtTick = 0
  let preferred = 0
  /** Queries that hold a place, and how many may: fewer than `mostInFlight` after a refusal. */
  let taken = 0
  let places = mostInFlight
  let closed = false

  /** Time without the pauses of this process. */
  function runMs(): number {
    return runMsAtTick + Math.min(performance.now() - tickedAt, MAX_STEP_MS)
  }

  function pump() {
    for (const query of waiting) {
      if (taken >= Math.floor(places)) return
      waiting.delete(query)
      inFlight.add(query)
      if (ticking === undefined) {
        tickedAt = performance.now()
        ticking = setInterval(tick, TICK_MS)
      }
      query.sentAt = performance.now()
      if (silences.queueIfSilent(query)) {
        query.retries = RETRY_MS.length - 1
        query.retryAt = runMs() + RETRY_MS[0]
        continue
      }
      query.hasPlace = true
      taken += 1
      send(query)
      hedge.earn()
      if (query.order.length > 1) query.hedgeAt = runMs() + hedge.delayMs()
    }
  }

  /** Sends to the next resolver in turn, with a new timeout. */
  function send(query: PendingQuery) {
    const resolver = query.order[query.sent % query.order.length] ?? 0
    query.sent += 1
    query.retryAt = runMs() + (RETRY_MS[query.retries] ?? 0)
    sendBy(query, resolver, 'udp')
  }

  function sendBy(query: PendingQuery, resolver: number, way: 'udp' | 'tcp') {
    const socket = resolvers[resolver]?.[way]
    if (socket === undefined) return
    const one: Try = { query, resolver, socket, sentAt: performance.now(), isNotified: false, key: 0 }
    resolvers[resolver]?.health?.ask()
    // A message that was sent may still be in the send buffer, so it is copied.
    const isFirst = query.sent === 1 && way === 'udp'
    one.key = socket.send(isFirst ? query.message : Buffer.from(query.message), one)
    query.open.push(one)
  }

  function tick() {
    runMsAtTick = runMs()
    tickedAt = performance.now()
    for (const query of inFlight) {
      if (runMsAtTick >= query.retryAt && query.isPaused) release(query)
      else if (runMsAtTick >= query.retryAt) retryOrGiveUp(query)
      else if (runMsAtTick >= query.hedgeAt && !query.hedged && query.retries === 0 && hedge.spend()) {
        query.hedged = true
        // The first query keeps its timeout: this one is sent in addition.
        const { retryAt } = query
        send(query)
        query.retryAt = retryAt
      }
    }
    pump()
  }

  function notify(one: Try, what: 'answered' | 'failed' | 'withdrew') {
    const health = resolvers[one.resolver]?.health
    if (one.isNotified || health === undefined) return
    one.isNotified = true
    if (what === 'answered') health.answered(performance.now() - one.sentAt)
    else health[what]()
  }

  function retryOrGiveUp(query: PendingQuery) {
    for (const one of query.open) notify(one, 'failed')
    query.retries += 1
    if (query.sent > 0) silences.begin(query)
    leavePlace(query)
    if (query.retries < RETRY_MS.length) send(query)
    else settle(query, UNUSABLE)
  }

  function release(query: PendingQuery) {
    query.retries = 0
    query.isPaused = false
    inFlight.delete(query)
    waiting.add(query)
  }

  function leavePlace(query: PendingQuery) {
    if (query.hasPlace) taken -= 1
    query.hasPlace = false
  }

  function receive(one: Try, message: Buffer) {
    const { query, socket, resolver } = one
    const answer = readAnswer(message, query.message)
    if (answer === undefined) return
    // A truncated response is not a final one: over TCP the same resolver may not respond.
    if (answer.kind !== 'truncated') for (const queued of silences.end(query.suffix)) release(queued)
    if (answer.kind === 'unusable') return fail(one, answer.why)
    places = Math.min(mostInFlight, places + 1 / places)
    notify(one, 'answered')
    if (answer.kind === 'truncated') {
      if (socket === resolvers[resolver]?.tcp) return fail(one)
      closeTry(one)
      query.retryAt = runMs() + RETRY_MS[1]
      return sendBy(query, resolver, 'tcp')
    }
    hedge.learn(performance.now() - query.sentAt)
    // A resolver that answers after another failed becomes the preferred one: a dead resolver costs one retry, not
    // one per query. A hedged query does not count: the first resolver may have been only slightly late.
    if (query.retries > 0) preferred = resolver
    settle(query, answer, resolver)
  }

  function fail(one: Try, why?: Unusable['why']) {
    const { query } = one
    // When a connection breaks, reporting the first loss can make a caller withdraw the query of the next loss.
    if (!inFlight.has(query)) return
    notify(one, 'failed')
    closeTry(one)
    if (query.sent < query.order.length && query.retries + 1 < RETRY_MS.length) {
      query.retries += 1
      send(query)
    } else if (query.open.length === 0) {
      const pauseMs = why === undefined ? undefined : REFUSED_MS[query.refusals]
      leavePlace(query)
      if (why === 'refused') places = Math.max(Math.min(FEWEST_IN_FLIGHT, mostInFlight), Math.min(places, taken * REST))
      if (pauseMs === undefined) settle(query, UNUSABLE)
      else pause(query, pauseMs)
    }
  }

  function pause(query: PendingQuery, pauseMs: number) {
    query.refusals += 1
    query.isPaused = true
    query.retryAt = runMs() + pauseMs
    query.hedgeAt = Number.POSITIVE_INFINITY
    pump()
  }

  function closeTry(one: Try) {
    one.socket.forget(one.key)
    const { open } = one.query
    open.splice(open.indexOf(one), 1)
  }

  function settle(query: PendingQuery, answer: DnsAnswer, resolver?: number) {
    drop(query)
    for (const onMessage of query.listeners) onMessage(answer, resolver)
  }

  /** Undefined if no resolver may be queried. */
  function begin(name: string, type: QueryType): PendingQuery | undefined {
    const query = makeQuery(name, type, turns[preferred] ?? [])
    if (avoids) query.order = query.order.filter((resolver) => !avoids(resolver, query.suffix))
    if (query.order.length === 0) return undefined
    queries[type].set(name, query)
    waiting.add(query)
    return query
  }

  function drop(query: PendingQuery) {
    queries[query.type].delete(query.name)
    waiting.delete(query)
    inFlight.delete(query)
    leavePlace(query)
    const next = silences.leave(query)
    if (next !== undefined) release(next)
    for (const one of query.open) {
      notify(one, 'withdrew')
      one.socket.forget(one.key)
    }
    pump()
    if (inFlight.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    ask(name, type, onMessage) {
      const joined = closed ? undefined : (queries[type].get(name) ?? begin(name, type))
      if (joined === undefined) {
        queueMicrotask(() => onMessage(UNUSABLE))
        return () => {}
      }
      joined.listeners.push(onMessage)
      pump()
      return () => {
        const at = joined.listeners.indexOf(onMessage)
        if (at >= 0) joined.listeners.splice(at, 1)
        if (joined.listeners.length === 0 && queries[type].get(name) === joined) drop(joined)
      }
    },
    async close() {
      closed = true
      clearInterval(ticking)
      const unanswered = Object.values(queries).flatMap((ofType) => [...ofType.values()])
      for (const each of [...Object.values(queries), waiting, inFlight]) each.clear()
      for (const { listeners } of unanswered) for (const onMessage of listeners) onMessage(UNUSABLE)
      await Promise.all(resolvers.flatMap(({ udp, tcp }) => [udp.close(), tcp.close()]))
    },
  }
}

function makeQuery(name: string, type: QueryType, order: readonly number[]): PendingQuery {
  return {
    name,
    suffix: name.slice(name.indexOf('.') + 1),
    type,
    message: writeQuery(name, type),
    listeners: [],
    open: [],
    order,
    sent: 0,
    retries: 0,
    refusals: 0,
    hedged: false,
    isPaused: false,
    hasPlace: false,
    sentAt: 0,
    retryAt: 0,
    hedgeAt: Number.POSITIVE_INFINITY,
  }
}

function parseResolver(text: string): ResolverAddress {
  const parsed = SocketAddress.parse(text)
  if (parsed === undefined || parsed.port === 0) throw new Error(`not a resolver address and port: ${text}`)
  return { address: parsed.address, port: parsed.port, family: parsed.family === 'ipv6' ? 'ipv6' : 'ipv4' }
}
