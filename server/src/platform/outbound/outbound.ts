/**
 * The only way out over HTTP: every response is bounded in time and size, and every failure is a value.
 *
 * The life of a request: its URL is checked (http or https, no user and password). The pool of its origin is found or
 * opened. The host name is resolved and private addresses are removed; the connection uses exactly the remaining
 * addresses, so that no second resolution can lead elsewhere. The status and headers are checked before the body is
 * read, and the body is counted while it arrives.
 *
 * Never: follows a redirect, decompresses a body, trusts a certificate it cannot verify, retries, throws.
 */
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'
import api from 'undici/lib/api/index.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { flatten, retryAfterOf } from './answer-headers.ts'
import type { Headers } from './answer-headers.ts'
import { reasonOf } from './fail-reason.ts'
import type { FailReason } from './fail-reason.ts'
import { startPauseTolerantTimer } from '../pause-tolerant-timer.ts'
import { placeOf } from './place.ts'
import { isPrivateAddress } from './private-address.ts'
import { connectThrough } from './proxy.ts'
import type { Proxy } from './proxy.ts'
import { createPublicLookup } from './public-lookup.ts'
import type { Lookup } from './public-lookup.ts'
import { withSpan } from '../tracing/trace-context.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The limit of the response body. */
  readonly maxBytes: number
  /** For callers that only need the status: a body that is too large or never ends is truncated. */
  readonly statusDecides?: boolean
  /** For the whole request, from resolving the name to the last byte. A pause of this process does not count. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Receives the body as it arrives, with the status of the response. */
  readonly onPiece?: (piece: Buffer, status: number) => void
}

export type OutboundAnswer = Answered | Failed

export interface Answered {
  readonly kind: 'answer'
  readonly status: number
  /** Names in lower case; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** For a status from 400 up it may be truncated. */
  readonly body: Buffer
  /** From Retry-After, in either form. */
  readonly retryAfterMs?: number
}

export interface Failed {
  readonly kind: 'failed'
  readonly reason: FailReason
}

export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Returns the status and headers at once and the body as a stream, for callers that count the bytes themselves.
   * Rejects when there is no response.
   */
  stream(url: string, options: OutboundStreamOptions): Promise<OutboundStream>
  close(): Promise<void>
}

export interface OutboundStreamOptions {
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly headersTimeout: number
  readonly bodyTimeout: number
  readonly signal?: AbortSignal
}

