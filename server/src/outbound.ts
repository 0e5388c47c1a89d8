/**
 * The one way out over HTTP: every answer is bounded in time and size, and every failure is a value.
 *
 * The life of a request: its address is checked (http or https, no name and password in it); the pool of its origin is
 * found or opened; the name is resolved and private addresses are struck out, and what is left is what is connected
 * to, so that no second resolving can lead elsewhere; the head of the answer is judged before its body is read; the
 * body is counted while it comes.
 *
 * Never: follows a redirect, unpacks a compressed body, trusts a certificate it cannot verify, retries, throws.
 */
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, createSecureContext, getCACertificates } from 'node:tls'
import { Pool } from 'undici'
import { flatten, retryAfterOf } from './outbound/answer-headers.ts'
import type { Headers } from './outbound/answer-headers.ts'
import { reasonOf } from './outbound/fail-reason.ts'
import type { FailReason } from './outbound/fail-reason.ts'
import { placeOf } from './outbound/place.ts'
import { isPrivateAddress } from './outbound/private-address.ts'
import { createPublicLookup } from './outbound/public-lookup.ts'
import type { Lookup } from './outbound/public-lookup.ts'
import { step } from './tracing/trail.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Of the answer's body. */
  readonly maxBytes: number
  /** For who only wants to be heard: of a body that is too large or never ends the beginning will do. */
  readonly statusDecides?: boolean
  /** For all of it, from resolving the name to the last byte. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type OutboundAnswer = Answered | Failed

export interface Answered {
  readonly kind: 'answer'
  readonly status: number
  /** Names in lower case; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Of a status from 400 up possibly less than was sent. */
  readonly body: Buffer
  /** From Retry-After, either form. */
  readonly retryAfterMs?: number
}

export interface Failed {
  readonly kind: 'failed'
  readonly reason: FailReason
}

export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** The head at once and the body as it comes, for who counts the bytes itself. Rejects when there is no answer. */
  stream(url: string, options: StreamOptions): Promise<Streamed>
  /** A raw TLS connection after its handshake, for what does not speak HTTP. Rejects when it cannot be had. */
  connectTls(target: TlsTarget): Promise<Duplex>
  close(): Promise<void>
}

export interface StreamOptions {
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly headersTimeout: number
  readonly bodyTimeout: number
  readonly signal?: AbortSignal
}

export interface Streamed {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: AsyncIterable<Uint8Array>
}

export interface TlsTarget {
  readonly host: string
  readonly port: number
  /** Who we are: PEM. */
  readonly cert?: string
  readonly key?: string
}

/** A host that is reached at another address, by the operator's word: a gateway, or a test. It may be private. */
export interface Route {
  readonly host: string
  readonly address: string
  readonly port: number
}

export interface OutboundOptions {
  /** PEM, trusted in addition to the machine's own authorities. */
  readonly ca?: string
  /** For an operator's own servers, and for tests. */
  readonly allowPrivate?: boolean
  /** `host:port` of those that may be private, where others may not. */
  readonly allowed?: ReadonlySet<string>
  /** How names are resolved: the machine's own way, unless a test has its own. */
  readonly lookupAll?: Lookup
  readonly routes?: readonly Route[]
  readonly now: () => number
}

// The RDAP servers of all suffixes are about 400 hosts; the longest unused one is closed for a newcomer.
const MOST_ORIGINS = 512
// Ten times what the politest budget needs, and little enough that a host which never answers cannot hoard sockets.
const CONNECTIONS_PER_ORIGIN = 32
// Beyond this whoever asks should have been stopped by a budget; a queue would only make everybody late.
const MOST_PER_ORIGIN = 512
const CONNECT_TIMEOUT_MS = 5_000

interface Origin {
  readonly pool: Pool
  open: number
}

