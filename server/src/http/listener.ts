/**
 * The listening port. With a certificate it serves HTTPS and answers plain HTTP with 403 instead of a redirect: a key
 * that was sent in the clear once is already leaked, and a redirect would hide that.
 *
 * Both arrive at one port, so the first byte decides: a TLS handshake record begins with 22 (RFC 8446 §5.1), no HTTP
 * method does.
 */
import { createServer as createPlain } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { Socket } from 'node:net'

const TLS_HANDSHAKE = 22
// The time a caller has to send its headers, and the time for the whole request.
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
// Longer than the idle timeout of common proxies (60 s), so that they close first and no request meets a closed
// connection.
const KEEP_ALIVE_MS = 72_000
// How often Node checks connections against the timeouts above. Without it they last up to 30 s longer.
const TIMEOUTS_CHECKED_MS = 1_000
// Ten times what a node can have in flight, to allow for idle keep-alive connections. More are closed on arrival. About
// 20 KB each.
const MAX_CONNECTIONS = 20_000

export interface Tls {
  readonly cert: string
  readonly key: string
}

export interface ListenerOptions {
  readonly tls?: Tls | undefined
  /** Answers a plain HTTP request when TLS is configured. */
  readonly refusePlain: (request: IncomingMessage, response: ServerResponse) => void
  /** False: the connection is closed on arrival. */
  readonly admits?: (socket: Socket) => boolean
  readonly mostConnections?: number
}

export function createListener({ tls, refusePlain, admits, mostConnections = MAX_CONNECTIONS }: ListenerOptions) {
  return (handler: RequestListener): Server => {
    // The handler refuses a request without a host, with our own error.
    const shared = { requireHostHeader: false, connectionsCheckingInterval: TIMEOUTS_CHECKED_MS }
    if (!tls) return withTimeouts(admitting(createPlain(shared, handler), admits), mostConnections)
    const shaking = { minVersion: 'TLSv1.2', handshakeTimeout: HEADERS_TIMEOUT_MS } as const
    const secure = createSecure({ ...tls, ...shared, ...shaking }, handler)
    // Refused before `100 Continue` invites it to send its body in the clear, too.
    const plain = createPlain(shared, refusePlain).on('checkContinue', refusePlain)
    plain.on('clientError', (error, socket) => secure.emit('clientError', error, socket))
    const shake = secure.listeners('connection') as ((socket: Socket) => void)[]
    secure.removeAllListeners('connection')
    secure.on('connection', (socket: Socket) => {
      socket.once('error', () => socket.destroy())
      // For a silent connection and for a whole plain request: a server that does not listen enforces no timeouts
      // itself.
      const deadline = setTimeout(() => socket.destroy(), HEADERS_TIMEOUT_MS)
      socket.once('close', () => clearTimeout(deadline))
      socket.once('data', (first: Buffer) => {
        socket.pause()
        socket.unshift(first)
        if (first[0] === TLS_HANDSHAKE) {
          clearTimeout(deadline)
          for (const listener of shake) listener.call(secure, socket)
        } else plain.emit('connection', socket)
        // The server that takes the socket over has added its listeners by then.
        process.nextTick(() => socket.resume())
      })
    })
    secure.on('close', () => plain.close())
    return withTimeouts(admitting(secure, admits), mostConnections)
  }
}

type AnyServer = Server | ReturnType<typeof createSecure>

/** Drops a connection that is not admitted before any other listener sees it. */
function admitting<S extends AnyServer>(server: S, admits: ListenerOptions['admits']): S {
  if (!admits) return server
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!admits(socket)) socket.destroy()
    else for (const listener of listeners) listener.call(server, socket)
  })
  return server
}

function withTimeouts<S extends AnyServer>(server: S, mostConnections: number): S {
  server.maxConnections = mostConnections
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}