export interface OutboundStream {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Connects a host at another address that the operator configured: a gateway, or a test. It may be private. */
export interface Route {
  readonly host: string
  readonly address: string
  readonly port: number
}

export interface OutboundOptions {
  /** PEM, trusted in addition to the system's certificate authorities. */
  readonly ca?: string
  /** For an operator's own servers, and for tests. */
  readonly allowPrivate?: boolean
  /** `host:port` of servers that may be private, when others may not. */
  readonly allowed?: ReadonlySet<string>
  /** The resolver: the system's by default; tests replace it. */
  readonly lookupAll?: Lookup
  readonly routes?: readonly Route[]
  /** Hosts that never get a request: for URLs that untrusted people choose. */
  readonly refusedHosts?: ReadonlySet<string>
  /** Only for the command: it resolves the names, and private addresses cannot be refused. Routes do not use it. */
  readonly proxy?: Proxy | undefined
  readonly now: () => number
}

// The RDAP servers of all suffixes are about 400 hosts; the least recently used one is closed to make room.
const MAX_ORIGINS = 512
// Ten times what the strictest budget needs, and few enough that a host which never responds cannot hoard sockets.
const CONNECTIONS_PER_ORIGIN = 32
// A budget should have stopped the caller before this limit; a queue would only delay everybody.
const MAX_PER_ORIGIN = 512
const CONNECT_TIMEOUT_MS = 5_000

// As the index of undici does, which also loads fetch, proxies, caches and mocks: half of the code, and of the time at the
// start.
Object.assign(Dispatcher.prototype, api)

interface OutboundOrigin {
  readonly pool: Pool
  open: number
}

export function openOutbound({
  ca,
  allowPrivate = false,
  allowed = new Set(),
  lookupAll = lookup,
  routes = [],
  refusedHosts = new Set(),
  proxy,
  now,
}: OutboundOptions): Outbound {
  const lookupPublic = createPublicLookup(lookupAll)
  const routeOf = new Map(routes.map((route) => [route.host, route]))
  const findAuthorities = () => [...getCACertificates('default'), ...(ca === undefined ? [] : [ca])]
  // Created once, on first use: loading some 150 authorities takes a tenth of a node's start-up time, and doing it for
  // every connection would cost more than the connection.
  let secureContext: SecureContext | undefined
  const findSecureContext = () => (secureContext ??= createSecureContext({ ca: findAuthorities() }))
  /** Least recently used first. */
  const origins = new Map<string, OutboundOrigin>()
  let closed = false

  /** Undefined while there is no room for one more. */
  function findOrigin(name: string): OutboundOrigin | undefined {
    const known = origins.get(name)
    if (known === undefined && origins.size >= MAX_ORIGINS && !closeOldest()) return undefined
    if (known !== undefined && known.open >= MAX_PER_ORIGIN) return undefined
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

  /** A host that is an IP address is never resolved, so it is checked here. */
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
      connect:
        proxy?.isFor(url) && !route
          ? connectThrough(proxy, { timeoutMs: CONNECT_TIMEOUT_MS, secureContext: findSecureContext() })
          : {
              ...(protocol === 'https:' ? { secureContext: findSecureContext() } : {}),
              timeout: CONNECT_TIMEOUT_MS,
              lookup: mayBePrivate(url) ? lookup : lookupPublic,
              // The server at the other address must still present a certificate of the host.
              ...(route ? { servername: hostname } : {}),
            },
    })
  }

  async function exchange(request: OutboundRequest, keep: (piece: Buffer) => void) {
    const url = findUrl(request.url)
    if (closed || url === undefined || refusedHosts.has(url.hostname)) return failed('refused')
    if (request.signal.aborted) return failed('aborted')
    if (isForbidden(url)) return failed('private_address')
    const origin = findOrigin(url.origin)
    if (origin === undefined) return failed('refused')
    const stop = new AbortController()
    const abort = () => stop.abort()
    const stopTimer = startPauseTolerantTimer(request.timeoutMs, abort)
    request.signal.addEventListener('abort', abort)
    origin.open += 1
    try {
      return await talk(origin.pool, url, request, { signal: stop.signal, keep, now })
    } catch (error) {
      if (request.signal.aborted) return failed('aborted')
      return failed(stop.signal.aborted ? 'timeout' : reasonOf(error))
    } finally {
      origin.open -= 1
      stopTimer()
      request.signal.removeEventListener('abort', abort)
    }
  }

  return {
    send: (request) =>
      withSpan(
        'outbound',
        async (setAttributes) => {
          const pieces: Buffer[] = []
          const answer = await exchange(request, (piece) => void pieces.push(piece))
          setAttributes?.(seenOf(request, answer))
          return answer.kind === 'failed' ? answer : { ...answer, body: Buffer.concat(pieces) }
        },
        'client',
      ),
    async stream(text, options) {
      const url = findUrl(text)
      const isAskable = url && !isForbidden(url) && !refusedHosts.has(url.hostname) && !closed
      const origin = isAskable ? findOrigin(url.origin) : undefined
      if (!url || !origin) throw new Error('refused')
      const headers = { host: url.host, 'user-agent': 'namewright', ...options.headers }
      origin.open += 1
      try {
        const response = await origin.pool.request({ ...options, headers, path: url.pathname + url.search })
        response.body.once('close', () => (origin.open -= 1))
        return response
      } catch (error) {
        origin.open -= 1
        throw error
      }
    },
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
    // Without this undici closes the connection after every HEAD, in case the server sends a body all the same.
    reset: false,
  })
  // Dropping a body midway emits this event; the code that dropped it needs no report.
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
        request.onPiece?.(piece, statusCode)
      }
    } catch (error) {
      if (!request.statusDecides) throw error
    }
  }
  if (refusal !== undefined) {
    body.destroy()
    // For an error status the number is enough ("send fewer requests"), whatever is wrong with its body.
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

/** Problems that are known before the body is read. */
function refusalOf(request: OutboundRequest, status: number, headers: Headers): FailReason | undefined {
  const { method, maxBytes, statusDecides = false } = request
  // 304 is the response to If-None-Match, and is no redirect.
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

/** For traces: the host and the outcome. URLs contain domain names, so only the host is recorded. */
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