export function openOutbound({
  ca,
  allowPrivate = false,
  allowed = new Set(),
  lookupAll = lookup,
  routes = [],
  now,
}: OutboundOptions): Outbound {
  const lookupPublic = createPublicLookup(lookupAll)
  const routeOf = new Map(routes.map((route) => [route.host, route]))
  // Made once: reading some 150 authorities for every connection would cost more than the connection.
  const authorities = [...getCACertificates('default'), ...(ca === undefined ? [] : [ca])]
  const secureContext = createSecureContext({ ca: authorities })
  /** The longest unused first. */
  const origins = new Map<string, Origin>()
  let closed = false

  /** Undefined while there is no room for one more. */
  function findOrigin(name: string): Origin | undefined {
    const known = origins.get(name)
    if (known === undefined && origins.size >= MOST_ORIGINS && !closeOldest()) return undefined
    if (known !== undefined && known.open >= MOST_PER_ORIGIN) return undefined
    const origin = known ?? { pool: openPool(name), open: 0 }
    origins.delete(name)
    origins.set(name, origin)
    return origin
  }

  function closeOldest(): boolean {
    for (const [name, { pool, open }] of origins) {
      if (open > 0) continue
      origins.delete(name)
      void pool.destroy().catch(() => {})
      return true
    }
    return false
  }

  const mayBePrivate = (url: URL) => allowPrivate || allowed.has(placeOf(url))

  /** A host that is an address is never looked up, so it is judged here. */
  function isForbidden(url: URL): boolean {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return !mayBePrivate(url) && !routeOf.has(host) && isIP(host) !== 0 && isPrivateAddress(host)
  }

  function openPool(origin: string): Pool {
    const url = new URL(origin)
    const { hostname, protocol } = url
    const route = routeOf.get(hostname)
    return new Pool(route ? `${protocol}//${route.address}:${route.port}` : origin, {
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      connect: {
        secureContext,
        timeout: CONNECT_TIMEOUT_MS,
        lookup: mayBePrivate(url) ? lookup : lookupPublic,
        // Whoever stands at the other address must still prove to be the host.
        ...(route ? { servername: hostname } : {}),
      },
    })
  }

  async function exchange(request: OutboundRequest, keep: (piece: Buffer) => void) {
    const url = findUrl(request.url)
    if (closed || url === undefined) return failed('refused')
    if (request.signal.aborted) return failed('aborted')
    if (isForbidden(url)) return failed('private_address')
    const origin = findOrigin(url.origin)
    if (origin === undefined) return failed('refused')
    const stop = new AbortController()
    const abort = () => stop.abort()
    const timer = setTimeout(abort, request.timeoutMs)
    request.signal.addEventListener('abort', abort)
    origin.open += 1
    try {
      return await talk(origin.pool, url, request, { signal: stop.signal, keep, now })
    } catch (error) {
      if (request.signal.aborted) return failed('aborted')
      return failed(stop.signal.aborted ? 'timeout' : reasonOf(error))
    } finally {
      origin.open -= 1
      clearTimeout(timer)
      request.signal.removeEventListener('abort', abort)
    }
  }

  return {
    send: (request) =>
      step(
        'outbound',
        async (note) => {
          const pieces: Buffer[] = []
          const answer = await exchange(request, (piece) => void pieces.push(piece))
          note?.(seenOf(request, answer))
          return answer.kind === 'failed' ? answer : { ...answer, body: Buffer.concat(pieces) }
        },
        'client',
      ),
    async stream(text, options) {
      const url = findUrl(text)
      const origin = url && !isForbidden(url) && !closed ? findOrigin(url.origin) : undefined
      if (!url || !origin) throw new Error('refused')
      const headers = { host: url.host, 'user-agent': 'namewright', ...options.headers }
      return origin.pool.request({ ...options, headers, path: url.pathname + url.search })
    },
    connectTls: ({ host, port, cert, key }) =>
      new Promise((resolve, reject) => {
        const route = routeOf.get(host)
        const socket = connect({
          host: route?.address ?? host,
          port: route?.port ?? port,
          servername: host,
          lookup: allowPrivate || route ? lookup : lookupPublic,
          secureContext: createSecureContext({ ca: authorities, ...(cert && key ? { cert, key } : {}) }),
          timeout: CONNECT_TIMEOUT_MS,
        })
        socket.once('secureConnect', () => {
          socket.setTimeout(0)
          socket.off('error', reject)
          resolve(socket)
        })
        socket.once('timeout', () => socket.destroy(new Error('no connection in time')))
        socket.once('error', reject)
      }),
    async close() {
      closed = true
      await Promise.all([...origins.values()].map(({ pool }) => pool.destroy().catch(() => {})))
      origins.clear()
    },
  }
}

interface Talk {
  readonly signal: AbortSignal
  readonly keep: (piece: Buffer) => void
  readonly now: () => number
}

async function talk(pool: Pool, url: URL, request: OutboundRequest, { signal, keep, now }: Talk) {
  const { statusCode, headers, body } = await pool.request({
    path: url.pathname + url.search,
    method: request.method,
    headers: { host: url.host, 'user-agent': 'namewright', 'accept-encoding': 'identity', ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    signal,
    // Without this undici closes the connection after every HEAD, in fear of servers that send a body all the same.
    reset: false,
  })
  // A body that is dropped half-way says so in an event; who dropped it knows already.
  body.on('error', () => {})
  let refusal = refusalOf(request, statusCode, headers)
  let bytes = 0
  if (refusal === undefined) {
    try {
      for await (const piece of body as AsyncIterable<Buffer>) {
        bytes += piece.length
        if (bytes > request.maxBytes) {
          refusal = 'too_large'
          if (request.statusDecides) keep(piece.subarray(0, piece.length - (bytes - request.maxBytes)))
          break
        }
        keep(piece)
      }
    } catch (error) {
      if (!request.statusDecides) throw error
    }
  }
  if (refusal !== undefined) {
    body.destroy()
    // An error's number says all that is needed ("ask less"), whatever is wrong with its page.
    const isEnough = statusCode >= 400 || (request.statusDecides === true && refusal !== 'redirect')
    if (!isEnough) return failed(refusal)
  }
  const retryAfterMs = retryAfterOf(headers['retry-after'], now())
  return {
    kind: 'answer' as const,
    status: statusCode,
    headers: flatten(headers),
    body: Buffer.alloc(0),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** What is known to be wrong before the body is read. */
function refusalOf(request: OutboundRequest, status: number, headers: Headers): FailReason | undefined {
  const { method, maxBytes, statusDecides = false } = request
  // 304 is the answer to If-None-Match, and leads nowhere.
  if (status >= 300 && status < 400 && status !== 304) return 'redirect'
  if (method === 'HEAD') return undefined
  const encoding = String(headers['content-encoding'] ?? 'identity').trim()
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') return 'encoded'
  return Number(headers['content-length'] ?? 0) > maxBytes && !statusDecides ? 'too_large' : undefined
}

function findUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.username === '' && url.password === '' ? url : undefined
}

/** In a trace: who was asked and what came of it. Addresses name domains, so only the host. */
function seenOf({ url, method }: OutboundRequest, answer: OutboundAnswer) {
  return {
    'server.address': URL.parse(url)?.hostname,
    'http.request.method': method,
    'http.response.status_code': answer.kind === 'answer' ? answer.status : undefined,
    'error.type': answer.kind === 'failed' ? answer.reason : undefined,
  }
}

function failed(reason: FailReason): Failed {
  return { kind: 'failed', reason }
}
